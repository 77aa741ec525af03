import { escapePointer, pointerSteps, valueAt } from '../../core/json-pointer.ts';
import { isObject, type Json } from '../../core/json.ts';
import { addressIn } from '../shared/texts.ts';
import type { SourceFile } from '../sources/source-file.ts';
import { buildUiPointer } from '../screen/fields-of-ui.ts';
import type { LintedScreen, Subject } from './subject.ts';

export interface SourceLocation {
  readonly file: SourceFile;
  readonly pointer: string;
}

type SetContext = Pick<Subject, 'set'>;

/** Returns the location of a part of a screen's schema: in its own file, or in the shared definition that it refers to. */
export function placeInSchema({ set }: SetContext, file: SourceFile, pointer: string): SourceLocation {
  let at: SourceLocation & { readonly node: Json | undefined } = { file, pointer: '', node: file.value };
  for (const step of pointerSteps(pointer)) {
    const holder = [at, ...definitionsBehind({ set }, at)].find(({ node }) => holds(node, step));
    if (!holder) return { file, pointer };
    at = { file: holder.file, pointer: `${holder.pointer}/${escapePointer(step)}`, node: findPart(holder.node, step) };
  }
  return { file: at.file, pointer: at.pointer };
}

/** Returns the location of a field text in a language: in the screen's ui or in a shared definition. */
export function locateFieldText(
  subject: SetContext,
  { files }: LintedScreen,
  { field, pointer, part, key, language }: FieldText,
): SourceLocation | null {
  const { set } = subject;
  const { ui, schema } = files;
  if (!ui) return null;
  const own = part === 'ui' ? `${buildUiPointer(field)}/${key}` : `/messages/${escapePointer(field)}/${key}`;
  const isBase = language === set.baseLanguage;
  const file = isBase ? ui : files.translations.get(language);
  const address = isBase ? own : locateTranslation(ui, own);
  if (file && valueAt(file.value, address) !== undefined) return { file, pointer: address };
  const node = schema && { ...placeInSchema(subject, schema, pointer), node: null };
  const start = node && { ...node, node: valueAt(node.file.value, node.pointer) };
  const behind = start ? definitionsBehind(subject, start) : [];
  const found = behind.find(({ node: definition }) => holds(findPart(definition, part), key));
  if (!found) return { file: file ?? ui, pointer: address };
  const name = found.file.path.slice(found.file.path.lastIndexOf('/') + 1);
  const twin = isBase ? found.file : set.sharedTexts.get(name.replace(/json$/, `${language}.json`));
  return { file: twin ?? found.file, pointer: `${found.pointer}/${part}/${key}` };
}

/** Cached by file: the addresses of all its texts are computed at once. */
const addresses = new WeakMap<SourceFile, (pointer: string) => string>();

/** Returns the address in translations of the text at a pointer. */
export function locateTranslation(file: SourceFile, pointer: string): string {
  const toAddress = addresses.get(file) ?? addressIn(file.value);
  addresses.set(file, toAddress);
  return toAddress(pointer);
}

export interface FieldText {
  readonly field: string;
  /** Location of the field's schema. */
  readonly pointer: string;
  readonly part: 'ui' | 'messages';
  readonly key: string;
  readonly language: string;
}

/** Follows `$ref` to shared definitions, nearest first. */
function definitionsBehind(
  { set }: SetContext,
  { file, node }: SourceLocation & { readonly node: Json | undefined },
): readonly (SourceLocation & { readonly node: Json | undefined })[] {
  const found: (SourceLocation & { readonly node: Json | undefined })[] = [];
  let now: { readonly file: SourceFile; readonly node: Json | undefined } = { file, node };
  while (isObject(now.node) && typeof now.node['$ref'] === 'string' && found.length < 10) {
    const [path = '', pointer = ''] = now.node['$ref'].split('#');
    const named = path === '' ? now.file : set.shared.get(path.slice(path.lastIndexOf('/') + 1));
    if (!named) break;
    now = { file: named, node: valueAt(named.value, pointer) };
    found.push({ file: named, pointer, node: now.node });
  }
  return found;
}

function holds(node: Json | undefined, step: string): boolean {
  return typeof node === 'object' && node !== null && Object.hasOwn(node, step);
}

function findPart(node: Json | undefined, step: string): Json | undefined {
  return holds(node, step) ? (Reflect.get(node as object, step) as Json) : undefined; // parsed from JSON
}
