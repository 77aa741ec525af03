import type { LoadDefinitionsOptions } from '../definitions.ts';
import { checkFileFormat } from '../formats/check-file-format.ts';
import { type PluginIndex, pickTextEntries } from './index-plugins.ts';
import type { DefinitionLoadCache } from '../sources/load-cache.ts';
import { type ReadSourceFile, type SourceFile } from '../sources/source-file.ts';
import { reportSuspiciousJson, parseSourceFile } from '../sources/parse-source-file.ts';
import { type ProblemCollector } from '../sources/problem-collector.ts';
import { standardAjv } from '../sources/standard-ajv.ts';
import { explain, findNearestName, listNearNames, suggestSimilarName } from '../sources/localized-text.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import type { ScreenModule } from '../../core/compiled-screen.ts';

export interface ScreenFiles {
  readonly id: string;
  readonly schema: SourceFile | null;
  readonly ui: SourceFile | null;
  /** Files ui.<language>.json, by language. */
  readonly translations: ReadonlyMap<string, SourceFile>;
  /** Names of files in the folder that nothing reads. */
  readonly unreadNames: readonly string[];
}

/** Parsed but unchecked files of a project's definitions. */
export interface DefinitionFiles {
  readonly screens: readonly ScreenFiles[];
  readonly flows: readonly SourceFile[];
  readonly shared: ReadonlyMap<string, SourceFile>;
  /** Translations of shared definitions, by file name, e.g. person.pt.json. */
  readonly sharedTexts: ReadonlyMap<string, SourceFile>;
  /** Files of schemas/_shared/texts by name, with texts outside screens, e.g. of the header. */
  readonly commonTexts: ReadonlyMap<string, SourceFile>;
  readonly catalogues: ReadonlyMap<string, SourceFile>;
  readonly baseLanguage: string;
  /** Languages of the definitions: the base language, then every other language with a catalogue. */
  readonly languages: readonly string[];
  readonly plugins: PluginIndex;
  /** Files that are not valid JSON, and shared files that do not match their format. What refers to these files is not reported. */
  readonly unusableFiles: readonly string[];
  /** Whether all files are valid JSON and the shared files are valid. */
  readonly isReadable: boolean;
}

const noCatalogue = { path: 'schemas/_shared/messages.json', text: '', tree: undefined };
const latin1 = new TextDecoder('latin1');

