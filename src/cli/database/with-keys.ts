import { rename, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../server/platform/base/clock.ts';
import { ownOrigin } from '../../server/platform/base/origin.ts';
import type { BackupSigner, BackupVerifier } from '../../server/platform/database/backup.ts';
import { loadKnownKeys } from '../../server/platform/keys/accepted-keys.ts';
import { isSignature, signText, type AuditKey } from '../../server/platform/keys/audit-keys.ts';
import { keyFiles, type Keys } from '../../server/platform/keys/load-keys.ts';
import type { Commands } from '../../server/trust/notices/commands.ts';
import type { Terminal } from '../command.ts';
import { withCommands, type Opened } from './with-store.ts';

/** The server's keys, with what changes them. */
export type WithKeys = Opened & {
  readonly commands: Commands;
  readonly keys: Keys;
  readonly now: Date;
  readonly terminal: Terminal;
};

/** Opens database and keys for the time of a command. Throws a StartError where they do not belong together. */
export function withKeys(terminal: Terminal, work: (opened: WithKeys) => Promise<void>): Promise<void> {
  return withCommands(terminal, async ({ store, config, commands }) => {
    const now = systemClock.now();
    const keys = await loadKnownKeys(store, config.keys, now);
    await work({ store, config, commands, keys, now, terminal });
  });
}

/** Notes in the audit log what an operator does to a key, and does it; what fails is not noted. */
export function noted(
  { commands }: Pick<WithKeys, 'commands'>,
  action: 'key-added' | 'key-retired' | 'keys-re-encrypted' | 'keys-accepted',
  details: Readonly<Record<string, string>>,
  work?: () => Promise<void>,
): Promise<void> {
  return commands.run(ownOrigin('agent', 'command'), async ({ audit }) => {
    await audit(action, null, { operator: userInfo().username, ...details });
    await work?.();
  });
}

/** Writes a key file whole at once. Keys of a setting are the operator's to keep: they are printed. */
export async function keep(
  { config: { keys }, terminal }: Pick<WithKeys, 'config' | 'terminal'>,
  name: 'encryption' | 'signing',
  text: string,
): Promise<void> {
  if (keys[name] !== null) {
    terminal.out(`Set ${name.toUpperCase()}_KEY to these lines, and start the replicas again one by one:\n${text}`);
    return;
  }
  const file = join(keys.dir, keyFiles[name]);
  await writeFile(`${file}.new`, text, { mode: 0o600, flag: 'wx' }); // of two at once one fails
  await rename(`${file}.new`, file);
}

export function createSigner(key: AuditKey): BackupSigner {
  return { kid: key.kid, sign: (text) => signText(text, key) };
}

export function createVerifier({ kid, publicJwk }: AuditKey): BackupVerifier {
  return { kid, isSignature: (signature, text) => isSignature(signature, text, publicJwk) };
}
