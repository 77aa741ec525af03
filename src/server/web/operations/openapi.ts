import { responseSchemas, requestBodySchemas } from '../../../contract/payload-schemas.ts';
import { operationNames, apiContract, type ApiOperation, type OperationName } from '../../../contract/contract.ts';
import type { FieldUi } from '../../../engine/core/flow-and-screen-types.ts';
import type { ServedDefinitions } from '../../../engine/compiler/definitions.ts';
import { asObject, isObject } from '../../../engine/core/json.ts';
import { identityCardChallengeAlias, challengeAliases, challengeNames } from '../../trust/identity/challenge-names.ts';
import { levelShortfallCodes } from '../../trust/identity/session-level.ts';
import type { HostAudience } from '../../platform/http/site-settings.ts';
import { selectBodyValidationScreens } from './validate-body.ts';

type OpenApiObject = Readonly<Record<string, unknown>>;

/**
 * Builds the OpenAPI description of a host. `server` is the URL of the host, and `side` its audience. The description for citizens omits the
 * operations of the desk.
 */
export function buildOpenApi(
  definitions: ServedDefinitions,
  { server, side }: { server: string; side: HostAudience },
): OpenApiObject {
  const paths: Record<string, Record<string, OpenApiObject>> = {};
  for (const name of operationNames) {
    const operation = resolveScreens(name, definitions);
    if (operation.auth === 'agent' && side === 'citizens') continue;
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describeOperation(name, operation),
      ...(operation.queryByPost && { post: describePosted(name, operation) }),
    };
  }
  const schemas = {
    ...addPrefix('answer', {
      ...responseSchemas,
      signIn: withChallenge(responseSchemas.signIn, [...responseChallenges, null]),
    }),
    ...addPrefix('body', {
      ...requestBodySchemas,
      signIn: withChallenge(requestBodySchemas.signIn, [...requestChallenges, null]),
    }),
    ...addPrefix('screen', buildScreenSchemas(definitions)),
    ...addPrefix('journey', buildJourneySchemas(definitions)),
    error: errorSchema,
  };
  return {
    openapi: '3.1.0',
    info: { title: 'Citizen portal', version: definitions.version },
    servers: [{ url: server }],
    paths,
    components: { schemas, securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
  };
}

/**
 * Challenges in responses. Values with the prefix `needs_` name the step that is missing for the required assurance level. Clients never send them.
 */
const responseChallenges = [...Object.values(challengeNames), ...Object.values(levelShortfallCodes)];
const requestChallenges = [
  ...Object.values(challengeNames),
  ...Object.values(challengeAliases),
  identityCardChallengeAlias,
];

function withChallenge(schema: { readonly properties: OpenApiObject }, names: readonly (string | null)[]) {
  return { ...schema, properties: { ...schema.properties, challenge: { enum: names } } };
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string' },
    field: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'string' } },
    code: { type: 'string' },
    next: { type: 'string' },
    publicKey: { type: 'object' },
    invalid_token: { const: true },
  },
};

function describeOperation(name: string, operation: ApiOperation): OpenApiObject {
  const { screen } = operation;
  const screenBody = screen && (typeof screen === 'string' ? `screen.${screen}` : `journey.${name}`);
  const body = operation.body === undefined ? screenBody : `body.${operation.body}`;
  const answerType = operation.streams ? 'text/event-stream' : 'application/json';
  const parameter = (place: 'path' | 'header' | 'query') => (own: string) => ({
    name: own,
    in: place,
    ...(place === 'path' && { required: true }),
    schema: { type: 'string' },
  });
  return {
    operationId: name,
    summary: operation.summary,
    tags: [operation.host ?? 'backend'],
    'x-roles': operation.roles,
    ...(operation.proof && { 'x-proof': operation.proof }),
    security: operation.roles.includes('anonymous') ? [{}, { bearer: [] }] : [{ bearer: [] }],
    parameters: [
      ...[...operation.path.matchAll(/:(\w+)/g)].map(([, own = '']) => own).map(parameter('path')),
      ...(operation.proof === 'passkey' ? ['passkey-assertion'] : []).map(parameter('header')),
      ...(operation.query ?? []).map(parameter('query')),
    ],
    ...(body !== undefined && {
      requestBody: { required: operation.body !== 'empty', content: buildContent('application/json', body) },
    }),
    responses: {
      200: { description: 'Done.', content: buildContent(answerType, `answer.${operation.answer ?? 'empty'}`) },
      default: { description: 'Refused or failed.', content: buildContent('application/json', 'error') },
    },
  };
}

