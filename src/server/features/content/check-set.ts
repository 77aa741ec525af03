import type { Localized } from '../../../engine/compiler/sources/say.ts';
import {
  say,
  contentPath,
  type Complain,
  type ContentFile,
  type Outline,
  type Place,
  type FrontMatter,
} from './content-file.ts';
import type { SourceFile } from '../../../engine/compiler/sources/source-file.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { asObject, isObject } from '../../../engine/core/json.ts';
import { foldText } from '../../../contract/fold-text.ts';
import { readPath } from '../../../contract/href.ts';
import type { Route } from '../../../engine/core/manifest.ts';
import { isWebAddress } from '../../../engine/core/values/web-address.ts';
import { findRoute, pathNames } from '../../../engine/core/route.ts';
import type { OperationName } from '../../../contract/contract.ts';

const questionOperation: OperationName = 'getFaqs';
const pageOperation: OperationName = 'getStaticPage';

/** Content that a path of the portal shows. */
type Target =
  | { readonly kind: 'pregunta' | 'pagina'; readonly name: string }
  /** Route that shows no content. */
  | { readonly kind: 'route' };

/** Resolves a path with the routes of the flows. Returns `null` if no route matches. */
function findTarget(path: string, routes: readonly Route[]): Target | null {
  const match = findRoute(routes, path);
  if (!match) return null;
  const { route, params } = match;
  const [name] = pathNames(route.path);
  if (route.source?.operation === questionOperation && name !== undefined)
    return { kind: 'pregunta', name: params[name] ?? '' };
  const page = findPage(route);
  return page === null ? { kind: 'route' } : { kind: 'pagina', name: page };
}

function shownPages(routes: readonly Route[]): ReadonlyMap<string, Route> {
  return new Map(
    [...routes].reverse().flatMap((route) => {
      const page = findPage(route);
      return page === null ? [] : [[page, route] as const];
    }),
  );
}

/** Returns the path of a question's page if another route has the same path and hides the page. Returns `null` if there is none. */
function pathInTheWay(slug: string, routes: readonly Route[]): string | null {
  const patterns = routes.filter(
    ({ path, source }) => source?.operation === questionOperation && pathNames(path).length > 0,
  );
  const paths = patterns.map(({ path }) => path.replace(/:\w+/, slug));
  return paths.find((path) => routes.some((route) => route.path === path)) ?? null;
}

function findPage({ source }: Route): string | null {
  const page = source?.operation === pageOperation ? source.params?.['page'] : undefined;
  return typeof page === 'string' ? page : null;
}

export interface ReadFile extends ContentFile {
  readonly head: FrontMatter;
  readonly outline: Outline;
}

interface ContentSet {
  /** All files, including those with invalid front matter. `read` contains only valid ones. */
  readonly files: readonly ContentFile[];
  readonly read: readonly ReadFile[];
  readonly routes: readonly Route[];
  readonly languages: readonly string[];
  readonly categories: readonly string[];
}

type ComplainOf = (file: string) => Complain;

const top: Place = { line: 1, column: 1 };

/** Front matter that must be equal in all languages of a file. */
const shared = ['categoria', 'orden', 'relacionadas', 'si', 'disposicion', 'actualizada'] as const;

/** Checks files against each other and the routes: categories, related questions, links, languages and static pages. */
export function checkSet(set: ContentSet, complainOf: ComplainOf): void {
  for (const file of set.files) {
    checkName(file, set, complainOf(file.path));
    checkLanguages(file, set, complainOf);
  }
  for (const file of set.read) {
    const complain = complainOf(file.path);
    if (file.kind === 'pregunta') checkQuestion(file, set, complain);
    for (const { url, ...place } of file.outline.links) {
      const fault = linkFault(url, file, set);
      if (fault) complain(place, fault[0], fault[1]);
    }
  }
  checkPages(set, complainOf);
}

function checkName({ kind, name }: ContentFile, { routes }: ContentSet, complain: Complain): void {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    complain(top, say`"${name}" is no slug.`, say`Name the file with small letters, digits and single hyphens.`);
  const taken = kind === 'pregunta' ? pathInTheWay(name, routes) : null;
  if (taken !== null)
    complain(top, say`The slug "${name}" is taken: a page stands at ${taken}.`, say`Rename the file.`);
}

