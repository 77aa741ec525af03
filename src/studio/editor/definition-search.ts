import { foldAccentsAndCase } from '../../contract/fold-text.ts';
import { baseLanguage, languages } from '../../contract/portal-config.ts';
import { asObject, type Json } from '../../engine/core/json.ts';
import type { TextWithTranslations, StudioDefinitions } from '../studio-api-types.ts';
import { t } from '../texts.ts';
import { readFileValue, buildScreenFilePaths, buildFlowFilePath, listFlowIds } from './definition-set.ts';
import { createTextPlaceDescriber, resolveScreenTitle, resolveFlowTitle } from './titles.ts';
import { listMailOrHelpPageTexts, resolveMailOrHelpPageTitle } from './mails-and-help-pages.ts';

export interface DefinitionSearchEntry {
  readonly kind: 'screen' | 'flow' | 'common' | 'mail' | 'help';
  readonly name: string;
  readonly title: string;
}

/** Search result with the matching line. The line is `null` if the name or title of the entry matches. */
export interface DefinitionSearchResult extends DefinitionSearchEntry {
  readonly line: SearchLine | null;
}

interface SearchLine {
  readonly place: string;
  readonly text: string;
}

/** Properties whose keys are names chosen by the analyst. */
const namesBelow = new Set('properties fields messages notices states on context branches $defs'.split(' '));

export function createDefinitionSearch(set: StudioDefinitions): (query: string) => readonly DefinitionSearchResult[] {
  const known = listEntries(set).map(({ entry, lines }) => ({
    entry,
    head: foldAccentsAndCase(`${entry.title}\n${entry.name}`),
    lines: lines.map((line) => ({ line, folded: foldAccentsAndCase(line.text) })),
  }));
  return (query) => {
    const part = foldAccentsAndCase(query.trim());
    const found = known.flatMap(({ entry, head, lines }): readonly DefinitionSearchResult[] => {
      if (head.includes(part)) return [{ ...entry, line: null }];
      const inside = lines.find(({ folded }) => folded.includes(part));
      return inside ? [{ ...entry, line: createExcerpt(inside.line, inside.folded.indexOf(part)) }] : [];
    });
    if (part === '') return found;
    const rank = ({ title, name, line }: DefinitionSearchResult) => {
      if (line) return 2;
      return foldAccentsAndCase(title) === part || foldAccentsAndCase(name) === part ? 0 : 1;
    };
    return found.sort((a, b) => rank(a) - rank(b)); // exact matches first
  };
}

function createExcerpt({ place, text }: SearchLine, at: number): SearchLine {
  const [start, end] = [at < 30 ? 0 : at - 20, at + 60];
  return { place, text: `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}` };
}

function listEntries(set: StudioDefinitions) {
  const journeys = listScreensByFlow(set);
  const shown = new Map(journeys.flatMap(({ screens }) => screens).map((entry) => [entry.name, entry]));
  const screens = [...shown.values()].map((entry) => {
    const { name } = entry;
    const { schema, ui } = buildScreenFilePaths(name);
    const texts = set.texts[name] ?? [];
    return {
      entry,
      lines: [
        ...listTextLines(texts, createTextPlaceDescriber(set, ui)),
        ...listNameLines(readFileValue(set, ui)),
        ...listNameLines(readFileValue(set, schema)),
      ],
    };
  });
  const flows = journeys.flatMap(({ flow }) =>
    flow ? [{ entry: flow, lines: listNameLines(readFileValue(set, buildFlowFilePath(flow.name))) }] : [],
  );
  const common = Object.entries(set.commonTexts).map(([name, texts]) => ({
    entry: { kind: 'common', name, title: name } as const,
    lines: listTextLines(texts, createTextPlaceDescriber(set, '')),
  }));
  const documents = set.documents.map((document) => ({
    entry: { kind: document.kind, name: document.name, title: resolveMailOrHelpPageTitle(set, document) },
    lines: listMailOrHelpPageTexts(set, document).flatMap(([language, text]) =>
      text.split('\n').map((line) => ({ place: t(language), text: line })),
    ),
  }));
  return [...screens, ...flows, ...common, ...documents];
}

/** Lists the flows with their screens. An entry whose flow is `null` has the screens that no flow shows. */
export function listScreensByFlow(set: StudioDefinitions) {
  const known = (names: readonly string[]): readonly string[] =>
    [...new Set(names)].filter((name) => Object.hasOwn(set.texts, name));
  const shown = listFlowIds(set).map((flow) => ({
    flow,
    names: known(Object.values(set.flows[flow]?.states ?? {}).flatMap(({ screen }) => screen ?? [])),
  }));
  const others = new Set(Object.keys(set.texts));
  for (const { names } of shown) for (const name of names) others.delete(name);
  const screen = (name: string): DefinitionSearchEntry => ({
    kind: 'screen',
    name,
    title: resolveScreenTitle(set, name),
  });
  return [
    ...shown.map(({ flow, names }) => ({
      flow: { kind: 'flow', name: flow, title: resolveFlowTitle(set, flow) } as const,
      area: set.descriptions[flow]?.area ?? null,
      screens: names.map(screen),
    })),
    ...(others.size > 0 ? [{ flow: null, area: null, screens: [...others].map(screen) }] : []),
  ];
}

function listTextLines(texts: readonly TextWithTranslations[], placeOf: (pointer: string) => string) {
  return texts.flatMap(({ pointer, texts: own }) =>
    languages.map((language) => ({
      place:
        language === baseLanguage
          ? placeOf(pointer)
          : t('placeInLanguage', { place: placeOf(pointer), language: t(language) }),
      text: own[language] ?? '',
    })),
  );
}

function listNameLines(value: Json | undefined, key = ''): readonly SearchLine[] {
  if (typeof value === 'string') return key === '$schema' ? [] : [{ place: key, text: value }];
  if (Array.isArray(value)) return value.flatMap((part: Json) => listNameLines(part, key));
  return Object.entries(asObject(value)).flatMap(([name, part]) => [
    ...(namesBelow.has(key) ? [{ place: key, text: name }] : []),
    ...listNameLines(part, name),
  ]);
}
