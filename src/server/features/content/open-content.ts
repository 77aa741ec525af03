import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  DefinitionError,
  type DefinitionProblem,
  type LiveDefinitions,
  type FileTextOverrides,
} from '../../../engine/compiler/definitions.ts';
import { DefinitionLoadCache } from '../../../engine/compiler/sources/load-cache.ts';
import { resolveLanguage, selectLocalizedText } from '../../../engine/compiler/sources/localized-text.ts';
import type { PageRoute } from '../../../engine/core/definitions-manifest.ts';
import categories from './categories.json' with { type: 'json' };
import { checkContentFiles, type ParsedContentFile } from './check-content-files.ts';
import { checkSearchVocabulary, searchVocabularyFile } from './check-search-vocabulary.ts';
import {
  checkContentPlaceholders,
  readContentFiles,
  type ReportContentProblem,
  type ContentFile,
  parseMarkdownOutline,
  localize,
  type MarkdownOutline,
  readFrontMatter,
  contentFolder,
} from './content-file.ts';
import {
  staticPageLayouts,
  type FaqCategory,
  type ContentByLanguage,
  type FaqQuestion,
  type StaticPage,
  type LocalizedContent,
  contentImageAliases,
} from './localized-content.ts';
import { readSourceFile } from '../../../engine/compiler/sources/read-source.ts';
import { ProblemCollector, createInternalErrorProblem } from '../../../engine/compiler/sources/problem-collector.ts';
import { watchFolders } from '../../../engine/compiler/open-live-definitions.ts';

