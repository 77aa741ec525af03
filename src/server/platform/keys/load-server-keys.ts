import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateAuditKey, parseAuditKey, type AuditKey } from './audit-keys.ts';
import { generateEncryptionKey, parseEncryptionKeys, type EncryptionKeys } from './encryption-keys.ts';
import {
  countRsaModulusBits,
  generateSigningKey,
  minRsaBits,
  moveSigningKeyFirst,
  parseSigningKeys,
  formatSigningKeys,
  type SigningKey,
  type SigningKeys,
} from './signing-keys.ts';
import type { Config } from '../config/config.ts';
import { createPrivateFile } from '../base/create-private-file.ts';
import { StartError } from '../base/errors.ts';

export interface ServerKeys {
  /** Signing keys in the order of the file. All verify signatures. `moveSigningKeyFirst` selects the key that signs. */
  readonly signing: SigningKeys;
  readonly encryption: EncryptionKeys;
  /** RSA keys in the format of the signing keys. All decrypt. The portal's SAML metadata contains the current key. */
  readonly decryption: SigningKeys;
  /** HMAC key of 32 bytes. */
  readonly captcha: Buffer;
  /** Keys of the audit log. The first key seals it, and the seals of every key are trusted. */
  readonly audit: readonly [AuditKey, ...AuditKey[]];
}

/** Files in KEYS_DIR. */
export const keyFileNames = {
  signing: 'signing.pem',
  encryption: 'encryption.key',
  decryption: 'decryption.pem',
  captcha: 'captcha.key',
  audit: 'audit.pem',
} as const;

export type ServerKeyName = keyof typeof keyFileNames;

/**
 * Reads the keys from the configuration or from their files (mode 0600). Generates missing files, except for the names in `accepted`: data in the
 * database depends on these keys, so a missing file throws a `StartError`.
 */
export async function loadServerKeys(
  config: Config['keys'],
  accepted: readonly ServerKeyName[] = [],
): Promise<ServerKeys> {
  const readKeyText = (name: ServerKeyName, make: () => Promise<string>): Promise<string> => {
    const missing = `${join(config.dir, keyFileNames[name])} is missing, and a new ${name} key is not the one that this database was filled with: put the file back from your copy. If there is none, \`npx portal keys accept\` makes a new key and accepts it; what the lost one encrypted or signed stays lost.`;
    return readOrCreateFile(config.dir, keyFileNames[name], accepted.includes(name) ? refuseToCreate(missing) : make);
  };
  const signing = config.signing ?? (await readKeyText('signing', makeRsaText));
  const encryption = config.encryption ?? (await readKeyText('encryption', async () => generateEncryptionKey()));
  const captcha = config.captcha ?? (await readKeyText('captcha', async () => generateEncryptionKey()));
  const fromSettings = config.signing !== null && config.encryption !== null && config.captcha !== null;
  const refuse =
    fromSettings && refuseToCreate('There is no decryption key: set DECRYPTION_KEY, as for the other keys.');
  const decryption = config.decryption ?? (await readKeyText('decryption', refuse || makeRsaText));
  const makeAuditText = fromSettings ? refuseToCreate(missingAuditKeyText) : async () => generateAuditKey();
  const audit = config.audit ?? (await readKeyText('audit', makeAuditText));
  return {
    signing: await parseSigningKeys(signing),
    encryption: parseEncryptionKeys(encryption),
    decryption: await readDecryptionKeys(decryption),
    captcha: Buffer.from(captcha, 'base64'),
    audit: await parseAuditKeys(audit),
  };
}

/** Parsers of the keys' texts in settings and files. Each parser throws if the text is invalid. */
export const keyTextParsers: Readonly<Record<ServerKeyName, (text: string) => Promise<unknown>>> = {
  signing: parseSigningKeys,
  encryption: async (text) => parseEncryptionKeys(text),
  decryption: readDecryptionKeys,
  captcha: async (text) => {
    if (Buffer.from(text, 'base64').length !== 32) throw new Error('32 bytes in base64');
  },
  audit: parseAuditKeys,
};

