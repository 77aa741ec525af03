import { describe, expect, test } from 'vitest';
import { featureFlagDefaults } from '../../src/contract/feature-flags.ts';
import type { CallerAttributes } from '../../src/contract/operation-access.ts';
import { findRouteRefusal } from '../../src/domain/route-access.ts';

const nobody: CallerAttributes = { role: 'anonymous', permisos: {}, restricted: false, factorDue: false };
const citizen: CallerAttributes = {
  role: 'citizen',
  permisos: { videollamada: ['crear'] },
  restricted: false,
  factorDue: false,
};
const foreign: CallerAttributes = { ...citizen, role: 'foreign' };
const flags = featureFlagDefaults;

describe('[ROL-01] findRefusal', () => {
  test.each([
    ['anyone', null, null, null],
    ['guest', null, null, null],
    ['citizen', 'signed-out', null, null],
    ['enrolment', 'signed-out', null, 'foreign'],
    ['account', 'signed-out', null, 'foreign'],
  ] as const)('returns the refusal of each role for a route for %s', (access, ...expected) => {
    expect([nobody, citizen, foreign].map((visitor) => findRouteRefusal({ access }, visitor, flags))).toEqual(expected);
  });

  test('[RUTA-13] opens the account routes to foreign users if idp_autogestion is on', () => {
    expect(findRouteRefusal({ access: 'account' }, foreign, { ...flags, idp_autogestion: true })).toBeNull();
    expect(findRouteRefusal({ access: 'account' }, nobody, { ...flags, idp_autogestion: true })).toBe('signed-out');
  });

  test.each([
    ['anyone', null],
    ['guest', null],
    ['citizen', null],
    ['enrolment', null],
    ['account', 'factor'],
  ] as const)('[MFA-06] rejects only account routes while the second factor is due: %s', (access, refusal) => {
    expect(findRouteRefusal({ access }, { ...citizen, factorDue: true }, flags)).toBe(refusal);
  });

  test.each([
    ['anyone', null],
    ['guest', null],
    ['citizen', 'proofing'],
    ['enrolment', 'proofing'],
    ['account', 'proofing'],
  ] as const)(
    '[ASVS-6.4.4] rejects the routes that need a session if a restricted account lacks its factor: %s',
    (access, refusal) => {
      const waiting = { ...citizen, restricted: true, factorDue: true };
      expect(findRouteRefusal({ access, operations: ['updatePassword'] }, waiting, flags)).toBe(refusal);
    },
  );

  test.each([
    ['changes the password', ['getMfaStatus', 'updatePassword'], 'restricted'],
    ['reads data', ['getMfaStatus', 'getSessions'], null],
    ['ends sessions', ['endSession', 'endOtherSessions'], null],
    ['has an unknown operation', ['constructor'], null],
    ['has no operation', [], null],
  ] as const)(
    '[SEG-07] rejects a restricted citizen only from credential changes: route that %s',
    (_, calls, refusal) => {
      expect(findRouteRefusal({ access: 'account', operations: calls }, { ...citizen, restricted: true }, flags)).toBe(
        refusal,
      );
      expect(findRouteRefusal({ access: 'account', operations: calls }, citizen, flags)).toBeNull();
      expect(
        findRouteRefusal({ access: 'anyone', operations: calls }, { ...citizen, restricted: true }, flags),
      ).toBeNull();
    },
  );

  test.each([
    [
      'one permission matches',
      [
        ['tramitar_videollamada', 'crear'],
        ['videollamada', 'crear'],
      ],
      null,
    ],
    ['no permission matches', [['tramitar_videollamada', 'crear']], 'permission'],
    ['another action', [['videollamada', 'borrar']], 'permission'],
    ['the name of an inherited property', [['constructor', 'name']], 'permission'],
  ] as const)('[RUTA-10] requires one of the permissions of a route: %s', (_, permissions, refusal) => {
    expect(findRouteRefusal({ access: 'citizen', permissions }, citizen, flags)).toBe(refusal);
    expect(findRouteRefusal({ access: 'citizen', permissions }, nobody, flags)).toBe('signed-out');
  });
});
