import { tables } from '../../server/app/topics.ts';
import { after } from '../../server/platform/base/clock.ts';
import { periods } from '../../server/platform/base/periods.ts';
import { acceptedKeys, acceptKeys } from '../../server/platform/keys/accepted-keys.ts';
import { isOverdue, listInventory } from '../../server/platform/keys/inventory.ts';
import {
  encryptingKey,
  createEncryptionKey,
  makeEncryptionKey,
  writeEncryptionKeys,
  type EncryptionKey,
  type EncryptionKeys,
} from '../../server/platform/keys/encryption-keys.ts';
import { signerFirst, makeSigningKey, writeSigningKeys } from '../../server/platform/keys/signing-keys.ts';
import { countNeeding, reEncrypt } from '../../server/platform/topics/re-encrypt.ts';
import { createVault } from '../../server/platform/keys/vault.ts';
import { CommandError, type Terminal } from '../command.ts';
import { keep, noted, withKeys, type WithKeys } from './with-keys.ts';
import type { Config } from '../../server/platform/config/config.ts';

export function listKeys(terminal: Terminal): Promise<void> {
  return withKeys(terminal, async ({ store, keys, now }) => {
    const line = (...cells: readonly string[]) => terminal.out(`${cells.join('  ')}\n`);
    for (const key of keys.encryption.keys) {
      const count = sum(await countNeeding(store, tables, key));
      const age = key.since === null ? 'the first' : `since ${key.since.toISOString()}`;
      line('encryption', key.id, age, describeState(keys.encryption, key, now), `${count} values`);
    }
    const [signer] = signerFirst(keys.signing, now);
    for (const { kid, since, ec } of keys.signing) {
      const state = since !== null && since > now ? `waits until ${since.toISOString()}` : 'verifies';
      line('signing', kid, kid === signer.kid ? 'signs' : state);
      line('signing', ec.kid, `ES256, with ${kid}`);
    }
    keys.audit.forEach(({ kid }, at) => line('audit', kid, at === 0 ? 'seals' : 'verifies'));
  });
}

/** Prints each key with its algorithm, size, age, cryptoperiod and planned successor. */
export function printInventory(terminal: Terminal): Promise<void> {
  return withKeys(terminal, async ({ store, keys, now }) => {
    for (const entry of listInventory(keys, await acceptedKeys(store), now)) {
      const { use, id, algorithm, bits, since, periodDays, successor } = entry;
      const period = periodDays === null ? 'stays' : `${periodDays} days${isOverdue(entry, now) ? ' (overdue)' : ''}`;
      const from = since === null ? 'unknown' : `since ${since.toISOString()}`;
      terminal.out(`${[use, id, algorithm, `${bits} bits`, from, period, `successor: ${successor}`].join('  ')}\n`);
    }
  });
}

/** Adds a key that encrypts after `waitMin` minutes, when all replicas have read it. */
export function addEncryptionKey(terminal: Terminal, waitMin: number): Promise<void> {
  return withKeys(terminal, async (opened) => {
    const { keys, now } = opened;
    const added = createEncryptionKey(makeEncryptionKey(), after(now, waitMin * 60));
    const [first, ...others] = keys.encryption.keys;
    await noted(opened, 'key-added', { use: 'encryption', key: added.id }, () =>
      keep(opened, 'encryption', writeEncryptionKeys({ ...keys.encryption, keys: [first, ...others, added] })),
    );
    terminal.out(`${added.id} encrypts from ${added.since?.toISOString() ?? ''} on. Then: portal keys re-encrypt\n`);
  });
}

export function reEncryptAll(terminal: Terminal): Promise<void> {
  return withKeys(terminal, async (opened) => {
    const { store, keys, now } = opened;
    const key = encryptingKey(keys.encryption, now);
    const vault = createVault(
      () => keys.encryption,
      () => now,
    );
    await reEncrypt(store, { tables, vault, key }, (table, column, done) =>
      terminal.out(`${table}.${column}: ${done}\n`),
    );
    await noted(opened, 'keys-re-encrypted', { use: 'encryption', key: key.id });
    await acceptKeys(store, keys, now, 'encryption'); // from now on a replica without this key must not start
    for (const other of keys.encryption.keys.filter(({ id }) => id !== key.id))
      terminal.out(`${other.id} is needed by ${sum(await countNeeding(store, tables, other))} values\n`);
  });
}

