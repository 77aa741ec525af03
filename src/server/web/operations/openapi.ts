import { answers } from '../../../contract/answers.ts';
import { bodies } from '../../../contract/bodies.ts';
import { callNames, contract, type Call, type CallName } from '../../../contract/contract.ts';
import type { Definitions } from '../../../engine/compiler/definitions.ts';
import { screensOf } from './extra-fields.ts';

type Part = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 description of every call, made from the contract, the screens' schemas and the answers. */
export function openapi(definitions: Definitions, server: string): Part {
  const paths: Record<string, Record<string, Part>> = {};
  for (const name of callNames) {
    const call = described(name, definitions);
    if (call.auth === 'agent') continue; // the desk exists for nobody else
    const path = call.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(name, call) };
  }
  const schemas = {
    ...prefixed('answer', answers),
    ...prefixed('body', bodies),
    ...prefixed('screen', screenSchemas(definitions)),
    ...prefixed('way', waySchemas(definitions)),
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

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string' },
    field: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'string' } },
    code: { type: 'string' },
    next: { type: 'string' },
    invalid_token: { const: true },
  },
};

function operation(name: string, call: Call): Part {
  const body = bodyOf(name, call);
  return {
    operationId: name,
    summary: call.summary,
    tags: [call.host],
    'x-roles': call.roles,
    ...(call.proof && { 'x-proof': call.proof }),
    security: call.roles.includes('anonymous') ? [{}, { bearer: [] }] : [{ bearer: [] }],
    parameters: [
      ...[...call.path.matchAll(/:(\w+)/g)].map(([, parameter]) => ({
        name: parameter,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...(call.query ?? []).map((parameter) => ({ name: parameter, in: 'query', schema: { type: 'string' } })),
    ],
    ...(body !== undefined && {
      requestBody: { required: call.body !== 'empty', content: content('application/json', body) },
    }),
    responses: {
      200: {
        description: 'Done.',
        content: content(call.streams ? 'text/event-stream' : 'application/json', `answer.${call.answer}`),
      },
      default: { description: 'Refused or failed.', content: content('application/json', 'error') },
    },
  };
}

/** A row with the screens that check its body now. */
function described(name: CallName, definitions: Definitions): Call {
  const call: Call = contract[name];
  const screen = screensOf(name, definitions);
  return screen === undefined ? call : { ...call, screen };
}

function bodyOf(name: string, { body, screen }: Call): string | undefined {
  if (body !== undefined) return `body.${body}`;
  return typeof screen === 'string' || screen === undefined ? screen && `screen.${screen}` : `way.${name}`;
}

function content(type: string, schema: string): Part {
  return { [type]: { schema: { $ref: `#/components/schemas/${schema}` } } };
}

function prefixed(prefix: string, schemas: Part): Part {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`${prefix}.${name}`, schema]));
}

function screenSchemas(definitions: Definitions): Part {
  const used = callNames.flatMap((name) => described(name, definitions).screen ?? []);
  const present = [...new Set(used)].filter((screen) => definitions.screens.has(screen));
  return Object.fromEntries(present.map((screen) => [screen, definitions.schema(screen)]));
}

/** The bodies that the screens of a way make up together: their fields side by side, or in the objects that they travel in. */
function waySchemas(definitions: Definitions): Part {
  const ways = callNames.flatMap((name) => {
    const call = described(name, definitions);
    return typeof call.screen === 'string' || call.screen === undefined ? [] : [[name, call, call.screen] as const];
  });
  return Object.fromEntries(
    ways.map(([name, call, screens]) => {
      const schemas: readonly Part[] = screens.flatMap((screen) => [definitions.schema(screen) ?? {}]);
      const properties: Part = Object.assign({}, ...schemas.map((schema) => schema['properties'])); // Object.assign answers any
      const required = schemas
        .flatMap((schema) => (Array.isArray(schema['required']) ? schema['required'].map(String) : []))
        .filter((field) => !call.optional?.includes(field));
      return [name, wayBody(call, { properties, required })];
    }),
  );
}

function wayBody(
  { groups = {} }: Call,
  { properties, required }: { properties: Part; required: readonly string[] },
): Part {
  const grouped = Object.values(groups).flat();
  const some = (is: (name: string) => boolean) =>
    objectOf(
      Object.fromEntries(Object.entries(properties).filter(([name]) => is(name))),
      required.filter((name) => is(name)),
    );
  const parts = Object.entries(groups).map(([group, names]) => [group, some((name) => names.includes(name))] as const);
  const whole = some((name) => !grouped.includes(name));
  return objectOf({ ...whole.properties, ...Object.fromEntries(parts) }, [
    ...whole.required,
    ...parts.filter(([, part]) => part.required.length > 0).map(([group]) => group),
  ]);
}

function objectOf(properties: Part, required: readonly string[]) {
  return { type: 'object', required, properties, additionalProperties: false };
}
