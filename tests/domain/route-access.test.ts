import { describe, expect, test } from 'vitest';
import { flagDefaults } from '../../src/contract/flags.ts';
import type { CallerState } from '../../src/contract/access.ts';
import { findRefusal } from '../../src/domain/route-access.ts';

const nobody: CallerState = { role: 'anonymous', permisos: {}, restricted: false, factorDue: false };
const citizen: CallerState = {
  role: 'citizen',
  permisos: { videollamada: ['crear'] },
  restricted: false,
  factorDue: false,
};
const foreign: CallerState = { ...citizen, role: 'foreign' };
const flags = flagDefaults;

describe('[ROL-01] what each visitor may open', () => {
  test.each([
    ['anyone', null, null, null],
    ['guest', null, null, null],
    ['citizen', 'signed-out', null, null],
    ['enrolment', 'signed-out', null, 'foreign'],
    ['account', 'signed-out', null, 'foreign'],
  ] as const)('a route for %s', (access, ...expected) => {
    expect([nobody, citizen, foreign].map((visitor) => findRefusal({ access }, visitor, flags))).toEqual(expected);
  });

  test('[RUTA-13] users of foreign providers manage their account where the flag lets them', () => {
    expect(findRefusal({ access: 'account' }, foreign, { ...flags, idp_autogestion: true })).toBeNull();
    expect(findRefusal({ access: 'account' }, nobody, { ...flags, idp_autogestion: true })).toBe('signed-out');
  });

  test.each([
    ['anyone', null],
    ['guest', null],
    ['citizen', null],
    ['enrolment', null],
    ['account', 'factor'],
  ] as const)('[MFA-06] while the second factor of the level is missing, a route for %s', (access, refusal) => {
    expect(findRefusal({ access }, { ...citizen, factorDue: true }, flags)).toBe(refusal);
  });

  test.each([
    ['anyone', null],
    ['guest', null],
    ['citizen', 'proofing'],
    ['enrolment', 'proofing'],
    ['account', 'proofing'],
  ] as const)('[ASVS-6.4.4] while a restricted account lacks that factor, a route for %s', (access, refusal) => {
    const waiting = { ...citizen, restricted: true, factorDue: true };
    expect(findRefusal({ access, operations: ['updatePassword'] }, waiting, flags)).toBe(refusal);
  });

  test.each([
    ['changes the password', ['getMfaStatus', 'updatePassword'], 'restricted'],
    ['looks', ['getMfaStatus', 'getSessions'], null],
    ['ends sessions', ['endSession', 'endOtherSessions'], null],
    ['makes calls of another contract', ['constructor'], null],
    ['makes none', [], null],
  ] as const)('[SEG-07] to a restricted citizen, a route that %s', (_, calls, refusal) => {
    expect(findRefusal({ access: 'account', operations: calls }, { ...citizen, restricted: true }, flags)).toBe(
      refusal,
    );
    expect(findRefusal({ access: 'account', operations: calls }, citizen, flags)).toBeNull();
    expect(findRefusal({ access: 'anyone', operations: calls }, { ...citizen, restricted: true }, flags)).toBeNull();
  });

  test.each([
    [
      'one of the pairs',
      [
        ['tramitar_videollamada', 'crear'],
        ['videollamada', 'crear'],
      ],
      null,
    ],
    ['no pair', [['tramitar_videollamada', 'crear']], 'permission'],
    ['another action', [['videollamada', 'borrar']], 'permission'],
    ['the name of an inherited property', [['constructor', 'name']], 'permission'],
  ] as const)('[RUTA-10] a route with permissions, with %s', (_, permissions, refusal) => {
    expect(findRefusal({ access: 'citizen', permissions }, citizen, flags)).toBe(refusal);
    expect(findRefusal({ access: 'citizen', permissions }, nobody, flags)).toBe('signed-out');
  });
});
