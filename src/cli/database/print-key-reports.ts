import { databaseTableDescriptions } from '../../server/app/server-modules.ts';
import { listStoredKeyFingerprints } from '../../server/platform/keys/key-fingerprints.ts';
import { selectEncryptionKey } from '../../server/platform/keys/encryption-keys.ts';
import { isKeyRotationOverdue, keyPolicies, listKeyInventory } from '../../server/platform/keys/key-inventory.ts';
import type { ServerKeys } from '../../server/platform/keys/load-server-keys.ts';
import { moveSigningKeyFirst, type SigningKey } from '../../server/platform/keys/signing-keys.ts';
import { countValuesEncryptedWithKey } from '../../server/platform/modules/re-encrypt.ts';
import type { Terminal } from '../command.ts';
import type { CliStoreCommandsContext } from './with-store.ts';

export type KeyCommandContext = CliStoreCommandsContext & {
  readonly keys: ServerKeys;
  readonly now: Date;
  readonly terminal: Terminal;
};

export async function printKeyList({ store, keys, now, terminal }: KeyCommandContext): Promise<void> {
  const line = (...cells: readonly string[]) => terminal.out(`${cells.join('  ')}\n`);
  for (const key of keys.encryption.keys) {
    const count = sumCounts(await countValuesEncryptedWithKey(store, databaseTableDescriptions, key));
    const age = key.since === null ? 'the first' : `since ${key.since.toISOString()}`;
    const waits = key.since !== null && key.since > now;
    const state = key === selectEncryptionKey(keys.encryption, now) ? 'encrypts' : waits ? 'waits' : 'opens';
    line('encryption', key.id, age, state, `${count} values`);
  }
  const describe = (
    { kid, since }: SigningKey,
    use: 'signing' | 'decryption',
    [inUse, other]: readonly [string, string],
  ) => {
    const state = since !== null && since > now ? `waits until ${since.toISOString()}` : other;
    line(use, kid, kid === moveSigningKeyFirst(keys[use], now)[0].kid ? inUse : state);
  };
  for (const key of keys.signing) {
    describe(key, 'signing', ['signs', 'verifies']);
    line('signing', key.signers.ES256.publicJwk.kid ?? '', `ES256, with ${key.kid}`);
  }
  for (const key of keys.decryption) describe(key, 'decryption', ['published', 'decrypts']);
  keys.audit.forEach(({ kid }, at) => line('audit', kid, at === 0 ? 'seals' : 'verifies'));
}

export async function printKeyPolicy(terminal: Terminal): Promise<void> {
  for (const [use, policy] of Object.entries(keyPolicies)) {
    const { purpose, custodian, approver, periodDays, successor, migratedBy } = policy;
    const migration = migratedBy === null ? successor : `${successor} by ${migratedBy}`;
    const roles = [`kept by ${custodian}`, `approved by ${approver}`];
    terminal.out(`${[use, purpose, ...roles, `${periodDays} days`, `successor: ${migration}`].join('  ')}\n`);
  }
}

export async function printKeyInventory({ store, keys, now, terminal }: KeyCommandContext): Promise<void> {
  for (const entry of listKeyInventory(keys, await listStoredKeyFingerprints(store), now)) {
    const { use, id, algorithm, bits, since, periodDays, place } = entry;
    const period =
      periodDays === null ? 'stays' : `${periodDays} days${isKeyRotationOverdue(entry, now) ? ' (overdue)' : ''}`;
    const from = since === null ? 'unknown' : `since ${since.toISOString()}`;
    terminal.out(`${[use, id, algorithm, `${bits} bits`, from, period, `in ${place}`].join('  ')}\n`);
  }
}

export function sumCounts(needed: readonly { readonly count: number }[]): number {
  return needed.reduce((total, { count }) => total + count, 0);
}
