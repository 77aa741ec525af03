import type { CheckedScreen } from '../intermediate-representation.ts';
import type { StateDefinition } from '../../core/flow-and-screen-types.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { FileEdit, ProblemSeverity } from '../definitions.ts';
import { listAllFields } from '../screen/schema-fields.ts';
import { locateFieldText, locateInSchema, locateUiPart, type FieldText } from '../shared/locate-parts.ts';
import { indexTextsByPointer } from '../shared/translation.ts';
import type { ProblemExplanation } from '../sources/localized-text.ts';
import type { SourceFile, SourceLocation } from '../sources/source-file.ts';
import type { LintedFlow, LintInput, TextLintInput } from './lint-input.ts';
import { listTextsByFile, type LocatedText } from './wording/list-located-texts.ts';
import type { WordingRules } from './wording/wording-faults.ts';

export interface LintFinding extends ProblemExplanation, Omit<SourceLocation, 'file'> {
  readonly file: Pick<SourceFile, 'path' | 'text' | 'tree'>;
  /** Shortest path that shows the problem. */
  readonly path?: string;
  readonly related?: readonly { readonly file: string; readonly pointer: string }[];
  readonly fix?: readonly FileEdit[];
  readonly wordForms?: readonly string[];
}

/** Location of a finding, and its fix. `value` is the correct value. `remove` means that the value should be removed. */
interface FindingLocation extends Omit<LintFinding, keyof ProblemExplanation> {
  readonly value?: Json | undefined;
  readonly remove?: boolean;
}

/** Returns a function that turns an explanation into a finding at a location. */
export function createFindingAt(place: FindingLocation): (problem: ProblemExplanation) => LintFinding {
  const { file, pointer, path, related, fix, wordForms, value, remove } = place;
  const own =
    remove || value !== undefined ? [{ file: file.path, pointer, ...(value !== undefined && { value }) }] : fix;
  return (problem) => ({
    file,
    pointer,
    ...problem,
    ...(path !== undefined && { path }),
    ...(related && { related }),
    ...(own && { fix: own }),
    ...(wordForms && { wordForms }),
  });
}

/** A lint rule. Its id never changes. */
export interface LintRule {
  readonly id: string;
  readonly severity: ProblemSeverity;
  readonly scope: LintScope;
  readonly findViolations: (subject: LintInput) => Iterable<LintFinding>;
}

/**
 * Definitions on which the findings of a rule depend, besides shared definitions and the contract: a flow, the flows that share its screens, and their screens;
 * all texts; or all definitions.
 */
type LintScope = 'local' | 'texts' | 'definitions';

export type FindViolations<Subject = LintInput> = (subject: Subject) => Iterable<LintFinding>;
type Found = LintFinding | Iterable<LintFinding> | null;
type Check<Part> = (part: Part, subject: LintInput) => Found;

const createRuleFactory =
  <Subject extends TextLintInput = LintInput>(scope: LintScope) =>
  (
    id: string,
    severity: ProblemSeverity,
    ...checks: readonly (FindViolations & FindViolations<Subject>)[]
  ): LintRule => {
    return { id, severity, scope, findViolations: (subject) => checks.flatMap((find) => [...find(subject)]) };
  };

/** Creates a rule that checks all definitions together. */
export const createDefinitionsLintRule = createRuleFactory('definitions');
/** Creates a rule that checks all texts together. */
export const createTextsLintRule = createRuleFactory<TextLintInput>('texts');
/** Creates a rule that checks the flows and screens that belong together. Its checks must not read other flows and screens. */
export const createLocalLintRule = createRuleFactory('local');

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

type TextCheck = (text: LocatedText) => Found;

/**
 * Converts a check of one text to a check of all texts. Skips files that have passed the check before, so the check may read only the text and its
 * origin.
 */
export function checkEachTextWith(key: string, check: TextCheck): FindViolations<TextLintInput> {
  return (subject) => subject.set.languages.flatMap((language) => checkTexts(key, language, subject, [], () => check));
}

/**
 * Like `checkEachTextWith`, for checks that depend on the writing rules of a language. `prepare` creates the check. It may also read the result of
 * `read`, which has to be JSON because a change of it repeats the check.
 */
export function checkEachTextByRulesWith<Subject extends TextLintInput, Input>(
  key: string,
  read: (subject: Subject) => Input,
  prepare: (wording: WordingRules, input: Input) => TextCheck | null,
): FindViolations<Subject> {
  return (subject) => {
    const input = read(subject);
    const inputs = [subject.digest, JSON.stringify(input)];
    return Object.entries(subject.contract.wording ?? {}).flatMap(([language, wording]) =>
      checkTexts(key, language, subject, inputs, () => prepare(wording, input)),
    );
  };
}

/** Input of a check that reads only the text, its origin and the contract. */
export const readNothing = (): null => null;

function checkTexts(
  key: string,
  language: string,
  subject: TextLintInput,
  inputs: readonly string[],
  prepare: () => TextCheck | null,
): readonly LintFinding[] {
  return subject.cache.checkChangedParts(`${key} ${language}`, inputs, listTextsByFile(language, subject), () => {
    const check = prepare();
    return (texts) => (check ? texts.flatMap((text) => toFindings(check(text))) : []);
  });
}

function createLintRuleFactory<Part>(apply: (check: Check<Part>) => FindViolations) {
  return (id: string, severity: ProblemSeverity, check: Check<Part>) => createLocalLintRule(id, severity, apply(check));
}

export const createFlowLintRule = createLintRuleFactory(checkEachFlowWith);
export const createScreenLintRule = createLintRuleFactory(checkEachScreenWith);
export const createStateLintRule = createLintRuleFactory(checkEachStateWith);
export const createFieldLintRule = createLintRuleFactory(checkEachFieldWith);

export function createTextLintRule(id: string, severity: ProblemSeverity, check: TextCheck): LintRule {
  return createTextsLintRule(id, severity, checkEachTextWith(id, check));
}

interface ScreenText {
  readonly language: string;
  readonly pointer: string;
  readonly text: string;
  /** Returns the location of the text in the screen's files, or in a shared definition. */
  readonly locate: () => SourceLocation;
}

/** Returns the texts of a screen in each language, including those from shared definitions. */
export function listScreenTexts(screen: CheckedScreen, { set }: LintInput): readonly ScreenText[] {
  return [...screen.uis].flatMap(([language, ui]) =>
    [...indexTextsByPointer(ui as unknown as Json)].map(([pointer, text]) => {
      return { language, pointer, text, locate: () => locateUiPart(set, screen, language, pointer) };
    }),
  ); // cast: an interface is not assignable to `Json`
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
