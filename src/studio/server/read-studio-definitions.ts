import { parse } from 'jsonc-parser';
import { listFiles } from '../../cli/project.ts';
import { getScreenCasesPath, getScreenSnapshotPath } from '../../cli/definitions/cases/screen-cases.ts';
import { baseLanguage, languages } from '../../contract/portal-config.ts';
import type { ServedDefinitions, LiveDefinitions } from '../../engine/compiler/definitions.ts';
import { expandGuardCondition } from '../../engine/compiler/flow/unexpanded-flow-types.ts';
import { listTextLocations } from '../../engine/compiler/shared/translation.ts';
import { findByPointer } from '../../engine/core/json-pointer.ts';
import { asObject, isObject, type Json, type JsonObject } from '../../engine/core/json.ts';
import { findChoiceLabel } from '../../engine/core/answer-summary.ts';
import { readFieldUi, findFieldUiText } from '../../engine/core/screen-ui-queries.ts';
import { asListOrEmpty, parseJsonOrUndefined, listJsonChildren } from '../json-values.ts';
import type {
  LabelledField,
  TextWithTranslations,
  StudioCases,
  StudioDefinitions,
  VersionedFile,
  GuardLogic,
} from '../studio-api-types.ts';
import { scenarioFolder } from '../scenario/scenario.ts';
import { isWritablePath, readVersionedFile } from './definition-files.ts';
import { checkScreenCaseFile } from './check-edits.ts';
import { listMailsAndHelpPages } from './list-mails-and-help-pages.ts';

export async function readStudioDefinitions(
  root: string,
  { current, problems }: LiveDefinitions,
): Promise<Omit<StudioDefinitions, 'history'>> {
  const names = await listFiles(root, ['schemas', 'flows', scenarioFolder, 'src/server'], isWritablePath);
  const list = await Promise.all(names.map((file) => readVersionedFile(root, file)));
  const shared = await listFiles(root, ['schemas/_shared'], (path) => /^schemas\/_shared\/\w+\.json$/.test(path));
  const files = Object.fromEntries(list.map((file) => [file.file, file]));
  const screens = list.flatMap(({ file }) => /^schemas\/([^/]+)\/ui\.json$/.exec(file)?.[1] ?? []);
  const common = list.flatMap(({ file }) => /^schemas\/_shared\/(?:texts\/)?[\w-]+(?=\.json$)/.exec(file)?.[0] ?? []);
  return {
    version: current.version,
    files,
    texts: Object.fromEntries(
      screens.map((screen) => [screen, listTexts(`schemas/${screen}/ui`, files, listTextLocations)]),
    ),
    commonTexts: Object.fromEntries(
      common.map((path) => [path.slice(path.lastIndexOf('/') + 1), listTexts(path, files, listSharedPlaces)]),
    ),
    documents: listMailsAndHelpPages(files),
    fields: Object.fromEntries([...current.screens].map((screen) => [screen, indexFields(current, screen)])),
    flows: current.flows,
    guards: Object.fromEntries(
      list.flatMap((file) => {
        const name = /^flows\/(.+)\.json$/.exec(file.file)?.[1];
        return name === undefined ? [] : [[name, listGuards(parseContent(file))]];
      }),
    ),
    descriptions: current.descriptions,
    shared: listSharedNames(await Promise.all(shared.map((file) => readVersionedFile(root, file)))),
    problems,
  };
}

function indexFields(definitions: ServedDefinitions, screen: string): StudioDefinitions['fields'][string] {
  const ui = definitions.ui(screen, baseLanguage);
  const within = (properties: Json | undefined, before: string): readonly (readonly [string, LabelledField])[] =>
    Object.entries(asObject(properties) as Readonly<Record<string, JsonObject>>) // the cast is safe, because the compiler has validated the schema
      .flatMap(([key, schema]) => {
        const [name, { items }] = [`${before}${key}`, schema];
        const choices = asListOrEmpty((isObject(items) ? items : schema)['enum']);
        const field: LabelledField = {
          title: findFieldUiText(ui, name, 'ui:title') ?? name,
          choices: choices.map(
            (value) => [value, findChoiceLabel(schema, readFieldUi(ui, name), value) ?? String(value)] as const,
          ),
        };
        const inner = isObject(items) && choices.length === 0 ? { items } : schema['properties'];
        return [[name, field], ...within(inner as Json | undefined, `${name}.`)];
      });
  return Object.fromEntries(within(definitions.schema(screen)?.['properties'] as Json | undefined, ''));
}

export async function readStudioCases(
  root: string,
  { current }: LiveDefinitions,
  screen: string,
): Promise<StudioCases> {
  const read = await readVersionedFile(root, getScreenCasesPath(screen));
  const { file, version, text } = read;
  const none = { data: {}, context: {}, list: [] };
  const { text: _, ...snapshots } = await readVersionedFile(root, getScreenSnapshotPath(screen));
  return { file, version, text, snapshots, ...(version === null ? none : checkScreenCaseFile(read, current, screen)) };
}

function listTexts(
  path: string,
  files: Readonly<Record<string, VersionedFile>>,
  placesIn: (file: Json) => readonly Omit<TextWithTranslations, 'texts'>[],
): readonly TextWithTranslations[] {
  const contents = languages.map((language) => {
    const isBase = language === baseLanguage;
    return { language, isBase, content: parseContent(files[isBase ? `${path}.json` : `${path}.${language}.json`]) };
  });
  const base = contents.find(({ isBase }) => isBase)?.content ?? {};
  return placesIn(base).map(({ pointer, address }) => ({
    pointer,
    address,
    texts: Object.fromEntries(
      contents.flatMap(({ language, isBase, content }) => {
        const text = findByPointer(content, isBase ? pointer : address);
        return typeof text === 'string' ? [[language, text]] : [];
      }),
    ),
  }));
}

function parseContent(file: VersionedFile | undefined): Json {
  return parseJsonOrUndefined(file?.text ?? '') ?? {}; // treats an invalid file as empty, because the compiler reports it
}

function listSharedPlaces(sentences: Json): readonly Omit<TextWithTranslations, 'texts'>[] {
  if ('$defs' in asObject(sentences)) return listTextLocations(sentences);
  return listJsonChildren(sentences, '').map(([, , pointer]) => ({ pointer, address: pointer }));
}

// Skips invalid files, because the compiler reports them.
function listSharedNames(files: readonly VersionedFile[]): StudioDefinitions['shared'] {
  const names = (text: string): readonly string[] => Object.keys(asObject(asObject(parse(text))['$defs']));
  return {
    notices: files.flatMap(({ file, text }) => (file.endsWith('/notices.json') ? names(text) : [])),
    definitions: files.flatMap(({ file, text }) =>
      file.endsWith('/notices.json')
        ? []
        : names(text).map((name) => `..${file.slice('schemas'.length)}#/$defs/${name}`),
    ),
  };
}

/** Returns the guards of a flow as JsonLogic rules, in which the names of facts and named guards are variables. */
function listGuards(flow: Json): readonly GuardLogic[] {
  const within = (value: Json, at: string): readonly GuardLogic[] =>
    listJsonChildren(value, at).flatMap(([key, part, pointer]) => {
      const isGuard = key === 'guard' || (at === '/guards' && !('guard' in asObject(part)));
      if (!isGuard) return within(part, pointer);
      return { pointer, logic: expandGuardCondition(part, pointer, (name) => ({ var: name })) };
    });
  const { guards = null, ...others } = asObject(flow);
  return [...within(guards, '/guards'), ...within(others, '')];
}
