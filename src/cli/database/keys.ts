import { systemClock } from '../../server/platform/base/clock.ts';
import { acceptedKeys, acceptKeys, fingerprintKeys } from '../../server/platform/keys/accepted-keys.ts';
import { loadKeys } from '../../server/platform/keys/load-keys.ts';
import { addSigningKey, addEncryptionKey, listKeys, printInventory, reEncryptAll, retireKey } from './rotate-keys.ts';
import { noted } from './with-keys.ts';
import { whole } from '../../server/platform/config/setting-values.ts';
import type { Commands } from '../../server/trust/notices/commands.ts';
import { action, orUsageError, UsageError, type Command, type Terminal } from '../command.ts';
import { withCommands, withStore, type Opened } from './with-store.ts';

export const command: Command = {
  verbs: {
    show: action({}, ({ terminal }) => withStore(terminal, (opened) => show(opened, terminal))),
    accept: action({}, ({ terminal }) => withCommands(terminal, (opened) => accept(opened, terminal))),
    list: action({}, ({ terminal }) => listKeys(terminal)),
    inventory: action({}, ({ terminal }) => printInventory(terminal)),
    add: action({ wait: { type: 'string' } }, ({ words, options, terminal }) => {
      const use = words.join();
      if (use !== 'encryption' && use !== 'signing')
        throw new UsageError('Of what use is the key? `encryption` and `signing` can be added.');
      const { add, waitMin } = {
        encryption: { add: addEncryptionKey, waitMin: 10 },
        signing: { add: addSigningKey, waitMin: 1440 },
      }[use];
      return add(
        terminal,
        orUsageError(() => whole(0, 10_080)(options.wait ?? String(waitMin))),
      );
    }),
    're-encrypt': action({}, ({ terminal }) => reEncryptAll(terminal)),
    retire: action({}, ({ words: [id = ''], terminal }) => retireKey(terminal, id)),
  },
};

async function accept(opened: Opened & { readonly commands: Commands }, terminal: Terminal): Promise<void> {
  const keys = await loadKeys(opened.config.keys);
  const now = systemClock.now();
  const fingerprints = fingerprintKeys(keys, now).map(({ name, fingerprint }) => [name, fingerprint] as const);
  await noted(opened, 'keys-accepted', Object.fromEntries(fingerprints));
  await acceptKeys(opened.store, keys, now);
  await show(opened, terminal);
}

async function show({ store, config }: Opened, terminal: Terminal): Promise<void> {
  const known = await acceptedKeys(store);
  const keys = await loadKeys(
    config.keys,
    known.map(({ name }) => name),
  );
  for (const { name, fingerprint } of fingerprintKeys(keys, systemClock.now())) {
    const same = known.find((key) => key.name === name)?.fingerprint ?? 'none';
    terminal.out(`${name.padEnd(10)} ${fingerprint}  known: ${same}\n`);
  }
}
