import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { commonErrors, operationErrors } from '../../contract/errors.ts';
import { answers } from '../../contract/payloads.ts';
import { answerNameOf, operationNames, type OperationName } from '../../contract/contract.ts';
import { flagDefaults } from '../../contract/flags.ts';
import { baseLanguage, languages } from '../../contract/portal-config.ts';
import flow from '../../engine/compiler/formats/flow.4.schema.json' with { type: 'json' };
import schema from '../../engine/compiler/formats/screen.schema.json' with { type: 'json' };
import translation from '../../engine/compiler/formats/translation.schema.json' with { type: 'json' };
import ui from '../../engine/compiler/formats/ui.schema.json' with { type: 'json' };
import type { Plugin } from '../../engine/compiler/files/plugin-table.ts';
import { readPlugins } from '../../engine/compiler/files/plugins.ts';
import { textTable } from '../../engine/compiler/files/text-table.ts';
import { readSource } from '../../engine/compiler/sources/read-source.ts';
import { Problems } from '../../engine/compiler/sources/source-file.ts';
import { isObject, type Json, type JsonObject } from '../../engine/core/json.ts';
import { escapePointer, valueAt } from '../../engine/core/json-pointer.ts';
import { labelOf } from '../../engine/core/titled-values.ts';
import { uiOf, uiText } from '../../engine/core/ui.ts';
import { ownWidgets } from '../../engine/core/widgets.ts';
import { placesOf } from '../../engine/compiler/shared/texts.ts';
import type { Definitions, DefinitionsSource } from '../../engine/compiler/definitions.ts';
import type { PluginRule, StudioFacts, Persona, PersonaLevel } from '../dev-data.ts';
import type { DrawnField, ScreenText, StudioCases, StudioChange, StudioSet, VersionedFile } from '../studio-data.ts';
import { walksFolder } from '../walk/walk.ts';
import { sentenceOf } from '../../cli/definitions/changes-report.ts';
import { changesSince } from '../../cli/definitions/changes-since.ts';
import { casesFile, snapshotFile } from '../../cli/definitions/cases.ts';
import { fixturesIn } from './dev-catalogue.ts';
import { isWritable, readVersioned } from './definition-files.ts';
import { guardsOf } from './read-guards.ts';
import { sampleOf } from './sample-of.ts';
import { sampleAccount, sampleCitizens, type SampleCitizen } from '../../server/app/sample/sample-citizens.ts';
import { citizenAnswer } from '../../server/trust/identity/citizen-answer.ts';
import { fullName } from '../../server/trust/identity/citizens.ts';
import { demandsSecondFactor, levelOf } from '../../server/trust/identity/levels.ts';
import lifelike from './lifelike.json' with { type: 'json' };

const now = new Date('2026-11-26T12:00:00Z');

export const personas: readonly Persona[] = sampleCitizens.flatMap((citizen) =>
  citizen.password === null ? [] : [personaOf(citizen)],
);

/** Changes of a level to a citizen's record, by the level's name in the specification (4.1). */
export const personaLevels: readonly PersonaLevel[] = ['Autoregistrado', 'Verificado', 'Certificado'].map((level) => {
  const { code, trust, rid } = levelOf({ level });
  return {
    name: level,
    user: { nivel: code, nivel_de_confianza: { value: trust }, rid },
    demandsFactor: demandsSecondFactor({ level }),
  };
});

function personaOf(sample: SampleCitizen): Persona {
  const account = sampleAccount(sample, now);
  const citizen = {
    ...account,
    id: `sample-${sample.kind}`,
    country_name: lifelike['pais_emisor.nombre'],
    type_name: lifelike['tipo_documento.nombre'],
    features: true,
    closing_at: null,
    idp: null,
    password_changed_at: now,
  };
  const user = citizenAnswer(citizen, {
    pendingEmail: null,
    proven: false,
    factorDue: demandsSecondFactor(citizen),
    sessionNid: 1,
    permissions: account.permissions,
    call: null,
    supportCall: null,
  });
  const called = sample.kind === 'called' ? { info_tramite_videollamada_pendiente: sampleCall() } : {};
  return { kind: sample.kind, name: fullName(citizen), user: { ...user, ...called } };
}

function sampleCall(): Json {
  const record = sampleOf(answers.citizen as unknown as JsonObject, 'citizen'); // schemas of the contract are JSON
  return isObject(record) ? ((record as JsonObject)['info_tramite_videollamada_pendiente'] ?? null) : null;
}

const declared: Readonly<Partial<Record<OperationName, readonly string[]>>> = operationErrors;