/** Describes the POST variant of a GET operation, whose body contains the query parameters. */
function describePosted(name: string, { query = [], ...operation }: ApiOperation): OpenApiObject {
  const properties = Object.fromEntries(query.map((parameter) => [parameter, { type: 'string' }]));
  const schema = { type: 'object', properties, additionalProperties: false };
  return {
    ...describeOperation(name, operation),
    operationId: `${name}ByPost`,
    requestBody: { required: true, content: { 'application/json': { schema } } },
  };
}

/** Adds the screens that validate the body in the current definitions. */
function resolveScreens(name: OperationName, definitions: ServedDefinitions): ApiOperation {
  const operation: ApiOperation = apiContract[name];
  const screen = selectBodyValidationScreens(name, definitions);
  return screen === undefined ? operation : { ...operation, screen };
}

function buildContent(type: string, schema: string): OpenApiObject {
  return { [type]: { schema: { $ref: `#/components/schemas/${schema}` } } };
}

function addPrefix(prefix: string, schemas: OpenApiObject): OpenApiObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`${prefix}.${name}`, schema]));
}

function buildScreenSchemas(definitions: ServedDefinitions): OpenApiObject {
  const used = operationNames.flatMap((name) => selectBodyValidationScreens(name, definitions) ?? []);
  const present = [...new Set(used)].filter((screen) => definitions.screens.has(screen));
  return Object.fromEntries(present.map((screen) => [screen, buildRequestSchema(screen, definitions)]));
}

/** Returns the schema of a screen without its read-only fields, because clients do not send these. */
function buildRequestSchema(screen: string, definitions: ServedDefinitions): OpenApiObject {
  const { properties, ...schema }: OpenApiObject = definitions.schema(screen) ?? {};
  const { fields = {} } = definitions.ui(screen, 'es');
  const isReadOnly = (name: string) => (fields[name] as FieldUi | undefined)?.['ui:readonly'] === true; // the cast is safe: every entry except `ui:order` (an array) is a `FieldUi`
  const sent = Object.entries(asObject(properties)).filter(([name]) => !isReadOnly(name));
  const described = sent.map(([name, field]) => [
    name,
    name === 'captcha_response' && isObject(field) ? { ...field, description: captchaFormat } : field,
  ]);
  return { ...schema, properties: Object.fromEntries(described) };
}

const captchaFormat =
  'A solved altcha challenge of GET /rest/captcha/: the JSON object {"challenge", "solution"} in base64.';

/** Returns the schemas of bodies that contain the fields of several screens of a flow, at the top level or in the objects of `groups`. */
function buildJourneySchemas(definitions: ServedDefinitions): OpenApiObject {
  const journeys = operationNames.flatMap((name) => {
    const operation = resolveScreens(name, definitions);
    return typeof operation.screen === 'string' || operation.screen === undefined
      ? []
      : [[name, operation, operation.screen] as const];
  });
  return Object.fromEntries(
    journeys.map(([name, operation, screens]) => {
      const schemas = screens.map((screen) => buildRequestSchema(screen, definitions));
      const properties: OpenApiObject = Object.assign({}, ...schemas.map((schema) => schema['properties'])); // the type is needed because `Object.assign` returns `any`
      const required = schemas
        .flatMap((schema) => (Array.isArray(schema['required']) ? schema['required'].map(String) : []))
        .filter((field) => !operation.optional?.includes(field));
      return [name, buildJourneyBody(operation, { properties, required: [...new Set(required)] })];
    }),
  );
}

function buildJourneyBody(
  { groups = {} }: ApiOperation,
  { properties, required }: { properties: OpenApiObject; required: readonly string[] },
): OpenApiObject {
  const pick = (is: (name: string) => boolean) =>
    buildObject(Object.fromEntries(Object.entries(properties).filter(([name]) => is(name))), required.filter(is));
  const parts = Object.entries(groups).map(([group, names]) => [group, pick((name) => names.includes(name))] as const);
  const grouped = Object.values(groups).flat();
  const whole = pick((name) => !grouped.includes(name));
  const needed = parts.flatMap(([group, part]) => (part.required.length > 0 ? [group] : []));
  return buildObject({ ...whole.properties, ...Object.fromEntries(parts) }, [...whole.required, ...needed]);
}

function buildObject(properties: OpenApiObject, required: readonly string[]) {
  return { type: 'object', required, properties, additionalProperties: false };
}
