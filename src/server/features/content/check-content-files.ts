import {
  listNearNames,
  suggestSimilarName,
  type LocalizedText,
} from '../../../engine/compiler/sources/localized-text.ts';
import {
  fileStart,
  localize,
  buildContentPath,
  type ReportContentProblem,
  type ContentFile,
  type MarkdownOutline,
  type FrontMatter,
} from './content-file.ts';
import { findListNumberFault } from '../../../engine/compiler/lint/wording/list-numbers.ts';
import { checkTranslationsExist } from './check-translations-exist.ts';
import { listPlaceholders } from '../../../engine/core/messages.ts';
import { contentConditionPattern, contentPlaceholderNames } from './content-placeholder-values.ts';
import { parseUrlPath } from '../../../contract/build-href.ts';
import type { PageRoute } from '../../../engine/core/definitions-manifest.ts';
import { isHttpUrl } from '../../../engine/core/values/http-url.ts';
import { findRoute, listPathParameters } from '../../../engine/core/route.ts';
import type { OperationName } from '../../../contract/contract.ts';

const questionOperation: OperationName = 'getFaqs';
const pageOperation: OperationName = 'getStaticPage';

type ContentTarget =
  | { readonly kind: 'pregunta' | 'pagina'; readonly name: string }
  /** Any other page of the portal. */
  | { readonly kind: 'route' };

function findTarget(path: string, routes: readonly PageRoute[]): ContentTarget | null {
  const match = findRoute(routes, path);
  if (!match) return null;
  const { route, params } = match;
  const [name] = listPathParameters(route.path);
  if (route.source?.operation === questionOperation && name !== undefined)
    return { kind: 'pregunta', name: params[name] ?? '' };
  const page = findPage(route);
  return page === null ? { kind: 'route' } : { kind: 'pagina', name: page };
}

/** Returns the path of a question's page if a route with exactly this path takes precedence over it. Returns `null` otherwise. */
function findShadowingPath(slug: string, routes: readonly PageRoute[]): string | null {
  const paths = routes
    .filter(({ path, source }) => source?.operation === questionOperation && listPathParameters(path).length > 0)
    .map(({ path }) => path.replace(/:\w+/, slug));
  return paths.find((path) => routes.some((route) => route.path === path)) ?? null;
}

function findPage({ source }: PageRoute): string | null {
  const page = source?.operation === pageOperation ? source.params?.['page'] : undefined;
  return typeof page === 'string' ? page : null;
}

export interface ParsedContentFile extends ContentFile {
  readonly frontMatter: FrontMatter;
  readonly outline: MarkdownOutline;
}

interface ContentFileSet {
  /** All files, including those with invalid front matter, which `parsedFiles` does not have. */
  readonly files: readonly ContentFile[];
  readonly parsedFiles: readonly ParsedContentFile[];
  readonly routes: readonly PageRoute[];
  readonly languages: readonly string[];
  /** The names that readers see, by category and language. */
  readonly categoryNames: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly changedFiles: readonly string[];
}

type CreateReporter = (file: string) => ReportContentProblem;

const languageIndependentKeys = ['categoria', 'orden', 'relacionadas', 'si', 'disposicion', 'actualizada'] as const;

export function checkContentFiles(set: ContentFileSet, createReporter: CreateReporter): void {
  const faultyKeys = new Set<string>();
  for (const file of set.parsedFiles)
    if (file.kind === 'pregunta')
      for (const [key, message, hint] of listQuestionFaults(file, set)) {
        faultyKeys.add(key === 'orden' ? key : `${file.name} ${key}`); // after a fault in one position, none are compared, because its correction may change the others
        createReporter(file.path)(file.frontMatter.positions.get(key) ?? fileStart, message, hint);
      }
  for (const file of set.files) {
    checkName(file, set, createReporter(file.path));
    checkLanguages(file, set, { createReporter, faultyKeys });
  }
  for (const file of set.parsedFiles) {
    const reportProblem = createReporter(file.path);
    for (const { url, ...place } of file.outline.links) {
      const fault = findLinkFault(url, file, set);
      if (fault) reportProblem(place, fault[0], fault[1]);
    }
  }
  checkPages(set, createReporter);
}

function checkName({ kind, name }: ContentFile, { routes }: ContentFileSet, reportProblem: ReportContentProblem): void {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    reportProblem(
      fileStart,
      localize`"${name}" is not a valid slug.`,
      localize`Name the file with lower-case letters, digits and single hyphens.`,
    );
  const shadowingPath = kind === 'pregunta' ? findShadowingPath(name, routes) : null;
  if (shadowingPath !== null)
    reportProblem(
      fileStart,
      localize`The slug "${name}" is taken: there is a page at ${shadowingPath}.`,
      localize`Rename the file.`,
    );
}