export async function readStudioFacts(root: string): Promise<StudioFacts> {
  const problems = new Problems();
  const { byName, rules } = await readPlugins(root, (path) => readSource(root, path, problems), problems);
  return {
    ...ofContract,
    widgets: [
      ...Object.keys(ownWidgets),
      ...[...byName.values()].flatMap(({ name, hasWidget }) => (hasWidget ? name : [])),
    ],
    widgetTitles: Object.fromEntries(
      await Promise.all(
        [...byName.values()].map(async ({ name }) => [name, (await titlesOf(root, name))['ui:widget'] ?? name]),
      ),
    ) as Readonly<Record<string, string>>,
    keywords: [...rules.keys()],
    rules: Object.fromEntries((await Promise.all([...byName.values()].map((plugin) => rulesOf(root, plugin)))).flat()),
    formats: { flow, ui, translation, schema },
  };
}

async function titlesOf(root: string, plugin: string): Promise<Readonly<Record<string, string>>> {
  return contentOf(await readVersioned(root, `plugins/${plugin}/titles.json`)) as Readonly<Record<string, string>>; // checked by a test
}

async function rulesOf(root: string, { name, module, texts }: Plugin): Promise<readonly [string, PluginRule][]> {
  const titles = await titlesOf(root, name);
  return (module.rules ?? []).flatMap(({ keyword, types, parameters }) => {
    if (!types) return [];
    const labels = Object.entries(titles).flatMap(([key, title]) =>
      key.startsWith(`${keyword}.`) ? [[key.slice(keyword.length + 1), title]] : [],
    );
    const message = textTable(texts, baseLanguage)[keyword] ?? '';
    const own = { title: titles[keyword] ?? keyword, message, types, parameters, labels: Object.fromEntries(labels) };
    return [[keyword, own]];
  });
}

const ofContract = {
  operations: Object.fromEntries(operationNames.map((name) => [name, declared[name] ?? []])),
  commonErrors,
  flags: Object.keys(flagDefaults),
  personas,
  levels: personaLevels,
  samples: Object.fromEntries(
    operationNames.map((name) => [name, sampleOf(answers[answerNameOf(name)] as JsonObject, answerNameOf(name))]),
  ), // schemas are JSON
};

export async function readStudioSet(
  root: string,
  { current, problems }: DefinitionsSource,
): Promise<Omit<StudioSet, 'history'>> {
  const names = (await Promise.all(['schemas', 'flows', walksFolder].map((folder) => filesBelow(root, folder)))).flat();
  const list = await Promise.all(names.filter(isWritable).map((file) => readVersioned(root, file)));
  const files = Object.fromEntries(list.map((file) => [file.file, file]));
  const screens = list.flatMap(({ file }) => /^schemas\/([^/]+)\/ui\.json$/.exec(file)?.[1] ?? []);
  const common = list.flatMap(({ file }) => /^schemas\/_shared\/(?:texts\/)?[\w-]+(?=\.json$)/.exec(file)?.[0] ?? []);
  return {
    files,
    texts: Object.fromEntries(screens.map((screen) => [screen, textsOfFiles(`schemas/${screen}/ui`, files, placesOf)])),
    commonTexts: Object.fromEntries(
      common.map((path) => [path.slice(path.lastIndexOf('/') + 1), textsOfFiles(path, files, placesOfShared)]),
    ),
    fields: Object.fromEntries([...current.screens].map((screen) => [screen, fieldsOf(current, screen)])),
    messages: Object.fromEntries(await Promise.all(languages.map((language) => messagesOf(root, language)))),
    flows: current.flows,
    guards: Object.fromEntries(
      list.flatMap((file) => {
        const name = /^flows\/(.+)\.json$/.exec(file.file)?.[1];
        return name === undefined ? [] : [[name, guardsOf(contentOf(file))]];
      }),
    ),
    descriptions: current.descriptions,
    shared: sharedOf(
      await Promise.all((await filesBelow(root, 'schemas/_shared')).map((file) => readVersioned(root, file))),
    ),
    problems: problems.map(({ file, line, column, pointer, message, hint }) => ({
      file,
      line,
      column,
      pointer,
      message,
      hint,
    })),
  };
}

