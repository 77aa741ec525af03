import { beforeAll, describe, expect, test } from 'vitest';
import type { CallerAttributes } from '../../src/contract/operation-access.ts';
import {
  operationNames,
  apiContract,
  isOperationName,
  type ApiOperation,
  type OperationName,
  type Role,
} from '../../src/contract/contract.ts';
import { deskPermissionActions, deskPermissionResource } from '../../src/contract/desk-permissions.ts';
import { featureFlagDefaults } from '../../src/contract/feature-flags.ts';
import { pagePaths } from '../../src/contract/page-paths.ts';
import { createPortalStore } from '../../src/domain/root-store.ts';
import { findRouteRefusal } from '../../src/domain/route-access.ts';
import { isSignedInRoute } from '../../src/domain/is-signed-in-route.ts';
import type { PageRoute } from '../../src/engine/core/definitions-manifest.ts';
import { findRoute } from '../../src/engine/core/route.ts';
import { OperationError } from '../../src/server/platform/base/errors.ts';
import { authorizeOperation } from '../../src/server/web/operations/operation-route.ts';
import { citizen, fakeClient, memoryStorage, createToken } from '../domain/support/store.ts';
import { citizenAddresses } from '../definitions/support/addresses.ts';
import { productDefinitions } from '../definitions/support/product-definitions.ts';

const roles = ['anonymous', 'citizen', 'agent', 'foreign'] as const satisfies readonly Role[];
/** All permissions, so that only the role can cause a rejection. */
const permisos = {
  videollamada: ['crear'],
  tramitar_videollamada: ['crear'],
  [deskPermissionResource]: [...deskPermissionActions],
};
const createCallerState = (role: Role, restricted = false): CallerAttributes => ({
  role,
  permisos,
  restricted,
  factorDue: false,
});

/** Whether the server rejects an operation on the caller's own account. */
function isRefusedByServer(call: ApiOperation, { role, restricted, factorDue }: CallerAttributes): boolean {
  const who = { citizenId: 'own', document: 'd', sessionId: 's', permisos, restricted, factorDue, nid: 1 };
  try {
    authorizeOperation(call, role === 'anonymous' ? null : { ...who, role }, {
      [call.callerIdParameter ?? 'id']: 'own',
    });
    return false;
  } catch (error) {
    if (error instanceof OperationError) return true;
    throw error;
  }
}

/** Creates the store of a browser whose token has this role. */
function createStoreOf(role: Role) {
  const exp = Math.floor(Date.now() / 1000) + 600;
  const claims = { exp, ...(role === 'agent' && { role }), ...(role === 'foreign' && { idp: 'br' }) };
  const { client } = fakeClient({});
  const store = createPortalStore({ client, clock: () => new Date(), storage: memoryStorage() });
  if (role !== 'anonymous') store.session.start(createToken(claims));
  store.setUser({ ...citizen, user: { ...citizen.user, permisos } });
  return store;
}

describe.each(roles)('access of the role %s', (role) => {
  let routes: readonly PageRoute[];
  beforeAll(async () => {
    ({ routes } = (await productDefinitions).manifest('es'));
  });

  test.each(operationNames)('[ROL-01] %s is rejected by the portal exactly if the server rejects it', (name) => {
    const store = createStoreOf(role);
    expect(store.visitor.role).toBe(role);
    expect(store.explainOperationRefusal(name, featureFlagDefaults) !== null).toBe(
      isRefusedByServer(apiContract[name], createCallerState(role)),
    );
  });

  test('[MFA-06] the pages that set up a second factor are open to a caller who lacks it', () => {
    const setUp = routes.filter(({ path }) => path?.startsWith(pagePaths.secondFactorReminder));
    expect(setUp.length).toBeGreaterThan(5);
    const who = { ...createCallerState(role), factorDue: true };
    expect(setUp.filter((route) => findRouteRefusal(route, who, featureFlagDefaults) === 'factor')).toEqual([]);
  });

  test.each([false, true])(
    '[ROL-01] every route is open in the portal exactly if the server permits its operations, restricted: %s',
    (restricted) => {
      const who = createCallerState(role, restricted);
      expect(routes.length).toBeGreaterThan(80);
      const disagreeing = routes.flatMap((route) => {
        if (route.access === 'agent') return []; // skips the desk, which is a separate HTML document
        const refusal = findRouteRefusal(route, who, featureFlagDefaults);
        const calls = (route.operations ?? []).filter((name): name is OperationName => isOperationName(name));
        const refused = calls.filter((name) => isRefusedByServer(apiContract[name], who));
        const chosen =
          ownChoice.includes(route.path) && refusal === null && refused.every((name) => choices.includes(name));
        return chosen || agreesWithServer(route, who, refusal, refused)
          ? []
          : [`${route.path}: ${refusal ?? 'open'}, refused ${refused.join()}`];
      });
      expect(disagreeing).toEqual([]);
    },
  );
});

