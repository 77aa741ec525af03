import { describe, expect, test } from 'vitest';
import {
  operationNames,
  apiContract,
  type ApiOperation,
  type OperationName,
  type Role,
} from '../../src/contract/contract.ts';
import { featureFlagDefaults } from '../../src/contract/feature-flags.ts';
import { requestBodySchemas } from '../../src/contract/payload-schemas.ts';
import { isObject, type Json, type JsonObject } from '../../src/engine/core/json.ts';
import { OperationError } from '../../src/server/platform/base/errors.ts';
import { authorizeOperation } from '../../src/server/web/operations/operation-route.ts';
import { deskPermissionActions, deskPermissionResource } from '../../src/contract/desk-permissions.ts';
import { callers, startFakeServer } from '../server/support/fake-server.ts';

/** Names of the callers: anonymous, or a fake caller. */
const callerNames = ['anonymous', 'citizen', 'agent', 'attendant', 'foreign'] as const;
type CallerName = (typeof callerNames)[number];
const roleOf = (name: CallerName): Role => (name === 'attendant' ? 'agent' : name);

/** Creates a value that is valid for a schema of the contract, without optional properties. */
function createSample(schema: JsonObject): Json {
  const { enum: choices, anyOf, required, properties, type, pattern } = schema;
  const [first] = [choices, anyOf, type].flatMap((values) => (Array.isArray(values) ? values.slice(0, 1) : []));
  if (isObject(first)) return createSample(first as JsonObject);
  if (choices) return first ?? null;
  const names = Array.isArray(required) ? required.map(String) : [];
  const own = properties as Readonly<Record<string, JsonObject>>;
  if (properties) return Object.fromEntries(names.map((name) => [name, createSample(own[name] ?? {})]));
  const samples: JsonObject = {
    string: pattern ? '2026-03-02' : 'x',
    boolean: true,
    integer: 1,
    array: [],
    object: {},
  };
  return samples[String(first ?? type)] ?? null;
}

/** Returns the expected status of a request, computed independently of the contract. */
function resolveExpectedStatus(call: ApiOperation, name: CallerName, id: 'own' | 'foreign'): number {
  const role = roleOf(name);
  if (call.auth === 'agent') return name === 'attendant' ? 200 : 404;
  if (!call.roles.includes(role)) return role === 'anonymous' ? 401 : 403;
  if (call.manages && role === 'foreign') return 403;
  if (call.callerIdParameter !== undefined && id === 'foreign') return 404;
  return call.permissions ? 403 : 200;
}

const cases = operationNames.flatMap((name) =>
  callerNames.flatMap((role) => (['own', 'foreign'] as const).map((id) => ({ name, role, id }))),
);

