import { getResponseSchemaName, operationNames, type OperationName } from '../../contract/contract.ts';
import { commonErrorCodes, operationErrorCodes } from '../../contract/error-codes.ts';
import { featureFlagDefaults } from '../../contract/feature-flags.ts';
import { responseSchemas } from '../../contract/payload-schemas.ts';
import { baseLanguage } from '../../contract/portal-config.ts';
import { type LoadedPlugin, pickTextEntries } from '../../engine/compiler/files/index-plugins.ts';
import { readPlugins } from '../../engine/compiler/files/read-plugins.ts';
import flow from '../../engine/compiler/formats/flow.4.schema.json' with { type: 'json' };
import schema from '../../engine/compiler/formats/screen.schema.json' with { type: 'json' };
import translation from '../../engine/compiler/formats/translation.schema.json' with { type: 'json' };
import ui from '../../engine/compiler/formats/ui.schema.json' with { type: 'json' };
import { readSourceFile } from '../../engine/compiler/sources/read-source.ts';
import { ProblemCollector } from '../../engine/compiler/sources/problem-collector.ts';
import { asObject, isObject, type Json, type JsonObject, mapValues } from '../../engine/core/json.ts';
import { builtInWidgets } from '../../engine/core/built-in-widgets.ts';
import { createSampleAccount, sampleCitizens, type SampleCitizen } from '../../server/app/sample/sample-citizens.ts';
import { buildCitizenResponse } from '../../server/trust/identity/citizen-response.ts';
import { formatFullName } from '../../server/trust/identity/citizens.ts';
import { requiresSecondFactor, getIdentityLevel } from '../../server/trust/identity/assurance-levels.ts';
import type { ScenarioPersona, PersonaAssuranceLevel, PluginRule, StudioReferenceData } from '../dev-page-data.ts';
import { asListOrEmpty, parseJsonOrUndefined } from '../json-values.ts';
import { readVersionedFile } from './definition-files.ts';
import lifelike from './lifelike.json' with { type: 'json' };

const now = new Date('2026-11-26T12:00:00Z');

const values: Readonly<Record<string, string | number>> = lifelike;

export const scenarioPersonas: readonly ScenarioPersona[] = sampleCitizens.flatMap((citizen) =>
  citizen.password === null ? [] : [createPersona(citizen)],
);

/** Assurance levels of sample citizens, with the level names in section 4.1 of the specification. */
export const personaAssuranceLevels: readonly PersonaAssuranceLevel[] = [
  'Autoregistrado',
  'Verificado',
  'Certificado',
].map((level) => {
  const { code, trust, rid } = getIdentityLevel({ level });
  return {
    name: level,
    user: { nivel: code, nivel_de_confianza: { value: trust }, rid },
    requiresFactor: requiresSecondFactor({ level }),
  };
});

function createPersona(sample: SampleCitizen): ScenarioPersona {
  const account = createSampleAccount(sample, now);
  const citizen = {
    ...account,
    id: `sample-${sample.kind}`,
    country_name: lifelike['pais_emisor.nombre'],
    type_name: lifelike['tipo_documento.nombre'],
    features: true,
    proofing_due: false,
    closing_at: null,
    idp: null,
    password_changed_at: now,
  };
  const user = buildCitizenResponse(citizen, {
    pendingEmail: null,
    proven: false,
    factorDue: requiresSecondFactor(citizen),
    sessionNid: 1,
    permissions: account.permissions,
    call: null,
    supportCall: null,
  });
  const called = sample.kind === 'called' ? { info_tramite_videollamada_pendiente: createSampleCall() } : {};
  return { kind: sample.kind, name: formatFullName(citizen), user: { ...user, ...called } };
}

function createSampleCall(): Json {
  const record = asObject(createSampleResponse(responseSchemas.citizen as unknown as JsonObject, 'citizen')); // cast, because the contract's schema type is not assignable to JSON
  return record['info_tramite_videollamada_pendiente'] ?? null;
}

