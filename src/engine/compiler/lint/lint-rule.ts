import type { CheckedScreen } from '../intermediate-representation.ts';
import type { StateDefinition } from '../../core/flow-and-screen-types.ts';
import { escapePointer, splitPointer, findByPointer } from '../../core/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { FileEdit, ProblemSeverity } from '../definitions.ts';
import type { DefinitionFiles } from '../files/read-definition-files.ts';
import { listAllFields, buildUiPointer } from '../screen/schema-fields.ts';
import { createTranslationPointerLookup } from '../shared/translation.ts';
import type { ProblemExplanation } from '../sources/localized-text.ts';
import type { SourceFile, SourceLocation } from '../sources/source-file.ts';
import type { LintedFlow, LintInput } from './lint-input.ts';
import { listTextsByFile, listLocatedTexts, type LocatedText } from './wording/list-located-texts.ts';
import type { WordingRules } from './wording/wording-faults.ts';

export interface LintFinding extends ProblemExplanation, Omit<SourceLocation, 'file'> {
  readonly file: Pick<SourceFile, 'path' | 'text' | 'tree'>;
  /** Shortest path that shows the problem. */
  readonly path?: string;
  readonly related?: readonly { readonly file: string; readonly pointer: string }[];
  readonly fix?: readonly FileEdit[];
}

/** Location of a finding, and its fix. `value` is the correct value. `remove` means that the value should be removed. */
interface FindingLocation extends Omit<LintFinding, keyof ProblemExplanation> {
  readonly value?: Json | undefined;
  readonly remove?: boolean;
}

/** Returns a function that turns an explanation into a finding at a location. */
export function createFindingAt(place: FindingLocation): (problem: ProblemExplanation) => LintFinding {
  const { file, pointer, path, related, fix, value, remove } = place;
  const own =
    remove || value !== undefined ? [{ file: file.path, pointer, ...(value !== undefined && { value }) }] : fix;
  return (problem) => ({
    file,
    pointer,
    ...problem,
    ...(path !== undefined && { path }),
    ...(related && { related }),
    ...(own && { fix: own }),
  });
}

/** A lint rule. Its id never changes. */
export interface LintRule {
  readonly id: string;
  readonly severity: ProblemSeverity;
  readonly findViolations: (subject: LintInput) => Iterable<LintFinding>;
}

export type FindViolations = LintRule['findViolations'];
type Found = LintFinding | Iterable<LintFinding> | null;
type Check<Part> = (part: Part, subject: LintInput) => Found;

/** Creates a rule that checks all definitions together. */
export function createDefinitionsLintRule(
  id: string,
  severity: ProblemSeverity,
  ...checks: readonly FindViolations[]
): LintRule {
  return { id, severity, findViolations: (subject) => checks.flatMap((find) => [...find(subject)]) };
}

/** Returns a function that converts a check of one part to a check of all parts in `list`. */
function createPartIterator<Part>(list: (subject: LintInput) => Iterable<Part>) {
  return (check: Check<Part>): FindViolations =>
    (subject) =>
      [...list(subject)].flatMap((part) => toFindings(check(part, subject)));
}

function toFindings(found: Found): readonly LintFinding[] {
  if (found === null) return [];
  return Symbol.iterator in found ? [...found] : [found];
}

export const checkEachFlowWith = createPartIterator(({ flows }) => flows);
export const checkEachScreenWith = createPartIterator(({ screens }) => screens.values());
export const checkEachStateWith = createPartIterator(listStates);
export const checkEachFieldWith = createPartIterator(listLintedFields);

/**
 * Converts a check of one text to a check of all texts. Skips files that have passed the check before, so the check may read only the text and its
 * origin.
 */
export function checkEachTextOfChangedFilesWith(key: string, check: (text: LocatedText) => Found): FindViolations {
  return (subject) =>
    subject.set.languages.flatMap((language) =>
      subject.cache.checkChangedParts(`${key} ${language}`, [], listTextsByFile(language, subject), (texts) =>
        texts.flatMap((text) => toFindings(check(text))),
      ),
    );
}

/** Converts a check of one text to a check of all texts. `prepare` creates the check for the writing rules of a language. */
export function checkEachTextWith(
  prepare: (wording: WordingRules, subject: LintInput, language: string) => ((text: LocatedText) => Found) | null,
): FindViolations {
  return (subject) =>
    Object.entries(subject.contract.wording ?? {}).flatMap(([language, wording]) => {
      const check = prepare(wording, subject, language);
      return check ? listLocatedTexts(language, subject).flatMap((text) => toFindings(check(text))) : [];
    });
}

function createLintRuleFactory<Part>(apply: (check: Check<Part>) => FindViolations) {
  return (id: string, severity: ProblemSeverity, check: Check<Part>) =>
    createDefinitionsLintRule(id, severity, apply(check));
}

export const createFlowLintRule = createLintRuleFactory(checkEachFlowWith);
export const createScreenLintRule = createLintRuleFactory(checkEachScreenWith);
export const createStateLintRule = createLintRuleFactory(checkEachStateWith);
export const createFieldLintRule = createLintRuleFactory(checkEachFieldWith);

export function createTextLintRule(
  id: string,
  severity: ProblemSeverity,
  check: (text: LocatedText) => Found,
): LintRule {
  return createDefinitionsLintRule(id, severity, checkEachTextOfChangedFilesWith(id, check));
}

interface LintedState {
  readonly name: string;
  readonly state: StateDefinition;
  readonly linted: LintedFlow;
  readonly screen: CheckedScreen | undefined;
  readonly locate: (...steps: readonly string[]) => SourceLocation;
}