function checkLanguages(file: ContentFile, { files, read, languages }: ContentSet, complainOf: ComplainOf): void {
  for (const language of languages.filter((other) => other !== file.language)) {
    const twin = contentPath({ ...file, language });
    if (!files.some(({ path }) => path === twin))
      complainOf(file.path)(top, say`There is no ${twin}.`, say`Translate the file, or remove it.`);
  }
  if (file.language !== languages[0]) return;
  const own = read.find(({ path }) => path === file.path);
  for (const twin of read.filter(
    ({ kind, name, language }) => own && kind === file.kind && name === file.name && language !== file.language,
  )) {
    const differing = shared.filter(
      (key) => JSON.stringify(own?.head.values[key]) !== JSON.stringify(twin.head.values[key]),
    );
    for (const key of differing)
      complainOf(twin.path)(
        twin.head.places.get(key) ?? top,
        say`"${key}" is another one than in ${file.path}.`,
        say`Make the two the same.`,
      );
  }
}

function checkQuestion(file: ReadFile, { read, categories }: ContentSet, complain: Complain): void {
  const { values, places } = file.head;
  const category = String(values['categoria']);
  if (!categories.includes(category))
    complain(
      places.get('categoria') ?? top,
      say`There is no category "${category}".`,
      say`Known: ${categories.join(', ')}.`,
    );
  const neighbours = read.filter(
    (other) =>
      other.kind === 'pregunta' && other.language === file.language && other.head.values['categoria'] === category,
  );
  const rival = neighbours.find(
    (other) => other !== file && other.head.values['orden'] === values['orden'] && other.name < file.name,
  );
  if (rival)
    complain(
      places.get('orden') ?? top,
      say`"${rival.name}" has the same place in its category.`,
      say`Give each question a number of its own.`,
    );
  for (const slug of Array.isArray(values['relacionadas']) ? values['relacionadas'].map(String) : []) {
    const known =
      slug !== file.name &&
      read.some((other) => other.kind === 'pregunta' && other.language === file.language && other.name === slug);
    if (!known)
      complain(
        places.get('relacionadas') ?? top,
        slug === file.name ? say`The question is related to itself.` : say`There is no question "${slug}".`,
        say`Name the files of other questions, without ".md".`,
      );
  }
}

function linkFault(
  url: string,
  from: ReadFile,
  set: ContentSet,
): readonly [message: Localized, hint: Localized] | null {
  if (/^(mailto:|tel:)/.test(url) || (url.startsWith('https:') && isWebAddress(url))) return null;
  const [path = '', anchor] = url.split('#', 2);
  if (path === '') return anchorFault(anchor ?? '', from);
  if (!path.startsWith('/') || path.startsWith('//'))
    return [
      say`The link "${url}" is neither a path of the portal nor a secure address.`,
      say`Begin it with "/", "#", "https://", "mailto:" or "tel:".`,
    ];
  const target = findTarget(readPath(path.replace(/\?.*$/, '')) ?? path, set.routes);
  if (!target) return [say`No flow has the path "${path}".`, say`Name a path of flows/.`];
  if (target.kind === 'route')
    return anchor === undefined ? null : [say`The page "${path}" has no anchors.`, say`Remove the part behind "#".`];
  const file = set.read.find(
    ({ kind, name, language }) => kind === target.kind && name === target.name && language === from.language,
  );
  if (!file)
    return target.kind === 'pregunta'
      ? [say`There is no question "${target.name}".`, say`Name the file of a question, without ".md".`]
      : null;
  return anchor === undefined ? null : anchorFault(anchor, file);
}

function anchorFault(
  anchor: string,
  { path, outline: { headings } }: ReadFile,
): readonly [message: Localized, hint: Localized] | null {
  if (headings.some((heading) => heading.anchor === decodeURIComponent(anchor))) return null;
  return [
    say`${path} has no heading "#${anchor}".`,
    say`Its headings: ${headings.map((heading) => `#${heading.anchor}`).join(', ') || say`none`}.`,
  ];
}

