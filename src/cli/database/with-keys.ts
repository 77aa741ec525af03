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

export type WithKeys = Opened & {
  readonly commands: Commands;
  readonly keys: Keys;
  readonly now: Date;
  readonly terminal: Terminal;
};

/** Opens the database and the keys while `work` runs. Throws a StartError if they do not match. */
export function withKeys(terminal: Terminal, work: (opened: WithKeys) => Promise<void>): Promise<void> {
  return withCommands(terminal, async ({ store, config, commands }) => {
    const now = systemClock.now();
    const keys = await loadKnownKeys(store, config.keys, now);
    await work({ store, config, commands, keys, now, terminal });
  });
}

/** Records a change of a key in the audit log, in the transaction of the change. A failed change is not recorded. */
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

/** Writes a key file atomically. Keys from a setting are printed instead, for the operator to store. */
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
  await writeFile(`${file}.new`, text, { mode: 0o600, flag: 'wx' }); // fails if another command is writing
  await rename(`${file}.new`, file);
}

export function createSigner(key: AuditKey): BackupSigner {
  return { kid: key.kid, sign: (text) => signText(text, key) };
}

export function createVerifier({ kid, publicJwk }: AuditKey): BackupVerifier {
  return { kid, isSignature: (signature, text) => isSignature(signature, text, publicJwk) };
}