/** Rereads the keys that may change at run time. */
export async function rereadServerKeys(
  config: Config['keys'],
): Promise<Pick<ServerKeys, 'decryption' | 'encryption' | 'signing'>> {
  const read = (name: string): Promise<string> => readFile(join(config.dir, name), 'utf8');
  return {
    encryption: parseEncryptionKeys(config.encryption ?? (await read(keyFileNames.encryption))),
    decryption: await readDecryptionKeys(config.decryption ?? (await read(keyFileNames.decryption))),
    signing: await parseSigningKeys(config.signing ?? (await read(keyFileNames.signing))),
  };
}

/**
 * Throws a `StartError` if a decryption key, or the current or a future signing key, has less than 128 bits of security. Retired signing keys are
 * accepted, because they only verify earlier tokens.
 */
export function assertKeyStrength({ signing, decryption }: Pick<ServerKeys, 'decryption' | 'signing'>, now: Date) {
  const [signer] = moveSigningKeyFirst(signing, now);
  const describe = (use: string, keys: readonly SigningKey[]) =>
    keys
      .map(({ kid, signers }) => ({ kid, bits: countRsaModulusBits(signers.RS256.publicJwk) }))
      .filter(({ bits }) => bits < minRsaBits)
      .map(
        ({ kid, bits }) =>
          `The ${use} key ${kid} has ${bits} bits. It needs ${minRsaBits}, because BASE_URL is not a loopback address. ` +
          (kid === signer.kid
            ? 'Make another one: `npx portal keys add signing --wait 0`.'
            : `Remove it, or replace it if it is in use: \`npx portal keys retire ${kid} --compromised\`.`),
      );
  const weak = [
    ...describe(
      'signing',
      signing.filter((key) => key === signer || (key.since !== null && key.since > now)),
    ),
    ...describe('decryption', decryption),
  ];
  if (weak.length > 0) throw new StartError(weak.join('\n'));
}

/** Reads the keys of the audit log. Throws a `StartError` if there are none. */
export async function readAuditKeys(config: Config['keys']): Promise<ServerKeys['audit']> {
  const refuse = refuseToCreate(missingAuditKeyText);
  return parseAuditKeys(config.audit ?? (await readOrCreateFile(config.dir, keyFileNames.audit, refuse)));
}

const missingAuditKeyText =
  'There is no key of the audit log: set AUDIT_KEY, as for the other keys, or KEYS_DIR to the folder that holds audit.pem.';

/** Returns a function that throws a `StartError` in place of one that generates a key, because other replicas would not have that key. */
function refuseToCreate(message: string): () => Promise<never> {
  return async () => {
    throw new StartError(message);
  };
}

async function makeRsaText(): Promise<string> {
  return formatSigningKeys([await generateSigningKey(null)]);
}

/** Reads the decryption keys. Throws for a key in a PKCS#11 module, because xml-encryption decrypts only with keys in this process. */
async function readDecryptionKeys(text: string): Promise<SigningKeys> {
  if (text.includes('pkcs11:')) throw new Error('DECRYPTION_KEY or decryption.pem must hold PKCS#8 private keys');
  return parseSigningKeys(text);
}

async function parseAuditKeys(text: string): Promise<ServerKeys['audit']> {
  const blocks = text.replaceAll('\\n', '\n').match(/-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----/g);
  const [first, ...others] = await Promise.all((blocks ?? []).map(parseAuditKey));
  if (!first) throw new Error(missingAuditKeyText);
  return [first, ...others];
}

async function readOrCreateFile(dir: string, name: string, make: () => Promise<string>): Promise<string> {
  const file = join(dir, name);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const text = await make();
  return (await createPrivateFile(file, text)) ? text : readFile(file, 'utf8'); // another replica may have created the file first, and all replicas must use the same key
}