function checkLanguages(
  file: ContentFile,
  { files, parsedFiles, languages }: ContentFileSet,
  { createReporter, faultyKeys }: { readonly createReporter: CreateReporter; readonly faultyKeys: ReadonlySet<string> },
): void {
  checkTranslationsExist(file, { files, languages }, createReporter(file.path));
  if (file.language !== languages[0]) return;
  const own = parsedFiles.find(({ path }) => path === file.path);
  for (const twin of parsedFiles.filter(
    ({ kind, name, language }) => own && kind === file.kind && name === file.name && language !== file.language,
  )) {
    const differing = languageIndependentKeys.filter(
      (key) =>
        !faultyKeys.has(key) &&
        !faultyKeys.has(`${file.name} ${key}`) &&
        JSON.stringify(own?.frontMatter.values[key]) !== JSON.stringify(twin.frontMatter.values[key]),
    );
    for (const key of differing)
      createReporter(twin.path)(
        twin.frontMatter.positions.get(key) ?? fileStart,
        localize`"${key}" differs from that in ${file.path}.`,
        localize`Make the two the same.`,
      );
    if (own) checkBodies(own, twin, createReporter);
  }
}

/** Compares the conditions, the numbered lists and the placeholders of a file with those of its translation. Reports the file that has less. */
function checkBodies(own: ParsedContentFile, twin: ParsedContentFile, createReporter: CreateReporter): void {
  checkConditions(own, twin, createReporter(twin.path));
  const [here, there] = [own.outline.numberedLists, twin.outline.numberedLists];
  const at = here.findIndex((list, index) => list.length !== (there[index]?.length ?? list.length));
  const [ownCount, twinCount] = [here[at]?.length ?? 0, there[at]?.length ?? 0];
  for (const [file, other, count, otherCount] of [
    [own, twin, ownCount, twinCount],
    [twin, own, twinCount, ownCount],
  ] as const) {
    if (count < otherCount)
      createReporter(file.path)(
        { line: file.outline.numberedLists[at]?.[0]?.line ?? 1, column: 1 },
        localize`This list has ${count} steps, and that in ${other.path} has ${otherCount}.`,
        localize`Write the missing step, or remove it there.`,
      );
    if (at < 0) checkNumbers(file, createReporter(file.path));
    const [used, usedThere] = [listPlaceholders(file.text), listPlaceholders(other.text)];
    const areKnown = [...used, ...usedThere].every((name) => contentPlaceholderNames.includes(name));
    const missing = areKnown ? usedThere.find((name) => !used.includes(name)) : undefined;
    const surplus = used.find((name) => !usedThere.includes(name));
    const line = other.text.split('\n').findIndex((text) => text.includes(`{${missing ?? ''}}`)) + 1;
    if (missing !== undefined && (surplus === undefined || file === own))
      createReporter(file.path)(
        { line, column: 1 },
        localize`{${missing}} is missing here: ${other.path} has it.`,
        localize`Write it instead of ${surplus === undefined ? localize`the value` : `{${surplus}}`}, or remove it there.`,
      );
  }
}

/** Reports the first condition that differs between a file and its translation. */
function checkConditions(own: ParsedContentFile, twin: ParsedContentFile, reportProblem: ReportContentProblem): void {
  const [here, there] = [listConditions(own.text), listConditions(twin.text)];
  const at = here.findIndex(({ condition }, index) => condition !== there[index]?.condition);
  const [first, second] = [here[at], there[at]];
  if (first && second && here.length === there.length)
    reportProblem(
      { line: second.line, column: second.column },
      localize`This line has ${second.condition}, and ${own.path} has ${first.condition}.`,
      localize`Write the same condition in both.`,
    );
}

function listConditions(text: string) {
  return text.split('\n').flatMap((line, index) => {
    const found = contentConditionPattern.exec(line);
    return found ? [{ condition: found[0].trim(), line: index + 1, column: found.index + 2 }] : [];
  });
}

/** Reports the first step whose number does not follow that of the previous one. Lists whose numbers are all equal are valid Markdown. */
function checkNumbers({ outline }: ParsedContentFile, reportProblem: ReportContentProblem): void {
  for (const steps of outline.numberedLists) {
    const numbers = steps.map(({ number }) => number);
    const fault = new Set(numbers).size > 1 ? findListNumberFault(numbers) : undefined;
    if (fault) reportProblem({ line: steps[fault.at]?.line ?? 1, column: 1 }, fault.message, fault.hint);
  }
}

type QuestionFault = readonly [key: string, message: LocalizedText, hint: LocalizedText];

/** Returns the faults in the front matter of a question, by key. */
function* listQuestionFaults(file: ParsedContentFile, set: ContentFileSet): Iterable<QuestionFault> {
  const { files, categoryNames } = set;
  const categories = Object.keys(categoryNames);
  const { values } = file.frontMatter;
  const category = String(values['categoria']);
  const meant = categories.find((name) => Object.values(categoryNames[name] ?? {}).includes(category)) ?? category;
  if (!categories.includes(category))
    yield [
      'categoria',
      localize`There is no category "${category}".`,
      localize`${suggestSimilarName(meant, categories)}Known: ${listNearNames(category, categories)}.`,
    ];
  yield* findSharedPosition(file, set);
  for (const slug of Array.isArray(values['relacionadas']) ? values['relacionadas'].map(String) : []) {
    const known = listQuestionNames(files).filter((name) => name !== file.name);
    const hint = localize`Name the files of other questions, without ".md".`;
    if (slug === file.name) yield ['relacionadas', localize`The question is related to itself.`, hint];
    else if (!known.includes(slug))
      yield [
        'relacionadas',
        localize`There is no question "${slug}".`,
        localize`${suggestSimilarName(slug, known)}${hint}`,
      ];
  }
}