/** Returns the fields of a screen. Nested fields have dotted names. */
function fieldsOf(definitions: Definitions, screen: string): StudioSet['fields'][string] {
  const ui = definitions.ui(screen, baseLanguage);
  const within = (properties: Json | undefined, before: string): readonly (readonly [string, DrawnField])[] =>
    Object.entries(isObject(properties) ? (properties as Readonly<Record<string, JsonObject>>) : {}) // already compiled
      .flatMap(([key, schema]) => {
        const [name, { items }] = [`${before}${key}`, schema];
        const values = (isObject(items) ? items : schema)['enum'];
        const choices = Array.isArray(values) ? (values as readonly Json[]) : [];
        const field: DrawnField = {
          title: uiText(ui, name, 'ui:title') ?? name,
          choices: choices.map((value) => [value, labelOf(schema, uiOf(ui, name), value) ?? String(value)] as const),
        };
        const inner = isObject(items) && choices.length === 0 ? { items } : schema['properties'];
        return [[name, field], ...within(inner as Json | undefined, `${name}.`)];
      });
  return Object.fromEntries(within(definitions.schema(screen)?.['properties'] as Json | undefined, ''));
}

export async function readStudioCases(
  root: string,
  { current }: DefinitionsSource,
  screen: string,
): Promise<StudioCases> {
  const read = await readVersioned(root, casesFile(screen));
  const { file, version, text } = read;
  const none = { data: {}, context: {}, list: [] };
  const { text: _, ...snapshots } = await readVersioned(root, snapshotFile(screen));
  return { file, version, text, snapshots, ...(version === null ? none : fixturesIn(read, current, screen)) };
}

/** Returns the changes of the definitions since the last commit, or `null` if there is no commit. */
export async function readStudioChanges(root: string): Promise<readonly StudioChange[] | null> {
  const changes = await changesSince(root, 'HEAD');
  if (!changes) return null;
  return changes.map((change) => ({ breaking: change.breaking, where: change.where, text: sentenceOf(change, 'es') }));
}

async function messagesOf(root: string, language: string): Promise<readonly [string, StudioSet['messages'][string]]> {
  const name = language === baseLanguage ? 'messages.json' : `messages.${language}.json`;
  const sentences = contentOf(await readVersioned(root, `schemas/_shared/${name}`));
  return [language, sentences as Readonly<Record<string, string>>]; // checked against its format
}

async function filesBelow(root: string, folder: string): Promise<readonly string[]> {
  const names = await readdir(join(root, folder), { recursive: true }).catch(() => []);
  return names.map((name) => `${folder}/${name.replaceAll('\\', '/')}`).sort();
}

/** Returns the texts of a file with their translations. `path` has no extension. */
function textsOfFiles(
  path: string,
  files: Readonly<Record<string, VersionedFile>>,
  placesIn: (file: Json) => readonly Omit<ScreenText, 'texts'>[],
): readonly ScreenText[] {
  const contents = languages.map((language) => {
    const isBase = language === baseLanguage;
    return { language, isBase, content: contentOf(files[isBase ? `${path}.json` : `${path}.${language}.json`]) };
  });
  const base = contents.find(({ isBase }) => isBase)?.content ?? {};
  return placesIn(base).map(({ pointer, address }) => ({
    pointer,
    address,
    texts: Object.fromEntries(
      contents.flatMap(({ language, isBase, content }) => {
        const text = valueAt(content, isBase ? pointer : address);
        return typeof text === 'string' ? [[language, text]] : [];
      }),
    ),
  }));
}

function contentOf(file: VersionedFile | undefined): Json {
  try {
    return JSON.parse((file?.text ?? '{}').replace(/^\uFEFF/, '')) as Json;
  } catch {
    return {}; // invalid files are reported as problems
  }
}

/** Returns the pointers to the texts of shared definitions, or of a plain table of texts. */
function placesOfShared(sentences: Json): readonly Omit<ScreenText, 'texts'>[] {
  if (isObject(sentences) && '$defs' in sentences) return placesOf(sentences);
  const pointers = Object.keys(isObject(sentences) ? sentences : {}).map((key) => `/${escapePointer(key)}`);
  return pointers.map((pointer) => ({ pointer, address: pointer }));
}

// Invalid files are skipped: the compiler reports them.
function sharedOf(files: readonly VersionedFile[]): StudioSet['shared'] {
  const names = (text: string): readonly string[] => {
    const content: unknown = parse(text);
    const own = isObject(content) ? content['$defs'] : undefined;
    return isObject(own) ? Object.keys(own) : [];
  };
  const base = files.filter(({ file }) => /^schemas\/_shared\/\w+\.json$/.test(file));
  return {
    notices: base.flatMap(({ file, text }) => (file.endsWith('/notices.json') ? names(text) : [])),
    definitions: base.flatMap(({ file, text }) =>
      file.endsWith('/notices.json')
        ? []
        : names(text).map((name) => `..${file.slice('schemas'.length)}#/$defs/${name}`),
    ),
  };
}