export async function readDefinitionFiles(
  { files, plugins: readPlugins }: Pick<CompilerHost, 'files' | 'plugins'>,
  { baseLanguage, messages = {} }: Pick<LoadDefinitionsOptions, 'baseLanguage' | 'messages'>,
  problems: ProblemCollector,
  cache: DefinitionLoadCache,
): Promise<DefinitionFiles> {
  let readable = true;
  const unread: string[] = [];
  const read: ReadSourceFile = async (path) => {
    const bytes = await files.read(path);
    const content = typeof bytes === 'string' ? bytes : latin1.decode(bytes); // latin1 is lossless, so equal texts have equal bytes
    const { file, isFine } = cache.getOrCheck(`source ${path}`, [content], problems, (own) => {
      const parsed = parseSourceFile(path, bytes, own);
      return {
        file: parsed,
        isFine:
          parsed !== null &&
          cache.checkOnce(`letters of ${path}`, [parsed.text], () => reportSuspiciousJson(parsed, own)),
      };
    });
    if (!isFine) readable = false;
    if (file === null) unread.push(path);
    return file;
  };
  const check = (file: SourceFile, kind: Parameters<typeof checkFileFormat>[1]): boolean => {
    const isFormatted = cache.checkOnce(`format of ${file.path}`, [kind, file.text], () =>
      checkFileFormat(file, kind, problems),
    );
    readable &&= isFormatted;
    return isFormatted;
  };
  const all = [...(await readFolder(files, 'schemas/_shared', read))];
  const texts = [...(await readFolder(files, 'schemas/_shared/texts', read))];
  const commonTexts = new Map(texts.filter(([, file]) => check(file, 'messages')));
  const shared = new Map(all.filter(([name]) => !translationName.test(name)));
  const sharedTexts = new Map(all.filter(([name]) => translationName.test(name)));
  const catalogues = new Map<string, SourceFile>();
  for (const path of unread) {
    const catalogue = catalogueName.exec(path.slice(path.lastIndexOf('/') + 1));
    if (catalogue) catalogues.set(catalogue[1] ?? baseLanguage, { ...noCatalogue, path, value: {} });
  }
  for (const [name, file] of shared) {
    const catalogue = catalogueName.exec(name);
    const kind = catalogue ? 'messages' : name === noticesName ? 'notices' : 'shared';
    const isFormatted = noticeTranslationName.test(name) || check(file, kind);
    if (catalogue) catalogues.set(catalogue[1] ?? baseLanguage, file);
    else if (!isFormatted) {
      shared.delete(name);
      unread.push(file.path);
    }
  }
  const writtenCatalogues = [...catalogues];
  for (const language of new Set([baseLanguage, ...catalogues.keys()])) {
    const [defaults, file] = [messages[language], catalogues.get(language)];
    if (defaults)
      catalogues.set(
        language,
        cache.getOrCompute(`catalogue ${language}`, [defaults, file], () => withDefaults(defaults, file)),
      );
  }
  if (!catalogues.has(baseLanguage)) {
    readable = false;
    problems.report(noCatalogue)('')(explain`
      There is no catalogue of messages.
      Write one with a sentence for each rule.`);
  }
  const languages = [baseLanguage, ...[...catalogues.keys()].filter((language) => language !== baseLanguage)];
  const folders = (await files.list('schemas')).filter((name) => !name.startsWith('_') && !isMarkdownFile(name));
  const screens = await Promise.all(folders.map((id) => readScreen(files, id, languages, read, problems)));
  const flowNames = (await files.list('flows')).filter((name) => name.endsWith('.json'));
  const flows = (await Promise.all(flowNames.map((name) => read(`flows/${name}`)))).filter((file) => file !== null);
  const found = await readPlugins(read, problems);
  const listOtherKeys = (language: string) =>
    writtenCatalogues.flatMap(([other, file]) => (other === language ? [] : Object.keys(pickTextEntries(file))));
  for (const [language, file] of writtenCatalogues)
    readable =
      checkMessageKeys(file, { defaults: messages[language], others: listOtherKeys(language) }, found, problems) &&
      readable;
  const parts = [...found.byName.values()].flatMap((own) => [
    own.name,
    own.hasWidget,
    String(own.widgetTypes),
    own.module,
    own.texts,
  ]);
  const plugins = cache.getOrCompute('plugins', parts, () => found);
  return {
    screens,
    flows,
    shared,
    sharedTexts,
    commonTexts,
    catalogues,
    baseLanguage,
    languages,
    plugins,
    unusableFiles: unread,
    isReadable: readable,
  };
}

/** Returns the files on which all screens depend, as the key of cached results. */
export function listSharedCacheInputs({ languages, shared, sharedTexts }: DefinitionFiles): readonly unknown[] {
  return [...languages, ...shared.values(), ...sharedTexts.values()];
}

/** Returns all messages of a language. Messages of the catalogue take precedence over messages of plugins. */
export function collectMessagesOfLanguage(set: DefinitionFiles, language: string): Readonly<Record<string, string>> {
  const ofPlugins = [...set.plugins.byName.values()].map((plugin) => pickTextEntries(plugin.texts, language));
  return Object.assign({}, ...ofPlugins, pickTextEntries(set.catalogues.get(language))) as Record<string, string>; // cast: `Object.assign` returns `any`
}

function withDefaults(defaults: Readonly<Record<string, string>>, file: SourceFile = { ...noCatalogue, value: {} }) {
  return { ...file, value: { ...defaults, ...pickTextEntries(file) } };
}

interface KnownMessages {
  readonly defaults: Readonly<Record<string, string>> | undefined;
  /** Keys of the catalogues of other languages. */
  readonly others: readonly string[];
}