function listStates({ flows, screens }: LintInput): readonly LintedState[] {
  return flows.flatMap((linted) =>
    Object.entries(linted.flow.states).map(([name, state]) => {
      const locate = (...steps: readonly string[]) => linted.locate('states', name, ...steps);
      return { name, state, linted, screen: screens.get(state.screen ?? ''), locate };
    }),
  );
}

export interface LintedField {
  readonly name: string;
  readonly schema: JsonObject;
  readonly needed: boolean;
  /** Location of the field's schema, without resolving references. */
  readonly file: SourceFile;
  readonly pointer: string;
  readonly screen: CheckedScreen;
  /** Returns the location of a keyword in the screen's schema, or in the shared definition to which the field refers. */
  readonly locate: (keyword: string) => SourceLocation;
  /** Returns the location of a key of the field's ui. `language` defaults to the base language. */
  readonly locateUi: (key: string, language?: string) => SourceLocation;
  readonly locateMessage: (key: string, language: string) => SourceLocation;
}

export function listLintedFields(subject: LintInput): readonly LintedField[] {
  return [...subject.screens.values()].flatMap((screen) => listScreenFields(screen, subject));
}

export function listScreenFields(screen: CheckedScreen, subject: LintInput): readonly LintedField[] {
  const file = screen.files.schema;
  if (!file || !screen.schema) return [];
  return listAllFields(screen.schema).map(([name, schema, needed, pointer]) => {
    const locateText = (part: FieldText['part'], key: string, language = subject.set.baseLanguage) =>
      locateFieldText(subject.set, screen, { field: name, pointer, part, key, language });
    return {
      name,
      schema,
      needed,
      file,
      pointer,
      screen,
      locate: (keyword) => locateInSchema(subject.set, file, `${pointer}/${keyword}`),
      locateUi: (key, language) => locateText('ui', key, language),
      locateMessage: (key, language) => locateText('messages', key, language),
    };
  });
}

export function locateUiText({ files }: CheckedScreen, language: string, pointer: string): SourceLocation {
  const file = files.translations.get(language) ?? files.ui;
  return { file, pointer: file === files.ui ? pointer : locateTranslation(files.ui, pointer) };
}

type LocatedNode = SourceLocation & { readonly node: Json | undefined };

/** Returns the location of a part of a screen's schema, in its own file or in the shared definition to which it refers. */
function locateInSchema(set: DefinitionFiles, file: SourceFile, pointer: string): SourceLocation {
  let at: LocatedNode = { file, pointer: '', node: file.value };
  for (const step of splitPointer(pointer)) {
    const holder = [at, ...listReferencedDefinitions(set, at)].find(({ node }) => findChild(node, step) !== undefined);
    if (!holder) return { file, pointer };
    at = {
      file: holder.file,
      pointer: `${holder.pointer}/${escapePointer(step)}`,
      node: findChild(holder.node, step),
    };
  }
  return { file: at.file, pointer: at.pointer };
}

interface FieldText {
  readonly field: string;
  /** Location of the field's schema. */
  readonly pointer: string;
  readonly part: 'ui' | 'messages';
  readonly key: string;
  readonly language: string;
}

/** Returns the location of a field text in a language: in the screen's ui or in a shared definition. */
function locateFieldText(
  set: DefinitionFiles,
  { files: { ui, schema, translations } }: CheckedScreen,
  { field, pointer, part, key, language }: FieldText,
): SourceLocation {
  const own = part === 'ui' ? `${buildUiPointer(field)}/${key}` : `/messages/${escapePointer(field)}/${key}`;
  const isBase = language === set.baseLanguage;
  const file = isBase ? ui : translations.get(language);
  const address = isBase ? own : locateTranslation(ui, own);
  if (file && findByPointer(file.value, address) !== undefined) return { file, pointer: address };
  const node = schema && locateInSchema(set, schema, pointer);
  const behind = node
    ? listReferencedDefinitions(set, { ...node, node: findByPointer(node.file.value, node.pointer) })
    : [];
  const found = behind.find(({ node: definition }) => findChild(findChild(definition, part), key) !== undefined);
  if (!found) return { file: file ?? ui, pointer: address };
  const name = found.file.path.slice(found.file.path.lastIndexOf('/') + 1);
  const twin = isBase ? found.file : set.sharedTexts.get(name.replace(/json$/, `${language}.json`));
  return { file: twin ?? found.file, pointer: `${found.pointer}/${part}/${key}` };
}

/** Lookups of the location of a text in translations, by file. Cached, because creating a lookup reads all texts of the file. */
const addressLookups = new WeakMap<SourceFile, (pointer: string) => string>();

function locateTranslation(file: SourceFile, pointer: string): string {
  const toAddress = addressLookups.get(file) ?? createTranslationPointerLookup(file.value);
  addressLookups.set(file, toAddress);
  return toAddress(pointer);
}

/** Resolves `$ref` to shared definitions, transitively. The nearest definition is first. */
function listReferencedDefinitions(set: DefinitionFiles, { file, node }: LocatedNode): readonly LocatedNode[] {
  const found: LocatedNode[] = [];
  let now: Omit<LocatedNode, 'pointer'> = { file, node };
  while (isObject(now.node) && typeof now.node['$ref'] === 'string' && found.length < 10) {
    const [path = '', pointer = ''] = now.node['$ref'].split('#');
    const named = path === '' ? now.file : set.shared.get(path.slice(path.lastIndexOf('/') + 1));
    if (!named) break;
    now = { file: named, node: findByPointer(named.value, pointer) };
    found.push({ file: named, pointer, node: now.node });
  }
  return found;
}

function findChild(node: Json | undefined, step: string): Json | undefined {
  return findByPointer(node, `/${escapePointer(step)}`);
}
