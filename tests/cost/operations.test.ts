import { afterAll, describe, expect, test } from 'vitest';
import { requestBodySchemas } from '../../src/contract/payload-schemas.ts';
import { operationNames, apiContract, type ApiOperation, type OperationName } from '../../src/contract/contract.ts';
import { featureFlagDefaults } from '../../src/contract/feature-flags.ts';
import { isObject, type JsonObject } from '../../src/engine/core/json.ts';
import type { Caller } from '../../src/server/platform/base/operation-request.ts';
import type { BoundOperationHandler } from '../../src/server/platform/base/operation-request.ts';
import { startFakeServer } from '../server/support/fake-server.ts';
import { listHardBodies, type BodyFields } from './support/bodies.ts';
import { findCostliest, printTable, type Candidate } from './support/cost.ts';
import { productDefinitions } from '../definitions/support/product-definitions.ts';

/** Body limit of operations without a limit of their own, in kilobytes. */
const usualKb = 64;
/**
 * Maximum CPU time of a request that anybody can send, in milliseconds, scaled by `measureSlowness`. For uploads of
 * signed-in citizens, it is the maximum per megabyte. The costliest body takes 19 ms, and up to 31 ms in the whole test
 * run, so that a lower limit fails by chance.
 */
const maxMs = 40;
/** CPU time of a request without its body, in milliseconds. */
const fixedMs = 6;

/**
 * Maximum size of the bodies with which the costliest kinds are selected, in bytes. Files of 3 MB would take as long as
 * 20 operations.
 */
const maxScreened = 64 * 1024;

const definitions = await productDefinitions;
const everyFlag = Object.fromEntries(Object.keys(featureFlagDefaults).map((name) => [name, true]));
const person = {
  primer_nombre: 'ana'.repeat(20),
  segundo_nombre: 'lucía'.repeat(12),
  primer_apellido: 'pereira'.repeat(9),
  segundo_apellido: 'sosa'.repeat(15),
};
const context = { flags: everyFlag, passwordPolicy: null, user: null, authenticated: false, person, linkOwner: person };

/** A form that an operation accepts: its body, or a part of the body that the handler validates with a screen. */
interface AcceptedForm {
  readonly name: OperationName;
  readonly fields: BodyFields;
  readonly screen?: string;
  readonly within?: string;
  readonly rest?: JsonObject;
}

const acceptedForms = operationNames.flatMap((name): readonly AcceptedForm[] => {
  const { method, body, screen, validators = {} }: ApiOperation = apiContract[name];
  if (method !== 'POST') return [];
  const validated = Object.keys(validators).map((id): AcceptedForm => {
    const part = { name, screen: id, fields: fieldsOf(definitions.schema(id)) };
    return name === 'answerChallenge' ? { ...part, within: 'data_challenge', rest: { challenge: 'x' } } : part;
  });
  const own =
    body === undefined
      ? [screen ?? []].flat().map((id) => definitions.schema(id))
      : [requestBodySchemas[body] as unknown as JsonObject]; // cast, because the contract's schema type is not assignable to JSON
  return [{ name, fields: Object.assign({}, ...own.map(fieldsOf)) as BodyFields }, ...validated];
});

/** Test cases by the properties that affect the cost. Operations with equal properties share a case. */
const testCases = new Map<string, { title: string; readonly acceptedForms: AcceptedForm }>();
for (const one of acceptedForms) {
  const { limitKb, roles, screen } = apiContract[one.name] as ApiOperation;
  const { name, fields, within, rest } = one;
  const key = JSON.stringify([limitKb, roles.includes('anonymous'), screen, one.screen, fields, within, rest]);
  const title = one.screen === undefined ? name : `${name}: ${one.screen}`;
  const known = testCases.get(key);
  if (known) known.title += `, ${title}`;
  else testCases.set(key, { title, acceptedForms: one });
}

function fieldsOf(schema: JsonObject | null): BodyFields {
  return isObject(schema?.properties) ? (schema.properties as BodyFields) : {};
}