/** Reports keys of a catalogue that resemble a message, but belong to no rule. Returns whether there are none. */
function checkMessageKeys(
  file: SourceFile,
  { defaults = {}, others }: KnownMessages,
  { rules }: PluginIndex,
  problems: ProblemCollector,
): boolean {
  const readKeyword = (key: string) => key.split('.', 1)[0] ?? '';
  const own = Object.keys(pickTextEntries(file));
  const known = new Set([...Object.keys(defaults), ...others].map(readKeyword));
  const present = new Set(own.map(readKeyword));
  const missing = [...known].filter((name) => !present.has(name));
  const before = problems.list.length;
  for (const key of own) {
    const keyword = readKeyword(key);
    const nearest = findNearestName(keyword, missing);
    const isKnown = known.has(keyword) || rules.has(keyword) || standardAjv.getKeyword(keyword) !== false;
    if (nearest === undefined || isKnown) continue;
    problems.report(file)(`/${escapePointer(key)}`)(explain`No rule has the message "${key}".
      Did you mean "${nearest}"?`);
  }
  return problems.list.length === before;
}

/** Whether a file is documentation for authors of definitions. */
export function isMarkdownFile(path: string): boolean {
  return path.endsWith('.md');
}

export const noticesName = 'notices.json';
const noticeTranslationName = /^notices\.\w+\.json$/;
const catalogueName = /^messages(?:\.(\w+))?\.json$/;
/** Name pattern of translations of shared definitions. */
const translationName = /^(?!messages\.|notices\.).+\.\w+\.json$/;

const screenFile = /^(?:schema|ui(?:\.\w+)?)\.json$/;

async function readFolder(
  project: ProjectFileReader,
  folder: string,
  read: ReadSourceFile,
): Promise<Map<string, SourceFile>> {
  const files = new Map<string, SourceFile>();
  for (const name of (await project.list(folder)).filter((file) => file.endsWith('.json'))) {
    const file = await read(`${folder}/${name}`);
    if (file) files.set(name, file);
  }
  return files;
}

async function readScreen(
  files: ProjectFileReader,
  id: string,
  languages: readonly string[],
  read: ReadSourceFile,
  problems: ProblemCollector,
): Promise<ScreenFiles> {
  const names = await files.list(`schemas/${id}`);
  const optional = (name: string) => (names.includes(name) ? read(`schemas/${id}/${name}`) : null);
  const translations = new Map<string, SourceFile>();
  const unreadNames = names.filter((own) => own.toLowerCase().endsWith('.json') && !screenFile.test(own));
  for (const name of unreadNames) {
    const expectedNames = ['schema.json', 'ui.json', ...languages.slice(1).map((language) => `ui.${language}.json`)];
    problems.addAt({ file: `schemas/${id}/${name}`, line: 1, column: 1, pointer: '' })(explain`
      Nothing reads this file: no part of a screen is called "${name}".
      ${suggestSimilarName(name, expectedNames)}Rename it, or remove it: ${listNearNames(name, expectedNames)}.`);
  }
  for (const name of names) {
    const language = /^ui\.(\w+)\.json$/.exec(name)?.[1];
    if (language === undefined) continue;
    const file = await read(`schemas/${id}/${name}`);
    if (file && languages.slice(1).includes(language)) translations.set(language, file);
    else if (file)
      problems.report(file)('')(explain`There are no messages in "${language}".
        Add schemas/_shared/messages.${language}.json, or remove this file.`);
  }
  return { id, schema: await optional('schema.json'), ui: await optional('ui.json'), translations, unreadNames };
}

/** Reads the files of a project's definitions. Paths are relative to the project, with forward slashes. */
export interface ProjectFileReader {
  /** Returns the content of a file. Returns the error as a text if the file cannot be read. */
  read(path: string): Promise<Uint8Array | string>;
  /** Returns the sorted names in a folder, without hidden ones. Returns none if it is not a folder. */
  list(folder: string): Promise<string[]>;
}

/** Platform that runs the compiler: Node.js or a page. */
export interface CompilerHost {
  readonly files: ProjectFileReader;
  plugins(read: ReadSourceFile, problems: ProblemCollector): Promise<PluginIndex>;
  importScreenModule(source: string): Promise<ScreenModule>;
}
