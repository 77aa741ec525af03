import { systemClock } from '../../server/platform/base/clock.ts';
import { acceptedKeys, acceptKeys, fingerprintsOf } from '../../server/platform/keys/accepted-keys.ts';
import { loadKeys } from '../../server/platform/keys/load-keys.ts';
import { action, type Command, type Terminal } from '../command.ts';
import { databaseUsage, withStore } from './with-store.ts';

export const command: Command = {
  usage: `Usage:
  portal keys show      the fingerprints of the keys that the server would use, and of those that the database knows
  portal keys accept    the server's keys become the known ones
A new signing key goes in front of the old one, which stays until its tokens have ended: then accept, and remove it. A key of the audit
log goes in front as well, and the old one stays for good: what it sealed is verified by it. With a new encryption
key, authenticator apps, secrets of applications and running sign-ins are lost.
${databaseUsage}`,
  verbs: {
    show: action({}, ({ terminal }) => show(terminal, { accept: false })),
    accept: action({}, ({ terminal }) => show(terminal, { accept: true })),
  },
};

function show(terminal: Terminal, { accept }: { accept: boolean }): Promise<void> {
  return withStore(terminal, async ({ store, config }) => {
    const keys = await loadKeys(config.keys);
    if (accept) await acceptKeys(store, keys, systemClock.now());
    const known = await acceptedKeys(store);
    for (const { name, fingerprint } of fingerprintsOf(keys)) {
      const same = known.find((key) => key.name === name)?.fingerprint ?? 'none';
      terminal.out(`${name.padEnd(10)} ${fingerprint}  known: ${same}\n`);
    }
  });
}