export interface LiveContent {
  readonly current: ContentByLanguage;
  /** Problems in the files on disk. Empty if `current` was loaded from these files. */
  readonly problems: readonly DefinitionProblem[];
  /** Calls `listener` after each reload, successful or not. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

/**
 * Opens the help and the static pages of the project at `root`. With `watch`, reloads them if their files change, or if the definitions change, whose
 * routes are targets of links in the content. While the files are invalid, the last valid set stays in use. Throws a `DefinitionError` if the first
 * load fails.
 */
export async function openLiveContent({
  root,
  definitions,
  watch = false,
  language,
}: {
  root: string;
  definitions: Pick<LiveDefinitions, 'current' | 'onChange'>;
  watch?: boolean;
  /** Language of reported problems. Defaults to the default language of the definitions. */
  language?: string;
}): Promise<LiveContent> {
  const cache = new DefinitionLoadCache();
  const load = () => {
    const { languages, manifest } = definitions.current;
    const routes = manifest(languages[0] ?? '').routes;
    return loadLocalizedContent({ root, languages, routes, language: language ?? languages[0] }, cache);
  };
  const folders = definitions.current.languages.map((language) => join(root, contentFolder, language));
  const watching = watch ? await watchFolders(folders) : null;
  let current = await load().catch(async (error: unknown) => {
    await watching?.close();
    throw error;
  });
  let problems: readonly DefinitionProblem[] = [];
  const listeners = new Set<() => void>();
  const reload = async () => {
    try {
      current = await load();
      problems = [];
    } catch (error) {
      problems =
        error instanceof DefinitionError
          ? error.problems
          : [createInternalErrorProblem(error, contentFolder, language ?? definitions.current.languages[0])];
    }
    for (const listener of listeners) listener();
  };
  watching?.start(reload);
  const stop = watch ? definitions.onChange(() => void reload()) : null;
  return {
    get current() {
      return current;
    },
    get problems() {
      return problems;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      stop?.();
      await watching?.close();
    },
  };
}

interface ContentOptions {
  readonly root: string;
  readonly routes: readonly PageRoute[];
  /** Languages of the content, with the default language first. */
  readonly languages: readonly string[];
  /** Language of reported problems. Defaults to English. */
  readonly language?: string;
  readonly texts?: FileTextOverrides;
  /** Files that differ from the last commit. Of two questions with the same position, the one in such a file is reported. */
  readonly changedFiles?: readonly string[];
}

/** Names of the categories by language, in the order of the help. */
const categoryNames: Readonly<Record<string, Readonly<Record<string, string>>>> = categories;

/**
 * Loads the help and the static pages in all languages. Throws a `DefinitionError` with all problems. With the `cache` of an earlier load, parses
 * only changed files.
 */
export async function loadLocalizedContent(
  { root, routes, languages, language, texts, changedFiles = [] }: ContentOptions,
  cache = new DefinitionLoadCache(),
): Promise<ContentByLanguage> {
  const reportLanguage = resolveLanguage(language);
  const createReporter =
    (list: DefinitionProblem[]) =>
    (file: string): ReportContentProblem =>
    ({ line, column }, message, hint) =>
      void list.push({
        file,
        line,
        column,
        pointer: '',
        message: selectLocalizedText(message, reportLanguage),
        hint: selectLocalizedText(hint, reportLanguage),
      });
  const files = await readContentFiles(root, languages, texts);
  cache.startLoad();
  const parsed = files.map((file) =>
    cache.getOrCompute(file.path, [file.text, reportLanguage], () => {
      const own: DefinitionProblem[] = [];
      return { file: parseContentFile(file, createReporter(own)(file.path)), own };
    }),
  );
  const read = parsed.flatMap(({ file }) => file ?? []);
  const problems = parsed.flatMap(({ own }) => own);
  checkContentFiles(
    {
      files,
      parsedFiles: read,
      routes,
      languages,
      categoryNames,
      changedFiles,
    },
    createReporter(problems),
  );
  problems.push(...(await listSearchProblems(root, { files, read, languages }, reportLanguage)));
  if (problems.length > 0) throw new DefinitionError(problems);
  return Object.fromEntries(languages.map((language) => [language, buildTexts(language, read)]));
}

/** Returns the problems in the vocabulary of the help search. A project without a search has no problems. */
async function listSearchProblems(root: string, set: Parameters<typeof checkSearchVocabulary>[1], language: string) {
  if (!existsSync(join(root, searchVocabularyFile))) return [];
  const problems = new ProblemCollector(language);
  const file = await readSourceFile(root, searchVocabularyFile, problems);
  if (file)
    checkSearchVocabulary(file, set, (pointer, message, hint) => problems.report(file)(pointer)({ message, hint }));
  return problems.list;
}

function parseContentFile(file: ContentFile, reportProblem: ReportContentProblem): ParsedContentFile | null {
  checkContentPlaceholders(file.text, reportProblem);
  const head = readFrontMatter(file, reportProblem);
  if (!head) return null;
  const outline = parseMarkdownOutline(head.body, head.bodyLine);
  checkBody(outline, reportProblem);
  if (head.body.trim() === '')
    reportProblem(
      { line: head.bodyLine, column: 1 },
      localize`The file has no text.`,
      localize`Write it below the front matter.`,
    );
  return { ...file, frontMatter: head, outline };
}

function buildTexts(language: string, allFiles: readonly ParsedContentFile[]): LocalizedContent {
  const files = allFiles.filter((file) => file.language === language);
  const questions = files.filter(({ kind }) => kind === 'pregunta').map(toQuestion);
  return {
    categories: Object.keys(categoryNames).flatMap((id): FaqCategory[] => {
      const own = questions.filter(({ category }) => category === id).sort((a, b) => a.order - b.order);
      return own.length === 0 ? [] : [{ id, name: categoryNames[id]?.[language] ?? id, questions: own }];
    }),
    pages: files.filter(({ kind }) => kind === 'pagina').map(toStaticPage),
  };
}

function toQuestion({ name, frontMatter: { values, body } }: ParsedContentFile): FaqQuestion {
  return {
    slug: name,
    title: String(values['titulo']),
    category: String(values['categoria']),
    order: Number(values['orden']),
    relatedSlugs: Array.isArray(values['relacionadas']) ? values['relacionadas'].map(String) : [],
    requiredFeature: values['si'] === undefined ? null : String(values['si']),
    answer: body.trim(),
  };
}

function toStaticPage({ name, frontMatter: { values, body } }: ParsedContentFile): StaticPage {
  const readTextValue = (key: string): string | null => (values[key] === undefined ? null : String(values[key]));
  return {
    id: name,
    title: String(values['titulo']),
    layout: staticPageLayouts.find((layout) => layout === values['disposicion']) ?? 'tarjeta',
    summary: readTextValue('resumen'),
    updated: readTextValue('actualizada'),
    body: body.trim(),
  };
}

function checkBody({ headings, images, html }: MarkdownOutline, reportProblem: ReportContentProblem): void {
  for (const { value, ...place } of html) {
    reportProblem(
      place,
      localize`Raw HTML is not shown: ${value.slice(0, 40)}`,
      localize`Write it in Markdown, or remove it.`,
    );
  }
  const anchors = new Set<string>();
  let depth = 1;
  for (const heading of headings) {
    if (heading.depth === 1)
      reportProblem(
        heading,
        localize`The body has a heading of the first level.`,
        localize`The title is already the first heading of the page: begin the body with "##".`,
      );
    else if (heading.depth > depth + 1)
      reportProblem(
        heading,
        localize`The heading jumps from level ${depth} to ${heading.depth}.`,
        localize`Write it with ${'#'.repeat(depth + 1)}.`,
      );
    if (!heading.plain)
      reportProblem(
        heading,
        localize`The heading is not plain text.`,
        localize`Remove emphasis, links and code: anchors and the table of contents are built from headings.`,
      );
    if (anchors.has(heading.anchor))
      reportProblem(
        heading,
        localize`Another heading already has the anchor "#${heading.anchor}".`,
        localize`Word one of the two differently.`,
      );
    anchors.add(heading.anchor);
    depth = heading.depth;
  }
  for (const { url, alt, ...place } of images) {
    if (!contentImageAliases.includes(url))
      reportProblem(
        place,
        localize`There is no picture "${url}".`,
        localize`Use one of ${contentImageAliases.join(', ')}.`,
      );
    if (alt.trim() === '')
      reportProblem(
        place,
        localize`The picture has no alternative text.`,
        localize`Write it in the brackets: ![what it shows](alias).`,
      );
  }
}