/** Removes a key that is no longer needed. Throws a CommandError if it may be. */
export function retireKey(terminal: Terminal, id: string): Promise<void> {
  return withKeys(terminal, async (opened) => {
    const { store, keys, now } = opened;
    if (keys.signing.some(({ kid }) => kid === id)) return retireSigningKey(opened, id);
    const key = keys.encryption.keys.find((one) => one.id === id);
    if (key === undefined)
      throw new CommandError(`There is no encryption key or signing key ${id}: see \`portal keys list\`.`);
    const current = encryptingKey(keys.encryption, now);
    if (key === current)
      throw new CommandError(`${id} encrypts now. Add another one first: \`portal keys add encryption\`.`);
    const needed = await countNeeding(store, tables, key);
    if (needed.length > 0) {
      const where = needed.map(({ table, column, count }) => `${table}.${column}: ${count}`).join(', ');
      throw new CommandError(
        `${id} is still needed (${where}). Run \`portal keys re-encrypt\`; copies of earlier credentials go with their time (CHANGES_DAYS).`,
      );
    }
    const quiet = after(current.since ?? now, periods.signatureMin * 60); // browsers hold sealed values until then
    if (now < quiet)
      throw new CommandError(`${id} may be needed by what browsers hold. Retire it after ${quiet.toISOString()}.`);
    const [first, ...others] = keys.encryption.keys.filter((one) => one !== key);
    const left: EncryptionKeys = { ...keys.encryption, keys: [first ?? current, ...others] };
    await noted(opened, 'key-retired', { use: 'encryption', key: id }, () =>
      keep(opened, 'encryption', writeEncryptionKeys(left)),
    );
    await acceptKeys(store, { ...keys, encryption: left }, now, 'encryption');
    terminal.out(`${id} is retired.\n`);
  });
}

function describeState(keys: EncryptionKeys, key: EncryptionKey, now: Date): string {
  if (key === encryptingKey(keys, now)) return 'encrypts';
  return key.since !== null && key.since > now ? 'waits' : 'opens';
}

function sum(needed: readonly { readonly count: number }[]): number {
  return needed.reduce((total, { count }) => total + count, 0);
}

/** Adds a key that is published at once and signs after `waitMin` minutes, when applications and service providers know it. */
export function addSigningKey(terminal: Terminal, waitMin: number): Promise<void> {
  return withKeys(terminal, async (opened) => {
    const { keys, now } = opened;
    const since = after(now, waitMin * 60);
    const added = await makeSigningKey(since);
    // Last in the file, because older versions, which ignore times, sign with the first key.
    const text = await writeSigningKeys([...keys.signing, added]);
    await noted(opened, 'key-added', { use: 'signing', key: added.kid }, () => keep(opened, 'signing', text));
    terminal.out(
      `${added.kid} signs from ${since.toISOString()} on. By then service providers of SAML must have our metadata anew.\n`,
    );
  });
}

/** Removes a signing key. Throws a CommandError if something that it signed has not expired yet, or if it is the current key. */
async function retireSigningKey(opened: WithKeys, kid: string): Promise<void> {
  const { store, config, keys, now, terminal } = opened;
  const [signer] = signerFirst(keys.signing, now);
  if (kid === signer.kid)
    throw new CommandError(`${kid} signs now. Add another one first: \`portal keys add signing\`.`);
  const isWaiting = keys.signing.some((key) => key.kid === kid && key.since !== null && key.since > now);
  const quiet = after(signer.since ?? now, longestTokenS(config));
  if (!isWaiting && now < quiet)
    throw new CommandError(`What ${kid} signed may be shown until ${quiet.toISOString()}. Retire it after that.`);
  const [first, ...others] = keys.signing.filter((key) => key.kid !== kid);
  const left = [first ?? signer, ...others] as const;
  const text = await writeSigningKeys(left);
  await noted(opened, 'key-retired', { use: 'signing', key: kid }, () => keep(opened, 'signing', text));
  await acceptKeys(store, { ...keys, signing: left }, now, 'signing');
  terminal.out(`${kid} is retired.\n`);
}

/** Longest use of a signature, in seconds: of a valid token, or of an ID Token as `id_token_hint` during its session. */
function longestTokenS({ sessionLifeS, tokenLifeS }: Pick<Config, 'sessionLifeS' | 'tokenLifeS'>): number {
  return Math.max(sessionLifeS, tokenLifeS, periods.idTokenMin * 60);
}
