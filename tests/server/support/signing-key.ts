import { generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyFiles } from '../../../src/server/platform/keys/load-keys.ts';

let pem: string | undefined;

/** Writes a signing key into a data folder, the same for all tests of a process. Generating one takes a third of a server's start time. */
export async function placeSigningKey(dataFolder: string): Promise<void> {
  pem ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    format: 'pem',
    type: 'pkcs8',
  }) as string; // a string, because the format is PEM
  const keys = join(dataFolder, 'keys');
  await mkdir(keys, { recursive: true, mode: 0o700 });
  await writeFile(join(keys, keyFiles.signing), pem, { mode: 0o600 });
}