function checkPages({ files, routes, languages }: ContentSet, complainOf: ComplainOf): void {
  const shown = shownPages(routes);
  for (const [page, { path }] of shown) {
    for (const file of languages.map((language) => contentPath({ language, kind: 'pagina', name: page }))) {
      if (!files.some((known) => known.path === file))
        complainOf(file)(
          top,
          say`The file is missing: ${path} shows it.`,
          say`Write it, or remove the state from its flow.`,
        );
    }
  }
  for (const { kind, name, path } of files) {
    if (kind === 'pagina' && !shown.has(name))
      complainOf(path)(
        top,
        say`No route shows this page.`,
        say`Give it a state with a "source" in a flow, or remove the file.`,
      );
  }
}

/** Vocabulary of the help search. The path is relative to the project. */
export const searchFile = 'src/brand/search.json';

type Report = (pointer: string, message: Localized, hint: Localized) => void;

const keys = ['same', 'asked', 'ignored', 'suggested'] as const;

/** Checks the vocabulary of the help search: keys, slugs, and groups of words that match no question. */
export function checkSearch(
  { value }: SourceFile,
  { read, languages }: { readonly read: readonly ReadFile[]; readonly languages: readonly string[] },
  report: Report,
): void {
  for (const [language, words] of Object.entries(asObject(value))) {
    const at = `/${escapePointer(language)}`;
    if (language === '$comment') continue;
    if (!languages.includes(language))
      report(at, say`There is no language "${language}".`, say`Known: ${languages.join(', ')}.`);
    else checkWords(words, at, selectQuestions(language, read), report);
  }
}

function selectQuestions(language: string, read: readonly ReadFile[]): readonly ReadFile[] {
  return read.filter((file) => file.kind === 'pregunta' && file.language === language);
}

function checkWords(words: unknown, at: string, questions: readonly ReadFile[], report: Report): void {
  if (!isObject(words)) return report(at, say`These are no words of the search.`, say`Known: ${keys.join(', ')}.`);
  for (const key of Object.keys(words)) {
    if (!keys.some((known) => known === key))
      report(`${at}/${escapePointer(key)}`, say`Unknown key "${key}".`, say`Known: ${keys.join(', ')}.`);
  }
  const asked = asObject(words['asked']);
  for (const slug of Object.keys(asked)) checkSlug(slug, `${at}/asked/${escapePointer(slug)}`, questions, report);
  for (const [index, slug] of textsIn(words['suggested']).entries())
    checkSlug(slug, `${at}/suggested/${index}`, questions, report);
  checkGroups(words['same'], `${at}/same`, saidIn(questions, asked), report);
}

function checkSlug(slug: string, pointer: string, questions: readonly ReadFile[], report: Report): void {
  if (!questions.some(({ name }) => name === slug))
    report(pointer, say`There is no question "${slug}".`, say`Name the file of a question, without ".md".`);
}

function saidIn(questions: readonly ReadFile[], asked: object): string {
  const texts = questions.map(({ head }) => `${String(head.values['titulo'])} ${head.body}`);
  return ` ${foldText([...texts, ...Object.values(asked).flatMap(textsIn)].join(' ')).replace(/[^a-z0-9]+/g, ' ')} `;
}

function checkGroups(groups: unknown, at: string, said: string, report: Report): void {
  const seen = new Map<string, number>();
  for (const [index, group] of (Array.isArray(groups) ? groups : []).entries()) {
    const words = textsIn(group).map(foldText);
    for (const [place, word] of words.entries()) {
      const pointer = `${at}/${index}/${place}`;
      if (/\s/.test(word))
        report(
          pointer,
          say`"${word}" is more than a word.`,
          say`Write it in "asked", at the question that it asks for.`,
        );
      if (seen.get(word) === index) report(pointer, say`"${word}" stands twice.`, say`Remove one of them.`);
      seen.set(word, index);
    }
    if (!words.some((word) => said.includes(` ${word}`)))
      report(
        `${at}/${index}`,
        say`These words lead nowhere: no question says any of them.`,
        say`Add a word that a question says, or remove the group.`,
      );
  }
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
