import { existsSync } from 'node:fs';
import { copyFile, mkdir, chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { keyFileNames } from '../../../src/server/platform/keys/load-server-keys.ts';

/** Configures keys that are all in files of `dir`, as by default. */
export const createKeyFilesConfig = (dir: string) => ({
  dir,
  signing: null,
  encryption: null,
  decryption: null,
  captcha: null,
  audit: null,
});

const keyFolder = join(import.meta.dirname, 'keys');
/** Path of the signing key that `placeSigningKey` writes. */
export const placedSigningKey = join(keyFolder, keyFileNames.signing);

/** Writes the RSA keys to a data folder, unless it has keys. All tests use the same keys, because generating one takes a third of the start time of a server. */
export async function placeSigningKey(dataFolder: string): Promise<void> {
  const keys = join(dataFolder, 'keys');
  if (existsSync(keys)) return;
  await mkdir(keys, { recursive: true, mode: 0o700 });
  for (const name of [keyFileNames.signing, keyFileNames.decryption]) {
    await copyFile(join(keyFolder, name), join(keys, name));
    await chmod(join(keys, name), 0o600);
  }
}
