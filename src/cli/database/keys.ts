import { rename, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { tables } from '../../server/app/topics.ts';
import { after, systemClock } from '../../server/platform/base/clock.ts';
import { ownOrigin } from '../../server/platform/base/origin.ts';
import { fixedRetentionPeriods } from '../../server/platform/base/periods.ts';
import { whole } from '../../server/platform/config/setting-values.ts';
import { acceptedKeys, acceptKeys, fingerprintKeys, loadKnownKeys } from '../../server/platform/keys/accepted-keys.ts';
import {
  encryptingKey,
  createEncryptionKey,
  makeEncryptionKey,
  writeEncryptionKeys,
} from '../../server/platform/keys/encryption-keys.ts';
import { isOverdue, listInventory } from '../../server/platform/keys/inventory.ts';
import { keyFiles, loadKeys, type Keys } from '../../server/platform/keys/load-keys.ts';
import { signerFirst, makeSigningKey, writeSigningKeys } from '../../server/platform/keys/signing-keys.ts';
import { createVault } from '../../server/platform/keys/vault.ts';
import { countValuesByKey, reEncrypt } from '../../server/platform/topics/re-encrypt.ts';
import { action, CommandError, orUsageError, UsageError, type Command, type Terminal } from '../command.ts';
import { withCommands, withStore, type Opened, type WithCommands } from './with-store.ts';

export const command: Command = {
  show: action({}, ({ terminal }) => withStore(terminal, (opened) => show(opened, terminal))),
  accept: action({}, ({ terminal }) => withCommands(terminal, (opened) => accept(opened, terminal))),
  list: action({}, ({ terminal }) => withKeys(terminal, list)),
  inventory: action({}, ({ terminal }) => withKeys(terminal, printInventory)),
  add: action({ wait: { type: 'string' } }, ({ words, options, terminal }) => {
    const use = words.join();
    if (use !== 'encryption' && use !== 'signing')
      throw new UsageError('Of what use is the key? `encryption` and `signing` can be added.');
    const wait = options.wait ?? { encryption: '10', signing: '1440' }[use];
    const waitMin = orUsageError(() => whole(0, 10_080)(wait));
    return withKeys(terminal, (opened) => add(opened, use, waitMin));
  }),
  're-encrypt': action({}, ({ terminal }) => withKeys(terminal, reEncryptAll)),
  retire: action({}, ({ words: [id = ''], terminal }) => withKeys(terminal, (opened) => retire(opened, id))),
};

type WithKeys = WithCommands & { readonly keys: Keys; readonly now: Date; readonly terminal: Terminal };

/** Opens the database and the keys while `work` runs. Throws a StartError if they do not match. */
function withKeys(terminal: Terminal, work: (opened: WithKeys) => Promise<void>): Promise<void> {
  return withCommands(terminal, async (opened) => {
    const now = systemClock.now();
    const keys = await loadKnownKeys(opened.store, opened.config.keys, now);
    await work({ ...opened, keys, now, terminal });
  });
}

async function accept(opened: WithCommands, terminal: Terminal): Promise<void> {
  const keys = await loadKeys(opened.config.keys);
  const now = systemClock.now();
  const fingerprints = fingerprintKeys(keys, now).map(({ name, fingerprint }) => [name, fingerprint] as const);
  await recordChange(opened, 'keys-accepted', Object.fromEntries(fingerprints));
  await acceptKeys(opened.store, keys, now);
  await show(opened, terminal);
}

async function show({ store, config }: Opened, terminal: Terminal): Promise<void> {
  const known = await acceptedKeys(store);
  const names = known.map(({ name }) => name);
  for (const { name, fingerprint } of fingerprintKeys(await loadKeys(config.keys, names), systemClock.now())) {
    const same = known.find((key) => key.name === name)?.fingerprint ?? 'none';
    terminal.out(`${name.padEnd(10)} ${fingerprint}  known: ${same}\n`);
  }
}

async function list({ store, keys, now, terminal }: WithKeys): Promise<void> {
  const line = (...cells: readonly string[]) => terminal.out(`${cells.join('  ')}\n`);
  for (const key of keys.encryption.keys) {
    const count = sum(await countValuesByKey(store, tables, key));
    const age = key.since === null ? 'the first' : `since ${key.since.toISOString()}`;
    const waits = key.since !== null && key.since > now;
    const state = key === encryptingKey(keys.encryption, now) ? 'encrypts' : waits ? 'waits' : 'opens';
    line('encryption', key.id, age, state, `${count} values`);
  }
  const [signer] = signerFirst(keys.signing, now);
  for (const { kid, since, ec } of keys.signing) {
    const state = since !== null && since > now ? `waits until ${since.toISOString()}` : 'verifies';
    line('signing', kid, kid === signer.kid ? 'signs' : state);
    line('signing', ec.kid, `ES256, with ${kid}`);
  }
  keys.audit.forEach(({ kid }, at) => line('audit', kid, at === 0 ? 'seals' : 'verifies'));
}

async function printInventory({ store, keys, now, terminal }: WithKeys): Promise<void> {
  for (const entry of listInventory(keys, await acceptedKeys(store), now)) {
    const { use, id, algorithm, bits, since, periodDays, successor } = entry;
    const period = periodDays === null ? 'stays' : `${periodDays} days${isOverdue(entry, now) ? ' (overdue)' : ''}`;
    const from = since === null ? 'unknown' : `since ${since.toISOString()}`;
    terminal.out(`${[use, id, algorithm, `${bits} bits`, from, period, `successor: ${successor}`].join('  ')}\n`);
  }
}

/**
 * Adds a key that is used only after `waitMin` minutes, so that all replicas have read it, and applications and service providers have fetched it.
 * A signing key is published at once. It is the last one in its file, because older versions ignore times and sign with the first key.
 */
async function add(opened: WithKeys, use: 'encryption' | 'signing', waitMin: number): Promise<void> {
  const { keys, now, terminal } = opened;
  const since = after(now, waitMin * 60);
  if (use === 'encryption') {
    const added = createEncryptionKey(makeEncryptionKey(), since);
    const [first, ...others] = keys.encryption.keys;
    const text = writeEncryptionKeys({ ...keys.encryption, keys: [first, ...others, added] });
    await recordChange(opened, 'key-added', { use, key: added.id }, () => keep(opened, use, text));
    terminal.out(`${added.id} encrypts from ${since.toISOString()} on. Then: portal keys re-encrypt\n`);
  } else {
    const added = await makeSigningKey(since);
    const text = await writeSigningKeys([...keys.signing, added]);
    await recordChange(opened, 'key-added', { use, key: added.kid }, () => keep(opened, use, text));
    terminal.out(
      `${added.kid} signs from ${since.toISOString()} on. By then service providers of SAML must have our metadata anew.\n`,
    );
  }
}

async function reEncryptAll(opened: WithKeys): Promise<void> {
  const { store, keys, now, terminal } = opened;
  const key = encryptingKey(keys.encryption, now);
  const vault = createVault(
    () => keys.encryption,
    () => now,
  );
  await reEncrypt(store, { tables, vault, key }, (table, column, done) =>
    terminal.out(`${table}.${column}: ${done}\n`),
  );
  await recordChange(opened, 'keys-re-encrypted', { use: 'encryption', key: key.id });
  await acceptKeys(store, keys, now, 'encryption'); // from now on a replica without this key does not start
  for (const other of keys.encryption.keys.filter(({ id }) => id !== key.id))
    terminal.out(`${other.id} is needed by ${sum(await countValuesByKey(store, tables, other))} values\n`);
}

/** Removes a key. Throws a CommandError if it may still be needed. */
async function retire(opened: WithKeys, id: string): Promise<void> {
  const { store, keys, now, terminal } = opened;
  const use = keys.signing.some(({ kid }) => kid === id) ? 'signing' : 'encryption';
  const left = use === 'signing' ? withoutSigningKey(opened, id) : await withoutEncryptionKey(opened, id);
  const text = use === 'signing' ? await writeSigningKeys(left.signing) : writeEncryptionKeys(left.encryption);
  await recordChange(opened, 'key-retired', { use, key: id }, () => keep(opened, use, text));
  await acceptKeys(store, left, now, use);
  terminal.out(`${id} is retired.\n`);
}

async function withoutEncryptionKey({ store, keys, now }: WithKeys, id: string): Promise<Keys> {
  const key = keys.encryption.keys.find((one) => one.id === id);
  if (key === undefined)
    throw new CommandError(`There is no encryption key or signing key ${id}: see \`portal keys list\`.`);
  const current = encryptingKey(keys.encryption, now);
  if (key === current)
    throw new CommandError(`${id} encrypts now. Add another one first: \`portal keys add encryption\`.`);
  const needed = await countValuesByKey(store, tables, key);
  if (needed.length > 0) {
    const where = needed.map(({ table, column, count }) => `${table}.${column}: ${count}`).join(', ');
    throw new CommandError(
      `${id} is still needed (${where}). Run \`portal keys re-encrypt\`; copies of earlier credentials go with their time (CHANGES_DAYS).`,
    );
  }
  const quiet = after(current.since ?? now, fixedRetentionPeriods.signatureMin * 60); // browsers hold sealed values until then
  if (now < quiet)
    throw new CommandError(`${id} may be needed by what browsers hold. Retire it after ${quiet.toISOString()}.`);
  const [first = current, ...others] = keys.encryption.keys.filter((one) => one !== key);
  return { ...keys, encryption: { ...keys.encryption, keys: [first, ...others] } };
}

/** Throws a CommandError if something that the key signed has not expired yet, or if it is the current key. */
function withoutSigningKey({ config, keys, now }: WithKeys, id: string): Keys {
  const [signer] = signerFirst(keys.signing, now);
  if (id === signer.kid) throw new CommandError(`${id} signs now. Add another one first: \`portal keys add signing\`.`);
  const isWaiting = keys.signing.some(({ kid, since }) => kid === id && since !== null && since > now);
  // longest use of a signature: of a valid token, or of an ID Token as `id_token_hint` during its session
  const longestS = Math.max(config.sessionLifeS, config.tokenLifeS, fixedRetentionPeriods.idTokenMin * 60);
  const quiet = after(signer.since ?? now, longestS);
  if (!isWaiting && now < quiet)
    throw new CommandError(`What ${id} signed may be shown until ${quiet.toISOString()}. Retire it after that.`);
  const [first = signer, ...others] = keys.signing.filter(({ kid }) => kid !== id);
  return { ...keys, signing: [first, ...others] };
}

function sum(needed: readonly { readonly count: number }[]): number {
  return needed.reduce((total, { count }) => total + count, 0);
}

/** Records a change of a key in the audit log, in the transaction of the change. A failed change is not recorded. */
function recordChange(
  { commands }: WithCommands,
  name: 'key-added' | 'key-retired' | 'keys-re-encrypted' | 'keys-accepted',
  details: Readonly<Record<string, string>>,
  work?: () => Promise<void>,
): Promise<void> {
  return commands.run(ownOrigin('agent', 'command'), async ({ audit }) => {
    await audit(name, null, { operator: userInfo().username, ...details });
    await work?.();
  });
}

/** Writes a key file atomically. Keys from a setting are printed instead, for the operator to store. */
async function keep({ config: { keys }, terminal }: WithKeys, name: 'encryption' | 'signing', text: string) {
  if (keys[name] !== null) {
    terminal.out(`Set ${name.toUpperCase()}_KEY to these lines, and start the replicas again one by one:\n${text}`);
    return;
  }
  const file = join(keys.dir, keyFiles[name]);
  await writeFile(`${file}.new`, text, { mode: 0o600, flag: 'wx' }); // the flag `wx` fails if another command is writing
  await rename(`${file}.new`, file);
}
