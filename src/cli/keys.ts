import { systemClock } from '../server/platform/base/clock.ts';
import { acceptedKeys, acceptKeys, fingerprintsOf } from '../server/platform/keys/accepted-keys.ts';
import { loadKeys } from '../server/platform/keys/load-keys.ts';
import { UsageError, withStore } from './with-store.ts';

const usage = `Usage:
  npm run keys -- show      the fingerprints of the keys that the server would use, and of those that the database knows
  npm run keys -- accept    the server's keys become the known ones
A new signing key goes in front of the old one, which stays until its tokens have ended: then accept, and remove it. A key of the audit
log goes in front as well, and the old one stays for good: what it sealed is verified by it. With a new encryption
key, authenticator apps, secrets of applications and running sign-ins are lost.
`;

await withStore(usage, async (store, config) => {
  const verb = process.argv[2];
  if (verb !== 'show' && verb !== 'accept')
    throw new UsageError(verb === undefined ? 'What shall be done?' : `There is no command ${verb}.`);
  const keys = await loadKeys(config.keys);
  if (verb === 'accept') await acceptKeys(store, keys, systemClock.now());
  const known = await acceptedKeys(store);
  for (const { name, fingerprint } of fingerprintsOf(keys)) {
    process.stdout.write(
      `${name.padEnd(10)} ${fingerprint}  known: ${known.find((key) => key.name === name)?.fingerprint ?? 'none'}\n`,
    );
  }
});
