import { isObject } from '../../core/json.ts';
import type { FileSet } from './read-set.ts';
import type { SourceFile } from '../sources/source-file.ts';

/** The sentences of a file, or of one of its parts. */
export function textTable(file: SourceFile | null | undefined, key?: string): Readonly<Record<string, string>> {
  const value = key === undefined ? file?.value : isObject(file?.value) ? file.value[key] : undefined;
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Every message of a language: those of all plugins, and the catalogue, which wins. */
export function messagesOf(set: FileSet, language: string): Readonly<Record<string, string>> {
  const ofPlugins = [...set.plugins.byName.values()].map((plugin) => textTable(plugin.texts, language));
  return Object.assign({}, ...ofPlugins, textTable(set.catalogues.get(language))) as Record<string, string>; // Object.assign answers any
}
