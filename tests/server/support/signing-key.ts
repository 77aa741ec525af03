import { generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyFiles } from '../../../src/server/platform/keys/load-keys.ts';

const pems = new Map<string, string>();

/**
 * Writes the RSA keys to a data folder. All tests of a process use the same keys, because generating one takes a third
 * of the start time of a server.
 */
export async function placeSigningKey(dataFolder: string): Promise<void> {
  const keys = join(dataFolder, 'keys');
  await mkdir(keys, { recursive: true, mode: 0o700 });
  for (const name of [keyFiles.signing, keyFiles.decryption]) {
    const pem = pems.get(name) ?? makePem();
    pems.set(name, pem);
    await writeFile(join(keys, name), pem, { mode: 0o600 });
  }
}

function makePem(): string {
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ format: 'pem', type: 'pkcs8' })
    .toString();
}