/** Reports a position that another question of the category has: in the changed file, or else in the one with the later name. */
function* findSharedPosition(
  { path, name, language, frontMatter: { values } }: ParsedContentFile,
  { parsedFiles, changedFiles, languages }: ContentFileSet,
): Iterable<QuestionFault> {
  const ofCategory = parsedFiles.filter(
    ({ kind, frontMatter }) => kind === 'pregunta' && frontMatter.values['categoria'] === values['categoria'],
  );
  const own = ofCategory.filter((other) => other.language === language);
  const orders = own.map(({ frontMatter }) => frontMatter.values['orden']);
  const sharing = ofCategory.filter(({ frontMatter }) => frontMatter.values['orden'] === values['orden']);
  const rank = (file: string) => `${Number(changedFiles.includes(file))} ${file}`;
  const rival = sharing.find((other) => own.includes(other) && rank(other.path) < rank(path));
  const [base] = languages;
  if (rival && (language === base || !sharing.some((other) => other.language === base && other.name === name)))
    yield [
      'orden',
      localize`"${rival.name}" has the same position in its category.`,
      localize`Give each question its own number, in every language. The first free one is ${orders.findIndex((_, index) => !orders.includes(index + 1)) + 1}.`,
    ];
}

/** Names of the questions in any language, including invalid ones, which another problem reports. */
export function listQuestionNames(files: readonly ContentFile[]): readonly string[] {
  return [...new Set(files.filter(({ kind }) => kind === 'pregunta').map(({ name }) => name))];
}

function findLinkFault(
  url: string,
  from: ParsedContentFile,
  set: ContentFileSet,
): readonly [message: LocalizedText, hint: LocalizedText] | null {
  if (/^(mailto:|tel:)/.test(url) || (url.startsWith('https:') && isHttpUrl(url))) return null;
  const [path = '', anchor] = url.split('#', 2);
  if (path === '') return findAnchorFault(anchor ?? '', from);
  if (!path.startsWith('/') || path.startsWith('//'))
    return [
      localize`The link "${url}" is neither a path of the portal nor a secure address.`,
      localize`Begin it with "/", "#", "https://", "mailto:" or "tel:".`,
    ];
  const target = findTarget(parseUrlPath(path.replace(/\?.*$/, '')) ?? path, set.routes);
  const paths = set.routes.map((route) => route.path);
  if (!target)
    return [
      localize`No flow has the path "${path}".`,
      localize`${suggestSimilarName(path, paths)}Name a path of flows/.`,
    ];
  if (target.kind === 'route')
    return anchor === undefined
      ? null
      : [localize`The page "${path}" has no anchors.`, localize`Remove the part after "#".`];
  const file = set.parsedFiles.find(
    ({ kind, name, language }) => kind === target.kind && name === target.name && language === from.language,
  );
  if (!file)
    return target.kind === 'pregunta' &&
      !set.files.some(({ kind, name }) => kind === target.kind && name === target.name)
      ? [
          localize`There is no question "${target.name}".`,
          localize`${suggestSimilarName(path, [...paths, ...listQuestionNames(set.files).map((name) => path.replace(target.name, name))])}Name the file of a question, without ".md".`,
        ]
      : null;
  return anchor === undefined ? null : findAnchorFault(anchor, file);
}

function findAnchorFault(
  anchor: string,
  { path, outline: { headings } }: ParsedContentFile,
): readonly [message: LocalizedText, hint: LocalizedText] | null {
  const anchors = headings.map((heading) => `#${heading.anchor}`);
  if (anchors.includes(`#${decodeURIComponent(anchor)}`)) return null;
  return [
    localize`${path} has no heading "#${anchor}".`,
    localize`${suggestSimilarName(`#${anchor}`, anchors)}Its headings: ${listNearNames(`#${anchor}`, anchors)}.`,
  ];
}

function checkPages({ files, routes, languages }: ContentFileSet, createReporter: CreateReporter): void {
  const shown = new Map(
    routes.toReversed().flatMap((route) => {
      const page = findPage(route);
      return page === null ? [] : [[page, route] as const];
    }),
  );
  for (const [page, { path }] of shown) {
    for (const file of languages.map((language) => buildContentPath({ language, kind: 'pagina', name: page }))) {
      if (!files.some((known) => known.path === file))
        createReporter(file)(
          fileStart,
          localize`The file is missing: ${path} shows it.`,
          localize`Write it, or remove the state from its flow.`,
        );
    }
  }
  for (const { kind, name, path } of files) {
    if (kind === 'pagina' && !shown.has(name))
      createReporter(path)(
        fileStart,
        localize`No route shows this page.`,
        localize`Give it a state with a "source" in a flow, or remove the file.`,
      );
  }
}
