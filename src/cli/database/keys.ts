import { systemClock } from '../../server/platform/base/clock.ts';
import { acceptedKeys, acceptKeys, fingerprintsOf } from '../../server/platform/keys/accepted-keys.ts';
import { loadKeys } from '../../server/platform/keys/load-keys.ts';
import { whole } from '../../server/platform/config/setting-values.ts';
import { action, orUsageError, UsageError, type Command, type Terminal } from '../command.ts';
import { addEncryptionKey, listKeys, reEncryptAll, retireKey } from './rotate-keys.ts';
import { databaseUsage, withStore } from './with-store.ts';

export const command: Command = {
  usage: `Usage:
  portal keys show      the fingerprints of the keys that the server would use, and of those that the database knows
  portal keys accept    the server's keys become the known ones
  portal keys list      every key: use, id, age, state, and how many values in the database need it
  portal keys add encryption [--wait MINUTES]    a new key, which all replicas read before it encrypts (10 minutes)
  portal keys re-encrypt    seals by the new key what others sealed, in batches, while servers run; again, or two at once, does no harm
  portal keys retire ID     takes an encryption key away; refused while something needs it
A new signing key goes in front of the old one, which stays until its tokens have ended: then accept, and remove it. A key of the audit
log goes in front as well, and the old one stays for good: what it sealed is verified by it. Servers read
KEYS_DIR again every ten seconds; keys of settings are printed, to be set by you. Never replace the encryption key by another
one: authenticator apps, secrets of applications and running sign-ins would be lost.
${databaseUsage}`,
  verbs: {
    show: action({}, ({ terminal }) => show(terminal, { accept: false })),
    accept: action({}, ({ terminal }) => show(terminal, { accept: true })),
    list: action({}, ({ terminal }) => listKeys(terminal)),
    add: action({ wait: { type: 'string', default: '10' } }, ({ words, options, terminal }) => {
      if (words.join() !== 'encryption') throw new UsageError('Of what use is the key? `encryption` can be added.');
      return addEncryptionKey(
        terminal,
        orUsageError(() => whole(0, 10_080)(options.wait)),
      );
    }),
    're-encrypt': action({}, ({ terminal }) => reEncryptAll(terminal)),
    retire: action({}, ({ words: [id = ''], terminal }) => retireKey(terminal, id)),
  },
};

function show(terminal: Terminal, { accept }: { accept: boolean }): Promise<void> {
  return withStore(terminal, async ({ store, config }) => {
    const keys = await loadKeys(config.keys);
    const now = systemClock.now();
    if (accept) await acceptKeys(store, keys, now);
    const known = await acceptedKeys(store);
    for (const { name, fingerprint } of fingerprintsOf(keys, now)) {
      const same = known.find((key) => key.name === name)?.fingerprint ?? 'none';
      terminal.out(`${name.padEnd(10)} ${fingerprint}  known: ${same}\n`);
    }
  });
}
