import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkFormat } from '../formats/check-format.ts';
import { readPlugins, type Plugins } from './plugins.ts';
import { checkSource, type Problems, type Read, readSource, type SourceFile } from '../sources/source-file.ts';
import { say } from '../sources/say.ts';
import { textTable } from './text-table.ts';

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
  /** Texts of shared definitions in other languages, by file name: person.pt.json. */
  readonly sharedTexts: ReadonlyMap<string, SourceFile>;
  /** schemas/_shared/texts by file name: what no screen declares says, e.g. the header. */
  readonly commonTexts: ReadonlyMap<string, SourceFile>;
  /** The message catalogue by language. */
  readonly catalogues: ReadonlyMap<string, SourceFile>;
  /** The language of the files without a suffix. */
  readonly baseLanguage: string;
  /** That language, first, and every other that has a catalogue. */
  readonly languages: readonly string[];
  readonly plugins: Plugins;
  /** False when a file is no JSON, or one that others share is wrong. */
  readonly readable: boolean;
}

/** Reads schemas/, flows/ and plugins/ of a project, whose files without a suffix are written in `baseLanguage`. */
export async function readSet(root: string, baseLanguage: string, problems: Problems): Promise<FileSet> {
  let readable = true;
  const read: Read = async (path) => {
    const file = await readSource(root, path, problems);
    if (!file || !checkSource(file, problems)) readable = false;
    return file;
  };
  const all = await readFolder(root, 'schemas/_shared', read);
  const commonTexts = await readFolder(root, 'schemas/_shared/texts', read);
  for (const [name, file] of commonTexts) {
    if (checkFormat(file, 'messages', problems)) continue;
    readable = false;
    commonTexts.delete(name);
  }
  const shared = new Map([...all].filter(([name]) => !twinName.test(name)));
  const sharedTexts = new Map([...all].filter(([name]) => twinName.test(name)));
  for (const [name, file] of shared)
    if (!noticesName.test(name) && !checkFormat(file, catalogueName.test(name) ? 'messages' : 'shared', problems))
      readable = false;
  const catalogues = new Map(
    [...shared].flatMap(([name, file]) => {
      const match = catalogueName.exec(name);
      return match ? [[match[1] ?? baseLanguage, file] as const] : [];
    }),
  );
  if (!catalogues.has(baseLanguage)) {
    readable = false;
    problems.add(
      { path: 'schemas/_shared/messages.json', text: '', tree: undefined },
      '',
      say`There is no catalogue of messages.`,
      say`Write one with a sentence for each rule.`,
    );
  }
  const languages = [baseLanguage, ...[...catalogues.keys()].filter((language) => language !== baseLanguage)];
  const folders = (await list(root, 'schemas')).filter((name) => !name.startsWith('_') && !isDocument(name));
  const screens = await Promise.all(folders.map((id) => readScreen(root, id, languages, read, problems)));
  const flowNames = (await list(root, 'flows')).filter((name) => name.endsWith('.json'));
  const flows = (await Promise.all(flowNames.map((name) => read(join('flows', name))))).filter((file) => file !== null);
  const plugins = await readPlugins(root, read, problems);
  return { screens, flows, shared, sharedTexts, commonTexts, catalogues, baseLanguage, languages, plugins, readable };
}

/** Every message of a language: those of all plugins, and the catalogue, which wins. */
export function messagesOf(set: FileSet, language: string): Readonly<Record<string, string>> {
  const ofPlugins = [...set.plugins.byName.values()].map((plugin) => textTable(plugin.texts, language));
  return Object.assign({}, ...ofPlugins, textTable(set.catalogues.get(language))) as Record<string, string>; // Object.assign answers any
}

/** Whether a file is a document for the people who write definitions, which is no definition itself. */
export function isDocument(path: string): boolean {
  return path.endsWith('.md');
}

/** Notices that screens share, and their translations: checked together. */
const noticesName = /^notices(?:\.\w+)?\.json$/;
const catalogueName = /^messages(?:\.(\w+))?\.json$/;
/** Texts of shared definitions in another language. */
const twinName = /^(?!messages\.|notices\.).+\.\w+\.json$/;

async function readFolder(root: string, folder: string, read: Read): Promise<Map<string, SourceFile>> {
  const files = new Map<string, SourceFile>();
  for (const name of (await list(root, folder)).filter((file) => file.endsWith('.json'))) {
    const file = await read(join(folder, name));
    if (file) files.set(name, file);
  }
  return files;
}

async function readScreen(
  root: string,
  id: string,
  languages: readonly string[],
  read: Read,
  problems: Problems,
): Promise<ScreenFiles> {
  const names = await list(root, join('schemas', id));
  const optional = (name: string) => (names.includes(name) ? read(join('schemas', id, name)) : null);
  const translations = new Map<string, SourceFile>();
  for (const name of names) {
    const language = /^ui\.(\w+)\.json$/.exec(name)?.[1];
    if (language === undefined) continue;
    const file = await read(join('schemas', id, name));
    if (file && languages.slice(1).includes(language)) translations.set(language, file);
    else if (file)
      problems.add(
        file,
        '',
        say`There are no messages in "${language}".`,
        say`Add schemas/_shared/messages.${language}.json, or remove this file.`,
      );
  }
  return { id, schema: await optional('schema.json'), ui: await optional('ui.json'), translations };
}

async function list(root: string, folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder)).catch(() => []); // what is no folder holds nothing
  return names.filter((name) => !name.startsWith('.')).sort();
}