const declaredErrors: Readonly<Partial<Record<OperationName, readonly string[]>>> = operationErrorCodes;

export async function readStudioReferenceData(
  root: string,
  contentValues: StudioReferenceData['contentValues'] = {},
): Promise<StudioReferenceData> {
  const problems = new ProblemCollector();
  const { byName, rules } = await readPlugins(root, (path) => readSourceFile(root, path, problems), problems);
  return {
    ...contractFacts,
    widgets: [
      ...Object.keys(builtInWidgets),
      ...[...byName.values()].flatMap(({ name, hasWidget }) => (hasWidget ? name : [])),
    ],
    widgetTitles: Object.fromEntries(
      await Promise.all(
        [...byName.values()].map(async ({ name }) => [name, (await readTitles(root, name))['ui:widget'] ?? name]),
      ),
    ) as Readonly<Record<string, string>>,
    keywords: [...rules.keys()],
    rules: Object.fromEntries(
      (await Promise.all([...byName.values()].map((plugin) => readRules(root, plugin)))).flat(),
    ),
    formats: { flow, ui, translation, schema },
    contentValues,
  };
}

async function readTitles(root: string, plugin: string): Promise<Readonly<Record<string, string>>> {
  const { text } = await readVersionedFile(root, `plugins/${plugin}/titles.json`);
  return asObject(parseJsonOrUndefined(text)) as Readonly<Record<string, string>>; // the cast is safe, because a test validates the format of the file
}

async function readRules(
  root: string,
  { name, module, texts }: LoadedPlugin,
): Promise<readonly [string, PluginRule][]> {
  const titles = await readTitles(root, name);
  return (module.rules ?? []).flatMap(({ keyword, types, parameters }) => {
    if (!types) return [];
    const labels = Object.entries(titles).flatMap(([key, title]) =>
      key.startsWith(`${keyword}.`) ? [[key.slice(keyword.length + 1), title]] : [],
    );
    const message = pickTextEntries(texts, baseLanguage)[keyword] ?? '';
    const own = { title: titles[keyword] ?? keyword, message, types, parameters, labels: Object.fromEntries(labels) };
    return [[keyword, own]];
  });
}

const contractFacts = {
  operations: Object.fromEntries(operationNames.map((name) => [name, declaredErrors[name] ?? []])),
  commonErrors: commonErrorCodes,
  flags: Object.keys(featureFlagDefaults),
  personas: scenarioPersonas,
  levels: personaAssuranceLevels,
  samples: Object.fromEntries(
    operationNames.map((name) => [
      name,
      createSampleResponse(responseSchemas[getResponseSchemaName(name)], getResponseSchemaName(name)),
    ]),
  ),
};

/** Uses all properties, the first alternatives and realistic values. `name` is the name of the property, `within` that of its object. */
export function createSampleResponse(schema: JsonObject, name = '', within = ''): Json {
  const { const: only, enum: choices, anyOf, oneOf, allOf, properties, items } = schema;
  if (only !== undefined) return only;
  if (Array.isArray(choices)) return choices[0] ?? null;
  const own = (part: Json | undefined): Json =>
    isObject(part) ? createSampleResponse(asObject(part), name, within) : null;
  const [first] = [anyOf, oneOf].flatMap(asListOrEmpty);
  if (isObject(first)) return own(first);
  if (Array.isArray(allOf)) return Object.assign({}, ...asListOrEmpty(allOf).map((part) => asObject(own(part))));
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  if (type === 'object' || isObject(properties))
    return mapValues(asObject(properties), (part, key) =>
      isObject(part) ? createSampleResponse(asObject(part), key, name) : null,
    );
  if (type === 'array') return isObject(items) ? [own(items)] : [];
  if (type === 'boolean') return true;
  const value = values[`${within}.${name}`] ?? values[name];
  if (type === 'integer' || type === 'number') return typeof value === 'number' ? value : 1;
  return type === 'string' ? String(value ?? name) : null;
}
