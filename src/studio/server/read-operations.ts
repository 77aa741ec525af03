import { isObject, type Json, type Values } from '../../engine/core/json.ts';
import type { Definitions } from '../../engine/compiler/definitions.ts';
import { openapi } from '../../server/web/operations/openapi.ts';
import type { OperationEntry } from '../dev-data.ts';

/** The operations as their OpenAPI description has them, each with its schemas in place. */
export function readOperations(definitions: Definitions): readonly OperationEntry[] {
  const description = openapi(definitions, { server: '/', side: 'both' });
  return Object.entries(objectAt(description, 'paths')).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).map(([method, operation]) =>
      entryOf(description, { path, method, operation: isObject(operation) ? operation : {} }),
    ),
  );
}

function entryOf(
  description: Values,
  { path, method, operation }: { path: string; method: string; operation: Values },
): OperationEntry {
  const { operationId, summary, 'x-roles': roles, 'x-proof': proof, parameters } = operation;
  const schemaOf = (part: Values): Json => {
    const [media] = Object.values(objectAt(part, 'content'));
    const { $ref } = objectAt(isObject(media) ? media : {}, 'schema');
    return resolve(description, String($ref));
  };
  const body = operation['requestBody'];
  return {
    name: String(operationId),
    method: method.toUpperCase(),
    path,
    summary: String(summary),
    roles: Array.isArray(roles) ? roles.map(String) : [],
    proof: proof === undefined ? null : String(proof),
    query: (Array.isArray(parameters) ? parameters : [])
      .filter((parameter) => isObject(parameter) && parameter['in'] === 'query')
      .map((parameter) => String(isObject(parameter) ? parameter['name'] : '')),
    body: isObject(body) ? schemaOf(body) : null,
    answer: schemaOf(objectAt(objectAt(operation, 'responses'), '200')),
  };
}

/** What a reference of the description means. */
function resolve(description: Values, reference: string): Json {
  let found: unknown = description;
  for (const step of reference.replace('#/', '').split('/')) found = isObject(found) ? found[step] : undefined;
  return (found ?? null) as Json; // the description is JSON
}

function objectAt(value: Values, name: string): Values {
  const found = value[name];
  return isObject(found) ? found : {};
}
