import { rename, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { databaseTableDescriptions } from '../../server/app/server-modules.ts';
import { addSeconds, systemClock } from '../../server/platform/base/clock.ts';
import { createInternalChangeOrigin } from '../../server/platform/base/change-origin.ts';
import { fixedRetentionPeriods } from '../../server/platform/base/fixed-periods.ts';
import { createWholeNumberParser } from '../../server/platform/config/setting-values.ts';
import {
  listStoredKeyFingerprints,
  storeKeyFingerprints,
  fingerprintServerKeys,
  loadServerKeysMatchingFingerprints,
} from '../../server/platform/keys/key-fingerprints.ts';
import {
  selectEncryptionKey,
  decodeEncryptionKey,
  generateEncryptionKey,
  formatEncryptionKeys,
} from '../../server/platform/keys/encryption-keys.ts';
import {
  assertKeyStrength,
  keyFileNames,
  loadServerKeys,
  type ServerKeys,
} from '../../server/platform/keys/load-server-keys.ts';
import {
  countRsaModulusBits,
  createSigningKey,
  minRsaBits,
  moveSigningKeyFirst,
  generateSigningKey,
  formatSigningKeys,
} from '../../server/platform/keys/signing-keys.ts';
import { createVault } from '../../server/platform/keys/vault.ts';
import { countValuesEncryptedWithKey, reEncryptValues } from '../../server/platform/modules/re-encrypt.ts';
import {
  createCliAction,
  CommandError,
  convertToUsageError,
  UsageError,
  type CliCommand,
  type Terminal,
} from '../command.ts';
import {
  printKeyList,
  printKeyInventory,
  printKeyPolicy,
  sumCounts,
  type KeyCommandContext,
} from './print-key-reports.ts';
import { withStoreAndCommands, withStore, type CliStoreContext, type CliStoreCommandsContext } from './with-store.ts';

export const command: CliCommand = {
  show: createCliAction({}, ({ terminal }) => withStore(terminal, (opened) => showAcceptedKeys(opened, terminal))),
  accept: createCliAction({}, ({ terminal }) =>
    withStoreAndCommands(terminal, (opened) => acceptCurrentKeys(opened, terminal)),
  ),
  list: createCliAction({}, ({ terminal }) => withKeys(terminal, printKeyList)),
  inventory: createCliAction({}, ({ terminal }) => withKeys(terminal, printKeyInventory)),
  policy: createCliAction({}, ({ terminal }) => printKeyPolicy(terminal)),
  add: createCliAction(
    { wait: { type: 'string' }, pkcs11: { type: 'string' } },
    ({ positionals, options, terminal }) => {
      const use = positionals.join();
      if (!isUse(use))
        throw new UsageError(
          `Missing or invalid use of the key. Choose one of ${Object.keys(activationDelays).join(', ')}.`,
        );
      const waitMin = convertToUsageError(() =>
        createWholeNumberParser(0, 10_080)(options.wait ?? activationDelays[use]),
      );
      const address = options.pkcs11;
      if (address !== undefined && use !== 'signing') throw new UsageError('Only signing keys can be in a module.');
      return withKeys(terminal, (opened) => addKey(opened, use, { waitMin, address }));
    },
  ),
  're-encrypt': createCliAction({}, ({ terminal }) => withKeys(terminal, reEncryptAll)),
  retire: createCliAction(
    { compromised: { type: 'boolean', default: false }, pkcs11: { type: 'string' } },
    ({ positionals: [id = ''], options: { compromised, pkcs11: address }, terminal }) =>
      withKeys(terminal, (opened) => (compromised ? removeCompromisedKey(opened, id, address) : retireKey(opened, id))),
  ),
};

/** Default activation delays of new keys in minutes. */
const activationDelays = { encryption: '10', signing: '1440', decryption: '1440' } as const;
type Use = keyof typeof activationDelays;

function isUse(word: string): word is Use {
  return Object.hasOwn(activationDelays, word);
}

/** Throws a StartError if the keys do not match those that the database has accepted. */
function withKeys(terminal: Terminal, work: (opened: KeyCommandContext) => Promise<void>): Promise<void> {
  return withStoreAndCommands(terminal, async (opened) => {
    const now = systemClock.now();
    const keys = await loadServerKeysMatchingFingerprints(opened.store, opened.config.keys, now);
    await work({ ...opened, keys, now, terminal });
  });
}

async function acceptCurrentKeys(opened: CliStoreCommandsContext, terminal: Terminal): Promise<void> {
  const keys = await loadServerKeys(opened.config.keys);
  const now = systemClock.now();
  if (!opened.config.loopback) assertKeyStrength(keys, now);
  const fingerprints = fingerprintServerKeys(keys, now).map(({ name, fingerprint }) => [name, fingerprint] as const);
  await recordChange(opened, 'keys-accepted', Object.fromEntries(fingerprints));
  await storeKeyFingerprints(opened.store, keys, now);
  await showAcceptedKeys(opened, terminal);
}

async function showAcceptedKeys({ store, config }: CliStoreContext, terminal: Terminal): Promise<void> {
  const known = await listStoredKeyFingerprints(store);
  const names = known.map(({ name }) => name);
  for (const { name, fingerprint } of fingerprintServerKeys(
    await loadServerKeys(config.keys, names),
    systemClock.now(),
  )) {
    const same = known.find((key) => key.name === name)?.fingerprint ?? 'none';
    terminal.out(`${name.padEnd(10)} ${fingerprint}  known: ${same}\n`);
  }
}

/**
 * Adds a key that becomes active after `waitMin` minutes. By then, all replicas must have loaded the key, and applications
 * must have fetched it. The new key is the last one in its file, because older versions of the server sign with the first
 * key and ignore activation times.
 */
async function addKey(
  opened: KeyCommandContext,
  use: Use,
  { waitMin, address }: { readonly waitMin: number; readonly address: string | undefined },
): Promise<void> {
  const { keys, now, terminal } = opened;
  const since = addSeconds(now, waitMin * 60);
  const from = `from ${since.toISOString()} on`;
  if (use === 'encryption') {
    const added = decodeEncryptionKey(generateEncryptionKey(), since);
    const [first, ...others] = keys.encryption.keys;
    const left = { ...keys, encryption: { ...keys.encryption, keys: [first, ...others, added] as const } };
    await recordChange(opened, 'key-added', { use, key: added.id }, () => saveKeyFile(opened, use, left));
    terminal.out(`${added.id} encrypts ${from}. Then: portal keys re-encrypt\n`);
    return;
  }
  const added = await generateOrOpenKey(opened, address, since);
  const [first, ...others] = keys[use];
  const left = { ...keys, [use]: [first, ...others, added] };
  await recordChange(opened, 'key-added', { use, key: added.kid }, () => saveKeyFile(opened, use, left));
  terminal.out(
    use === 'signing'
      ? `${added.kid} signs ${from}. By then service providers of SAML must have our metadata anew.\n`
      : `${added.kid} is in our metadata ${from}. Then have identity providers of SAML read them.\n`,
  );
}

/** Opens a key in a PKCS#11 module if `address` is set. Throws a CommandError if that key is too short. */
async function generateOrOpenKey({ config }: KeyCommandContext, address: string | undefined, since: Date) {
  if (address === undefined) return generateSigningKey(since);
  const key = await createSigningKey(address, since);
  const bits = countRsaModulusBits(key.signers.RS256.publicJwk);
  if (!config.loopback && bits < minRsaBits)
    throw new CommandError(
      `The RSA key of ${address} has ${bits} bits and needs ${minRsaBits}. Make one with the tools of the module: \`pkcs11-tool --keypairgen --key-type rsa:${minRsaBits}\`.`,
    );
  return key;
}

async function reEncryptAll(opened: KeyCommandContext): Promise<void> {
  const { store, keys, now, terminal } = opened;
  const key = selectEncryptionKey(keys.encryption, now);
  const vault = createVault(() => keys.encryption, systemClock);
  await reEncryptValues(store, { tables: databaseTableDescriptions, vault, key }, (table, column, done) =>
    terminal.out(`${table}.${column}: ${done}\n`),
  );
  await recordChange(opened, 'keys-re-encrypted', { use: 'encryption', key: key.id });
  await storeKeyFingerprints(store, keys, now, 'encryption'); // from now on, a replica without this key does not start
  for (const other of keys.encryption.keys.filter(({ id }) => id !== key.id))
    terminal.out(
      `${other.id} is needed by ${sumCounts(await countValuesEncryptedWithKey(store, databaseTableDescriptions, other))} values\n`,
    );
}

async function retireKey(opened: KeyCommandContext, id: string): Promise<void> {
  const { keys, terminal } = opened;
  const use = findUse(keys, id);
  const left = use === 'encryption' ? await removeEncryptionKey(opened, id) : removeRsaKey(opened, use, id);
  await replaceKeys(opened, use, left, { key: id });
  terminal.out(`${id} is retired.\n`);
}

/** Removes the key even if it is still needed, replaces an active key, and prints the next steps. */
async function removeCompromisedKey(opened: KeyCommandContext, id: string, address: string | undefined): Promise<void> {
  const { config, keys, now, terminal } = opened;
  const use = findUse(keys, id);
  if (use === 'encryption') {
    const left = await removeEncryptionKey(opened, id, { waits: false });
    await replaceKeys(opened, use, left, { key: id, compromised: 'yes' });
    terminal.out(`${id} is retired. ${lossInstructions.encryption}\n`);
    return;
  }
  const [current] = moveSigningKeyFirst(keys[use], now);
  const [first, ...others] = keys[use].filter(({ kid }) => kid !== id);
  const isInUse = current.kid === id || first === undefined;
  if (isInUse && current.source.startsWith('pkcs11:') && address === undefined)
    throw new CommandError(`${id} is in a PKCS#11 module. Make another key there, and name it: --pkcs11 URI.`);
  const added = isInUse ? [await generateOrOpenKey(opened, address, now)] : [];
  const left = { ...keys, [use]: [...(first ? [first] : []), ...others, ...added] };
  await replaceKeys(opened, use, left, { key: id, compromised: 'yes' });
  const isSetting = config.keys[use] !== null;
  terminal.out(
    [
      `${id} is retired: it is in no JWK set, verifies nothing and opens nothing.`,
      ...added.map(({ kid }) => `${kid} takes its place at once.`),
      'Next:',
      isSetting
        ? '- Set the lines above and start every replica again now. Until then it uses the old key.'
        : `- Replicas that share KEYS_DIR follow within ten seconds. Copy ${keyFileNames[use]} to all others now.`,
      lossInstructions[use],
      '- Follow `A key is exposed` in src/server/security/incidents.md.\n',
    ].join('\n'),
  );
}

const lossInstructions = {
  signing:
    '- Tell applications to read the JWK set again, and service and identity providers of SAML our metadata: until then they believe the old key.\n' +
    '- ID Tokens and bearers of the old key are refused. The portal fetches new bearers by itself.',
  decryption:
    '- Have identity providers of SAML read our metadata again: until then what they encrypt cannot be opened.',
  encryption:
    'Renew the secrets of applications, and ask citizens with an authenticator app to set it up again.\n' +
    'Follow `A key is exposed` in src/server/security/incidents.md.',
} as const;

function findUse(keys: ServerKeys, id: string): Use {
  return (['signing', 'decryption'] as const).find((use) => keys[use].some(({ kid }) => kid === id)) ?? 'encryption';
}

/** Stores the remaining keys (`left`), and records in the database that replicas need no other keys to start. */
async function replaceKeys(
  opened: KeyCommandContext,
  use: Use,
  left: ServerKeys,
  details: Readonly<Record<string, string>>,
): Promise<void> {
  const { store, now } = opened;
  await recordChange(opened, 'key-retired', { use, ...details }, () => saveKeyFile(opened, use, left));
  await storeKeyFingerprints(store, left, now, use);
}

/** Throws a CommandError if the key is active or needed by a stored value or, with `waits`, by a value that a browser may still hold. */
async function removeEncryptionKey(
  { store, keys, now }: KeyCommandContext,
  id: string,
  { waits } = { waits: true },
): Promise<ServerKeys> {
  const key = keys.encryption.keys.find((one) => one.id === id);
  if (key === undefined)
    throw new CommandError(
      `There is no encryption key, signing key or decryption key ${id}: see \`portal keys list\`.`,
    );
  const current = selectEncryptionKey(keys.encryption, now);
  if (key === current)
    throw new CommandError(`${id} encrypts now. Add another one first: \`portal keys add encryption\`.`);
  const needed = await countValuesEncryptedWithKey(store, databaseTableDescriptions, key);
  if (needed.length > 0) {
    const where = needed.map(({ table, column, count }) => `${table}.${column}: ${count}`).join(', ');
    throw new CommandError(
      `${id} is still needed (${where}). Run \`portal keys re-encrypt\`. Replaced credentials are deleted after CHANGES_DAYS.`,
    );
  }
  const quiet = addSeconds(current.since ?? now, fixedRetentionPeriods.signatureMin * 60); // until this time, browsers may have values encrypted with the previous key
  if (waits && now < quiet)
    throw new CommandError(
      `Browsers may still have values that ${id} encrypted. Retire it after ${quiet.toISOString()}.`,
    );
  const [first = current, ...others] = keys.encryption.keys.filter((one) => one !== key);
  return { ...keys, encryption: { ...keys.encryption, keys: [first, ...others] } };
}

/** Removes a signing or decryption key. Throws a CommandError if the key is active, or while the server may still receive a value that needs it. */
function removeRsaKey({ config, keys, now }: KeyCommandContext, use: 'signing' | 'decryption', id: string): ServerKeys {
  const verb = { signing: 'signs', decryption: 'decrypts' }[use];
  const [current] = moveSigningKeyFirst(keys[use], now);
  if (id === current.kid)
    throw new CommandError(`${id} ${verb} now. Add another one first: \`portal keys add ${use}\`.`);
  const isWaiting = keys[use].some(({ kid, since }) => kid === id && since !== null && since > now);
  // longest lifetime of what a key signs: a token, or an ID Token that a client sends as `id_token_hint`
  const longestS = Math.max(config.sessionLifeS, config.tokenLifeS, fixedRetentionPeriods.idTokenMin * 60);
  const quiet = addSeconds(current.since ?? now, longestS);
  if (!isWaiting && now < quiet)
    throw new CommandError(`Tokens that ${id} signed may be used until ${quiet.toISOString()}. Retire it after that.`);
  const [first = current, ...others] = keys[use].filter(({ kid }) => kid !== id);
  return { ...keys, [use]: [first, ...others] };
}

/** Audits a change of keys. `work` runs in the same transaction as the audit entry. */
function recordChange(
  { commands }: CliStoreCommandsContext,
  name: 'key-added' | 'key-retired' | 'keys-re-encrypted' | 'keys-accepted',
  details: Readonly<Record<string, string>>,
  work?: () => Promise<void>,
): Promise<void> {
  return commands.run(createInternalChangeOrigin('agent', 'command'), async ({ audit }) => {
    await audit(name, null, { operator: userInfo().username, ...details });
    await work?.();
  });
}

/** Prints the keys if they come from an environment variable, because only the operator can change it. */
async function saveKeyFile({ config, terminal }: KeyCommandContext, use: Use, left: ServerKeys): Promise<void> {
  const text = use === 'encryption' ? formatEncryptionKeys(left.encryption) : formatSigningKeys(left[use]);
  if (config.keys[use] !== null) {
    terminal.out(`Set ${use.toUpperCase()}_KEY to these lines, and start the replicas again one by one:\n${text}`);
    return;
  }
  const file = join(config.keys.dir, keyFileNames[use]);
  await writeFile(`${file}.new`, text, { mode: 0o600, flag: 'wx' }); // `wx` fails if another command is writing the same file
  await rename(`${file}.new`, file);
}