const validating: BoundOperationHandler = async ({ body }) => {
  const form = isObject(body) ? body : {};
  const part = isObject(form['data_challenge']) ? form['data_challenge'] : form;
  if (now.screen !== undefined) definitions.check(now.screen, part, { language: 'es', context });
  return { body: {} };
};
const validatingHandlers = () =>
  Object.fromEntries(
    operationNames.filter((name) => (apiContract[name] as ApiOperation).validators).map((name) => [name, validating]),
  );

/** Returns a caller with access to the operation. Returns `null` if anonymous callers have access. */
function selectCaller({ roles, permissions = [], auth }: ApiOperation): Caller | null {
  if (roles.includes('anonymous')) return null;
  const resources = [...new Set(permissions.map(([resource]) => resource))];
  const actionsOf = (wanted: string) =>
    permissions.flatMap(([resource, action]) => (resource === wanted ? action : []));
  const permisos = Object.fromEntries(resources.map((resource) => [resource, actionsOf(resource)]));
  const role = auth === 'agent' ? 'agent' : roles.includes('citizen') ? 'citizen' : 'foreign';
  return {
    citizenId: 'c',
    document: 'uy-ci-1',
    sessionId: 's',
    role,
    permisos,
    restricted: false,
    factorDue: false,
    nid: 3,
  };
}

/** Caller of the current request, and the screen that validates its body. */
let now: { readonly caller: Caller | null; readonly screen?: string } = { caller: null };
const server = await startFakeServer({
  check: (id, values, { language }) => definitions.check(id, values, { language, context }),
  handlers: validatingHandlers(),
  authenticate: async () => now.caller,
});

const rows: string[][] = [];
afterAll(() => printTable(['operation', 'limit', 'costliest body', 'ms', 'ms of half'], rows));

describe('[SEC-03 SEG-04] CPU cost of operations with a body', () => {
  test('includes every operation with a body', () => {
    const withBody = operationNames.filter((name) => apiContract[name].method === 'POST');
    expect([...new Set(acceptedForms.map(({ name }) => name))]).toEqual(withBody);
  });

  test.each([...testCases.values()])(
    'handles the costliest body within its CPU limit, in at most linear time (case %#): $title',
    async ({ title, acceptedForms: { name, fields, screen, within, rest } }) => {
      const call: ApiOperation = apiContract[name];
      const { limitKb = usualKb, path, roles } = call;
      const bytes = limitKb * 1024;
      const screened = Math.min(bytes / 4, maxScreened);
      const most = roles.includes('anonymous') ? maxMs : maxMs * Math.max(1, limitKb / 1024);
      now = { caller: selectCaller(call), ...(screen !== undefined && { screen }) };
      const headers = { 'content-type': 'application/json', ...(now.caller && { authorization: 'Bearer x' }) };
      const url = path.replace(/:(\w+)/g, (_, parameter: string) => (parameter === call.callerIdParameter ? 'c' : 'x'));
      const send = (payload: string) => server.http.inject({ method: 'POST', url, headers, payload });
      expect([200, 400, 409]).toContain((await send('{"a":[]}')).statusCode);
      const texts = new Set<string>();
      const candidates = listHardBodies(fields, { ...(rest && { rest }), ...(within !== undefined && { within }) })
        .filter(({ ofBytes }) => {
          const text = ofBytes(screened);
          if (texts.has(text) || Buffer.byteLength(text) > screened) return false;
          return texts.add(text);
        })
        .map(({ kind, ofBytes }): Candidate => {
          const prepare = (size: number) => {
            const text = ofBytes(size);
            return () => send(text);
          };
          return { kind, size: bytes, screened, prepare };
        });
      const worst = await findCostliest(candidates, { maxMs: most, fixedMs });
      rows.push([title, `${limitKb} kB`, worst.kind, worst.whole.toFixed(1), worst.half.toFixed(1)]);
    },
  );
});
