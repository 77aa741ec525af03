import { findRecoveryCode, useRecoveryCode } from '../../../trust/credentials/recovery-codes.ts';
import { challengeNames } from '../../../trust/identity/names.ts';
import type { Prove } from './challenge.ts';
import { proveTyped } from './prove-typed.ts';

/** Verifies one of the ten codes that the citizen keeps in case the app or the mailbox is unavailable. */
export const proveRecovery: Prove = (...asked) => {
  const [{ store, clock, passwords }] = asked;
  return proveTyped(asked, {
    factor: challengeNames.backupCode,
    screen: 'login-recovery',
    field: 'recovery',
    wrong: 'codigo_incorrecto',
    find: (code, citizenId) => findRecoveryCode(store.db, passwords, citizenId, code),
    use: (tx, digest, { citizenId }) => useRecoveryCode(tx, citizenId, digest, clock.now()),
  });
};
