import { answers, bodies } from '../../../contract/payloads.ts';
import { operationNames, contract, type Operation, type OperationName } from '../../../contract/contract.ts';
import type { FieldUi } from '../../../engine/core/definition.ts';
import type { Definitions } from '../../../engine/compiler/definitions.ts';
import { asObject, isObject } from '../../../engine/core/json.ts';
import { cardType, challengeAliases, challengeNames } from '../../trust/identity/names.ts';
import { shortfalls } from '../../trust/identity/session-level.ts';
import type { Side } from '../../platform/http/site.ts';
import { selectScreens } from './check-body.ts';

type Part = Readonly<Record<string, unknown>>;

/**
 * Builds the OpenAPI 3.1 description from the contract, the schemas of the screens and those of the responses. `side`: which host it is for. The
 * citizens' host omits the operations of the desk. `server`: the URL of that host.
 */
export function openapi(definitions: Definitions, { server, side }: { server: string; side: Side }): Part {
  const paths: Record<string, Record<string, Part>> = {};
  for (const name of operationNames) {
    const operation = described(name, definitions);
    if (operation.auth === 'agent' && side === 'citizens') continue;
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describe(name, operation),
      ...(operation.queryByPost && { post: describePosted(name, operation) }),
    };
  }
  const schemas = {
    ...prefixed('answer', { ...answers, signIn: withChallenge(answers.signIn, [...answeredChallenges, null]) }),
    ...prefixed('body', { ...bodies, signIn: withChallenge(bodies.signIn, [...sentChallenges, null]) }),
    ...prefixed('screen', screenSchemas(definitions)),
    ...prefixed('journey', journeySchemas(definitions)),
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

/** Values of `challenge` in responses. Clients never send those with the prefix `needs_`, which state what is missing for the required level. */
const answeredChallenges = [...Object.values(challengeNames), ...Object.values(shortfalls)];
const sentChallenges = [...Object.values(challengeNames), ...Object.values(challengeAliases), cardType];

function withChallenge(schema: { readonly properties: Part }, names: readonly (string | null)[]): Part {
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

function describe(name: string, operation: Operation): Part {
  const body = selectBody(name, operation);
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
      requestBody: { required: operation.body !== 'empty', content: content('application/json', body) },
    }),
    responses: {
      200: { description: 'Done.', content: content(answerType, `answer.${operation.answer ?? 'empty'}`) },
      default: { description: 'Refused or failed.', content: content('application/json', 'error') },
    },
  };
}

/** Describes the POST variant of an operation, which has the query parameters in its body. */
function describePosted(name: string, { query = [], ...operation }: Operation): Part {
  const properties = Object.fromEntries(query.map((parameter) => [parameter, { type: 'string' }]));
  const schema = { type: 'object', properties, additionalProperties: false };
  return {
    ...describe(name, operation),
    operationId: `${name}ByPost`,
    requestBody: { required: true, content: { 'application/json': { schema } } },
  };
}

/** Returns an operation with the screens that validate its body in the current definitions. */
function described(name: OperationName, definitions: Definitions): Operation {
  const operation: Operation = contract[name];
  const screen = selectScreens(name, definitions);
  return screen === undefined ? operation : { ...operation, screen };
}

function selectBody(name: string, { body, screen }: Operation): string | undefined {
  if (body !== undefined) return `body.${body}`;
  return typeof screen === 'string' || screen === undefined ? screen && `screen.${screen}` : `journey.${name}`;
}

function content(type: string, schema: string): Part {
  return { [type]: { schema: { $ref: `#/components/schemas/${schema}` } } };
}

function prefixed(prefix: string, schemas: Part): Part {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`${prefix}.${name}`, schema]));
}

function screenSchemas(definitions: Definitions): Part {
  const used = operationNames.flatMap((name) => described(name, definitions).screen ?? []);
  const present = [...new Set(used)].filter((screen) => definitions.screens.has(screen));
  return Object.fromEntries(present.map((screen) => [screen, sentSchema(screen, definitions)]));
}

/** Returns the schema of a screen without its read-only fields. */
function sentSchema(screen: string, definitions: Definitions): Part {
  const { properties, ...schema }: Part = definitions.schema(screen) ?? {};
  const { fields = {} } = definitions.ui(screen, 'es');
  const isShown = (name: string) => (fields[name] as FieldUi | undefined)?.['ui:readonly'] === true; // the cast is safe: only `ui:order` is an array
  const sent = Object.entries(asObject(properties)).filter(([name]) => !isShown(name));
  const described = sent.map(([name, field]) => [
    name,
    name === 'captcha_response' && isObject(field) ? { ...field, description: captchaFormat } : field,
  ]);
  return { ...schema, properties: Object.fromEntries(described) };
}

const captchaFormat =
  'A solved altcha challenge of GET /rest/captcha/: the JSON object {"challenge", "solution"} in base64.';

/** Builds the schemas of bodies that several screens of a flow fill together. Fields are at the top level, or in the objects of `groups`. */
function journeySchemas(definitions: Definitions): Part {
  const journeys = operationNames.flatMap((name) => {
    const operation = described(name, definitions);
    return typeof operation.screen === 'string' || operation.screen === undefined
      ? []
      : [[name, operation, operation.screen] as const];
  });
  return Object.fromEntries(
    journeys.map(([name, operation, screens]) => {
      const schemas = screens.map((screen) => sentSchema(screen, definitions));
      const properties: Part = Object.assign({}, ...schemas.map((schema) => schema['properties'])); // `Object.assign` returns `any`
      const required = schemas
        .flatMap((schema) => (Array.isArray(schema['required']) ? schema['required'].map(String) : []))
        .filter((field) => !operation.optional?.includes(field));
      return [name, journeyBody(operation, { properties, required: [...new Set(required)] })];
    }),
  );
}

function journeyBody(
  { groups = {} }: Operation,
  { properties, required }: { properties: Part; required: readonly string[] },
): Part {
  const pick = (is: (name: string) => boolean) =>
    buildObject(Object.fromEntries(Object.entries(properties).filter(([name]) => is(name))), required.filter(is));
  const parts = Object.entries(groups).map(([group, names]) => [group, pick((name) => names.includes(name))] as const);
  const grouped = Object.values(groups).flat();
  const whole = pick((name) => !grouped.includes(name));
  const needed = parts.flatMap(([group, part]) => (part.required.length > 0 ? [group] : []));
  return buildObject({ ...whole.properties, ...Object.fromEntries(parts) }, [...whole.required, ...needed]);
}

function buildObject(properties: Part, required: readonly string[]) {
  return { type: 'object', required, properties, additionalProperties: false };
}