test('[RUTA-03 RUTA-07 RUTA-08 RUTA-09] each citizen address in the specification redirects an anonymous visitor to the sign-in', async () => {
  const { routes } = (await productDefinitions).manifest('es');
  const refusals = citizenAddresses.map((address) => {
    const { route } = findRoute(routes, address) ?? {};
    return [address, route ? findRouteRefusal(route, createCallerState('anonymous'), featureFlagDefaults) : 'no page'];
  });
  expect(refusals.filter(([, refusal]) => refusal !== 'signed-out')).toEqual([]);
});

test('[MFA-06 ROL-01] a route that is open while the second factor is due calls only operations that the server permits then', async () => {
  const { routes } = (await productDefinitions).manifest('es');
  const due = { ...createCallerState('citizen'), factorDue: true };
  const own = routes.filter((route) => isSignedInRoute(route.access));
  const open = own.filter((route) => findRouteRefusal(route, due, featureFlagDefaults) === null);
  expect(own.length - open.length).toBeGreaterThan(25);
  const closed = open.flatMap(({ path, operations: calls = [] }) =>
    calls.flatMap((name) =>
      isOperationName(name) && isRefusedByServer(apiContract[name], due) ? [`${path}: ${name}`] : [],
    ),
  );
  expect(closed).toEqual([]);
});

test('[ASVS-6.4.4 ROL-01] a route that is open to a restricted account without its factor calls only operations that are permitted then', async () => {
  const { routes } = (await productDefinitions).manifest('es');
  const waiting = { ...createCallerState('citizen', true), factorDue: true };
  const open = routes.filter(
    (route) =>
      !['guest', 'agent'].includes(route.access ?? '') &&
      findRouteRefusal(route, waiting, featureFlagDefaults) === null,
  );
  expect(open.length).toBeGreaterThan(20);
  const closed = open.flatMap(({ path, operations: calls = [] }) =>
    calls.flatMap((name) =>
      isOperationName(name) && isRefusedByServer(apiContract[name], waiting) ? [`${path}: ${name}`] : [],
    ),
  );
  expect(closed.filter((call) => !ownChoice.some((path) => call.startsWith(`${path}: `)))).toEqual([]);
});

/**
 * Steps that are open to everybody and depend on the role: `/registro` registers a new account, or completes the
 * account of the signed-in citizen.
 */
const ownChoice = ['/registro', '/registro/nombre', '/registro/correo'];
const choices: readonly string[] = ['registerCitizen', 'completeRegistration'];

/** Whether the route guard of a path agrees with the server's access rules for its operations. */
function agreesWithServer(
  { access }: PageRoute,
  { role }: CallerAttributes,
  refusal: ReturnType<typeof findRouteRefusal>,
  refused: readonly OperationName[],
): boolean {
  if (refusal === null) return refused.length === 0 || (access === 'guest' && role !== 'anonymous'); // a guest page redirects signed-in callers to the home page before it sends any request
  if (refusal === 'signed-out') return role === 'anonymous';
  if (refusal === 'foreign') return role === 'foreign' && (access === 'account' || access === 'enrolment');
  return refused.length > 0;
}