describe('access control of the operations', async () => {
  const { http, called } = await startFakeServer();

  test.each(cases)(
    '[ROL-01] $name as $role with $id id gets the expected status and calls the handler only on 200',
    async ({ name, role, id }) => {
      const call: ApiOperation = apiContract[name];
      called.length = 0;
      const ownId = role === 'anonymous' ? 'nobody' : callers[role].citizenId;
      const response = await http.inject({
        method: call.method,
        url: call.path.replace(/:\w+/g, id === 'own' ? ownId : 'someone-else'),
        headers: role === 'anonymous' ? {} : { authorization: `Bearer ${role}` },
        ...(call.method === 'POST' && {
          payload: createSample(requestBodySchemas[call.body ?? 'empty'] as JsonObject) as object,
        }), // cast, because the contract's schema type is not assignable to JSON
      });
      const status = resolveExpectedStatus(call, role, id);
      expect(response.statusCode, response.body).toBe(status);
      expect(called).toEqual(status === 200 ? [name] : []);
    },
  );

  test.each(operationNames)(
    '[CFG-03 ROL-01] %s has the same method, path and roles in OpenAPI and in the router',
    async (name) => {
      const call: ApiOperation = apiContract[name];
      const description = (await http.inject('/openapi.json')).json();
      const operation = description.paths[call.path.replace(/:(\w+)/g, '{$1}')]?.[call.method.toLowerCase()];
      expect(operation).toMatchObject({ operationId: name, 'x-roles': call.roles });
      expect(operation.security).toEqual(call.roles.includes('anonymous') ? [{}, { bearer: [] }] : [{ bearer: [] }]);
      const url = call.path.replace(/:(\w+)/g, ':$1(^[0-9A-Za-z_-]+$)').replace(/\/$/, '');
      expect(http.hasRoute({ method: call.method, url })).toBe(true);
    },
  );

  test('[CFG-03] the OpenAPI description has only references that resolve, and every path of the contract', async () => {
    const description = (await http.inject('/openapi.json')).json();
    const references = [...JSON.stringify(description).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(references.length).toBeGreaterThan(operationNames.length);
    const known = Object.keys(description.components.schemas);
    expect(
      references.filter((name) => !known.includes(String(name))).filter((name) => !String(name).startsWith('screen.')),
    ).toEqual([]);
    expect(Object.keys(description.paths).length).toBe(
      new Set(operationNames.map((name: OperationName): ApiOperation => apiContract[name]).map(({ path }) => path))
        .size,
    );
  });

  test('[RUTA-13 MFA-02] operations that need a proof of identity or change credentials are closed to foreign users who cannot manage', () => {
    const open = operationNames.filter((name) => {
      const { roles, rejectsRestricted, proof, manages }: ApiOperation = apiContract[name];
      return (rejectsRestricted || proof !== undefined) && roles.includes('foreign') && !manages;
    });
    expect(open, 'the operation that turns the record of a foreign provider into an account').toEqual([
      'completeRegistration',
    ]);
  });

  test('[RUTA-13 CFG-01] the flag idp_autogestion opens the account management operations to foreign users', () => {
    const managing = operationNames.filter((name) => 'manages' in apiContract[name]);
    expect(managing.length).toBeGreaterThan(10);
    for (const name of managing) {
      const call: ApiOperation = apiContract[name];
      const params = { [call.callerIdParameter ?? 'id']: callers.foreign.citizenId };
      expect(() => authorizeOperation(call, callers.foreign, params)).toThrow('sin_permiso');
      if (call.roles.includes('foreign'))
        expect(() =>
          authorizeOperation(call, callers.foreign, params, { ...featureFlagDefaults, idp_autogestion: true }),
        ).not.toThrow();
    }
  });

  test('[SEG-07 ROL-01] a restricted citizen is rejected only by the operations that change credentials or the assurance level', () => {
    const restricted = { ...callers.citizen, restricted: true };
    const refused = operationNames.filter((name) => {
      const call: ApiOperation = apiContract[name];
      const params = { [call.callerIdParameter ?? 'id']: restricted.citizenId };
      try {
        authorizeOperation(call, restricted, params);
        return false;
      } catch (error) {
        return error instanceof OperationError && error.status === 403 && error.code === 'usuario_restringido';
      }
    });
    expect(refused.sort()).toEqual([
      'acceptElevation',
      'activateEmailMethod',
      'bookElevation',
      'changePassword',
      'checkCard',
      'completeRegistration',
      'createPasskey',
      'createPasskeyOptions',
      'createRecoveryCodes',
      'createTotp',
      'deleteEmailMethod',
      'deletePasskey',
      'deleteTotp',
      'prepareSignature',
      'renamePasskey',
      'requestSignature',
      'submitSignature',
      'updateEmail',
      'updatePassword',
      'updatePhone',
      'verifyEmailMethod',
      'verifyTotp',
    ]);
  });

  test('[MFA-06 ROL-01] a caller who lacks the second factor is rejected by every operation except the listed and the anonymous ones', () => {
    const due = { ...callers.attendant, role: 'citizen', factorDue: true } as const;
    const ownCalls = operationNames.filter((name) => {
      const call: ApiOperation = apiContract[name];
      return !call.roles.includes('anonymous') && call.roles.includes('citizen');
    });
    const outcomeOf = (name: OperationName) => {
      const call: ApiOperation = apiContract[name];
      try {
        authorizeOperation({ ...call, permissions: [[deskPermissionResource, deskPermissionActions[0]]] }, due, {
          [call.callerIdParameter ?? 'id']: due.citizenId,
        });
        return 'open';
      } catch (error) {
        return error instanceof OperationError ? `${error.status} ${error.code}` : String(error);
      }
    };
    expect(ownCalls.filter((name) => outcomeOf(name) === 'open').sort()).toEqual([
      'activateEmailMethod',
      'closeAccount',
      'completeRegistration',
      'createPasskey',
      'createPasskeyOptions',
      'createTotp',
      'forgetFlow',
      'getCitizen',
      'getClosure',
      'getConsentClient',
      'getMfaStatus',
      'getSavedFlow',
      'giveConsent',
      'keepAccount',
      'saveFlow',
      'updateEmail',
      'verifyEmailMethod',
      'verifyPassword',
      'verifyTotp',
    ]);
    expect(new Set(ownCalls.map(outcomeOf))).toEqual(new Set(['open', '403 segundo_factor_pendiente']));
    const everybodys = operationNames.filter((name) => apiContract[name].roles.some((role) => role === 'anonymous'));
    for (const name of everybodys.filter((each) => each !== 'registerCitizen'))
      expect(outcomeOf(name), name).toBe('open');
    expect(() => authorizeOperation(apiContract.getDesk, { ...callers.attendant, factorDue: true }, {})).toThrow(
      'segundo_factor_pendiente',
    );
    expect(() => authorizeOperation(apiContract.getDesk, { ...callers.agent, factorDue: true }, {})).toThrow(
      'no_encontrado',
    );
  });

  test('[ASVS-6.4.4 SEG-07] a restricted account without its factor can only read its record and call the anonymous operations', () => {
    const waiting = { ...callers.attendant, role: 'citizen', restricted: true, factorDue: true } as const;
    const outcomes = operationNames.flatMap((name) => {
      const call: ApiOperation = apiContract[name];
      if (!call.roles.includes('citizen')) return [];
      try {
        authorizeOperation({ ...call, permissions: [[deskPermissionResource, deskPermissionActions[0]]] }, waiting, {
          [call.callerIdParameter ?? 'id']: waiting.citizenId,
        });
        return [{ name, outcome: 'open', own: !call.roles.includes('anonymous') }];
      } catch (error) {
        return [{ name, outcome: error instanceof OperationError ? error.code : '', own: true }];
      }
    });
    expect(outcomes.length).toBeGreaterThan(70);
    expect(outcomes.filter(({ own, outcome }) => own && outcome === 'open').map(({ name }) => name)).toEqual([
      'getCitizen',
    ]);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['open', 'identidad_por_comprobar']));
    const wayOut = [
      'getSupportDates',
      'getSupportHours',
      'bookSupportCall',
      'enterRoom',
      'sendContactMessage',
      'logout',
    ];
    for (const name of wayOut) expect(outcomes).toContainEqual({ name, outcome: 'open', own: false });
    expect(() =>
      authorizeOperation(apiContract.getDesk, { ...callers.attendant, restricted: true, factorDue: true }, {}),
    ).toThrow('no_encontrado');
  });

  test('[ROL-01] an operation with permissions is open to a caller who has one of them in the permisos map', () => {
    const call: ApiOperation = {
      ...apiContract.getCitizen,
      permissions: [
        ['videollamada', 'crear'],
        ['tramitar_videollamada', 'crear'],
      ],
    };
    const may = (permisos: Record<string, string[]>) => () =>
      authorizeOperation(call, { ...callers.citizen, permisos }, { id: 'c-1' });
    expect(may({ videollamada: ['crear'] })).not.toThrow();
    expect(may({ tramitar_videollamada: ['crear'] })).not.toThrow();
    expect(may({ videollamada: ['leer'] })).toThrow('sin_permiso');
    expect(may({})).toThrow('sin_permiso');
  });

  describe('desk operations', () => {
    const rows = operationNames.flatMap((name) => {
      const call: ApiOperation = apiContract[name];
      return call.auth === 'agent' || call.path.startsWith('/rest/agentes/') ? [{ name, call }] : [];
    });

    test.each(rows)('[DESK-01] $name is open only to agents and requires a permission of the desk', ({ call }) => {
      expect(call.auth).toBe('agent');
      expect(call.roles).toEqual(['agent']);
      expect(call.path).toMatch(/^\/rest\/agentes\//);
      expect(call.permissions?.length).toBeGreaterThan(0);
      for (const [resource, action] of call.permissions ?? []) {
        expect(resource).toBe(deskPermissionResource);
        expect(deskPermissionActions).toContain(action);
      }
    });

    test('[DESK-01] return the response of an unknown address to callers without access, for every method and on the wrong host', async () => {
      const split = await startFakeServer({ env: { AGENTS_HOST: 'http://agentes.localhost:3000' } });
      const shape = ({ statusCode, body, headers }: Awaited<ReturnType<typeof http.inject>>) => ({
        statusCode,
        body,
        headers: Object.entries(headers)
          .filter(([name]) => !['date', 'x-request-id'].includes(name))
          .sort(),
      });
      const ask = async (
        server: typeof http,
        method: 'GET' | 'POST' | 'PUT',
        url: string,
        name: CallerName,
        host: string,
      ) =>
        shape(
          await server.inject({
            method,
            url,
            headers: {
              host,
              cookie: 'portal-session=x',
              'sec-fetch-site': 'cross-site',
              ...(name !== 'anonymous' && { authorization: `Bearer ${name}` }),
            },
          }),
        );
      for (const { call } of rows)
        for (const name of ['anonymous', 'citizen', 'agent', 'foreign'] as const) {
          const url = call.path.replace(/:\w+/g, 'x');
          for (const method of ['GET', 'POST', 'PUT'] as const)
            expect(await ask(http, method, url, name, 'localhost:3000'), `${method} ${url} as ${name}`).toEqual(
              await ask(http, method, '/rest/agentes/no-hay-nada/', name, 'localhost:3000'),
            );
        }
      for (const { call } of rows) {
        const at = (host: string) =>
          split.http.inject({
            method: call.method,
            url: call.path.replace(/:\w+/g, 'x'),
            headers: { host, authorization: 'Bearer attendant' },
            ...(call.method === 'POST' && { payload: {} }),
          });
        expect((await at('localhost:3000')).statusCode).toBe(404);
        expect((await at('agentes.localhost:3000')).statusCode).not.toBe(404);
      }
    });
  });
});
