import { answers } from '../../contract/answers.ts';
import { bodies } from '../../contract/bodies.ts';
import { callNames, contract, type Call } from '../../contract/contract.ts';
import type { Definitions } from '../../engine/compiler/definitions.ts';

type Part = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 description of every call, made from the contract, the screens' schemas and the answers. */
export function openapi(definitions: Definitions, server: string): Part {
  const paths: Record<string, Record<string, Part>> = {};
  for (const name of callNames) {
    const call: Call = contract[name];
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
    ...(body !== undefined && { requestBody: { required: true, content: content('application/json', body) } }),
    responses: {
      200: {
        description: 'Done.',
        content: content(call.streams ? 'text/event-stream' : 'application/json', `answer.${call.answer}`),
      },
      default: { description: 'Refused or failed.', content: content('application/json', 'error') },
    },
  };
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
  const used = callNames.map((name): Call => contract[name]).flatMap((call) => call.screen ?? []);
  const present = [...new Set(used)].filter((screen) => definitions.screens.has(screen));
  return Object.fromEntries(present.map((screen) => [screen, definitions.schema(screen)]));
}

/** The bodies that the screens of a way make up together: their fields side by side. */
function waySchemas(definitions: Definitions): Part {
  const ways = callNames.flatMap((name) => {
    const { screen }: Call = contract[name];
    return typeof screen === 'string' || screen === undefined ? [] : [[name, screen] as const];
  });
  return Object.fromEntries(
    ways.map(([name, screens]) => {
      const schemas: readonly Part[] = screens.flatMap((screen) => [definitions.schema(screen) ?? {}]);
      return [
        name,
        {
          type: 'object',
          required: schemas.flatMap((schema) => schema['required'] ?? []),
          properties: Object.assign({}, ...schemas.map((schema) => schema['properties'])) as Part, // Object.assign answers any
          additionalProperties: false,
        },
      ];
    }),
  );
}
