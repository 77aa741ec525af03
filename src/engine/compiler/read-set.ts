import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readPlugins, type Plugins } from './plugins.ts';
import { type Problems, readSource, reportDuplicateKeys, type SourceFile } from './source-file.ts';

/** The files of one screen. */
export interface ScreenFiles {
  readonly id: string;
  readonly schema: SourceFile | null;
  readonly ui: SourceFile | null;
  /** ui.<language>.json by language. */
  readonly translations: ReadonlyMap<string, SourceFile>;
}

/** All files of a set of definitions, parsed but not checked. */
export interface FileSet {
  readonly screens: readonly ScreenFiles[];
  readonly flows: readonly SourceFile[];
  /** schemas/_shared by file name. */
  readonly shared: ReadonlyMap<string, SourceFile>;
  /** The message catalogue by language. */
  readonly catalogues: ReadonlyMap<string, SourceFile>;
  /** The language of ui.json, first, and every language that has a catalogue. */
  readonly languages: readonly string[];
  readonly plugins: Plugins;
  /** False when a file is no JSON. */
  readonly readable: boolean;
}

/** The language of the files without a suffix. */
export const baseLanguage = 'es';

/** Reads schemas/, flows/ and plugins/ of a project. */
export async function readSet(root: string, problems: Problems): Promise<FileSet> {
  let readable = true;
  const read = async (path: string) => {
    const file = await readSource(root, path, problems);
    if (file) reportDuplicateKeys(file, problems);
    else readable = false;
    return file;
  };
  const shared = await readShared(root, read);
  const catalogues = new Map([...shared].flatMap(([name, file]) => {
    const match = /^messages(?:\.(\w+))?\.json$/.exec(name);
    return match ? [[match[1] ?? baseLanguage, file] as const] : [];
  }));
  const languages = [baseLanguage, ...[...catalogues.keys()].filter((language) => language !== baseLanguage)];
  const folders = (await list(root, 'schemas')).filter((name) => name !== '_shared');
  const screens = await Promise.all(folders.map((id) => readScreen(root, id, languages, read)));
  const flowNames = (await list(root, 'flows')).filter((name) => name.endsWith('.json'));
  const flows = (await Promise.all(flowNames.map((name) => read(join('flows', name))))).filter((file) => file !== null);
  return { screens, flows, shared, catalogues, languages, plugins: await readPlugins(root, problems), readable };
}

type Read = (path: string) => Promise<SourceFile | null>;

async function readShared(root: string, read: Read): Promise<Map<string, SourceFile>> {
  const shared = new Map<string, SourceFile>();
  for (const name of (await list(root, 'schemas/_shared')).filter((file) => file.endsWith('.json'))) {
    const file = await read(join('schemas/_shared', name));
    if (file) shared.set(name, file);
  }
  return shared;
}

async function readScreen(root: string, id: string, languages: readonly string[], read: Read): Promise<ScreenFiles> {
  const optional = (name: string) => (existsSync(join(root, 'schemas', id, name)) ? read(join('schemas', id, name)) : null);
  const translations = new Map<string, SourceFile>();
  for (const language of languages.slice(1)) {
    const file = await optional(`ui.${language}.json`);
    if (file) translations.set(language, file);
  }
  return { id, schema: await optional('schema.json'), ui: await optional('ui.json'), translations };
}

async function list(root: string, folder: string): Promise<string[]> {
  return existsSync(join(root, folder)) ? (await readdir(join(root, folder))).filter((name) => !name.startsWith('.')).sort() : [];
}
