import { escapePointer, findByPointer, splitPointer } from '../../core/json-pointer.ts';
import { isObject, type Json } from '../../core/json.ts';
import { noticesName, type DefinitionFiles } from '../files/read-definition-files.ts';
import type { CheckedScreen } from '../intermediate-representation.ts';
import { listAllFields } from '../screen/schema-fields.ts';
import type { SourceFile, SourceLocation } from '../sources/source-file.ts';
import { createTranslationPointerLookup } from './translation.ts';
import { buildUiPointer } from '../../core/field-path.ts';

/** `pointer` refers to the complete ui, whose parts may be in shared notices or a shared definition. */
export function locateUiPart(
  set: DefinitionFiles,
  { files, schema }: Pick<CheckedScreen, 'files' | 'schema'>,
  language: string,
  pointer: string,
): SourceLocation {
  const [part, name = '', ...rest] = splitPointer(pointer);
  const file = files.translations.get(language) ?? files.ui;
  const own = { file, pointer: file === files.ui ? pointer : createTranslationPointerLookup(files.ui.value)(pointer) };
  if (findByPointer(files.ui.value, pointer) !== undefined) return own;
  if (part === 'notices') return locateSharedNotice(set, language, pointer) ?? own;
  const field = listAllFields(schema ?? {}).find(([known]) =>
    part === 'messages' ? known === name && rest.length > 0 : pointer.startsWith(`${buildUiPointer(known)}/ui:`),
  );
  if (!field) return own;
  const [known, , , at] = field;
  const keys =
    part === 'messages' ? rest.map(escapePointer).join('/') : pointer.slice(buildUiPointer(known).length + 1);
  const text = { field: known, pointer: at, part: part === 'messages' ? part : 'ui', key: keys, language } as const;
  return locateFieldText(set, { files }, text);
}

/** Whether a location is in the screen's own files, and not in a shared definition. */
export function isInScreenFiles(
  { files }: Pick<CheckedScreen, 'files'>,
  { file }: Pick<SourceLocation, 'file'>,
): boolean {
  return [files.ui, files.schema, ...files.translations.values()].includes(file);
}

function locateSharedNotice(set: DefinitionFiles, language: string, pointer: string): SourceLocation | null {
  const base = set.shared.get(noticesName);
  const at = pointer.replace(/^\/notices/, '/$defs');
  if (!base || findByPointer(base.value, at) === undefined) return null;
  const translation = language === set.baseLanguage ? undefined : set.shared.get(`notices.${language}.json`);
  return translation
    ? { file: translation, pointer: createTranslationPointerLookup(base.value)(at) }
    : { file: base, pointer: at };
}

type LocatedNode = SourceLocation & { readonly node: Json | undefined };

/** Returns the location of a part of a screen's schema, in its own file or in the shared definition to which it refers. */
export function locateInSchema(set: DefinitionFiles, file: SourceFile, pointer: string): SourceLocation {
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

export interface FieldText {
  readonly field: string;
  /** Location of the field's schema. */
  readonly pointer: string;
  readonly part: 'ui' | 'messages';
  /** Key of the text, or the pointer of a part of it without the leading slash. */
  readonly key: string;
  readonly language: string;
}

/** Returns the location of a field text in a language: in the screen's ui or in a shared definition. */
export function locateFieldText(
  set: DefinitionFiles,
  { files: { ui, schema, translations } }: Pick<CheckedScreen, 'files'>,
  { field, pointer, part, key, language }: FieldText,
): SourceLocation {
  const own = part === 'ui' ? `${buildUiPointer(field)}/${key}` : `/messages/${escapePointer(field)}/${key}`;
  const isBase = language === set.baseLanguage;
  const file = isBase ? ui : translations.get(language);
  const address = isBase ? own : createTranslationPointerLookup(ui.value)(own);
  if (file && findByPointer(file.value, address) !== undefined) return { file, pointer: address };
  const node = schema && locateInSchema(set, schema, pointer);
  const behind = node
    ? listReferencedDefinitions(set, { ...node, node: findByPointer(node.file.value, node.pointer) })
    : [];
  const found = behind.find(({ node: definition }) => findByPointer(definition, `/${part}/${key}`) !== undefined);
  if (!found) return { file: file ?? ui, pointer: address };
  const name = found.file.path.slice(found.file.path.lastIndexOf('/') + 1);
  const twin = isBase ? found.file : set.sharedTexts.get(name.replace(/json$/, `${language}.json`));
  return { file: twin ?? found.file, pointer: `${found.pointer}/${part}/${key}` };
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
