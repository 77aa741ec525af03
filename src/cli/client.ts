import { parseArgs } from 'node:util';
import { readRegistration, type ClientRegistration } from '../server/federation/clients/client-registration.ts';
import { createClients, fixedClients, type Clients } from '../server/federation/clients/clients.ts';
import { systemClock } from '../server/base/clock.ts';
import { checkKeys } from '../server/keys/accepted-keys.ts';
import { loadKeys } from '../server/keys/load-keys.ts';
import { createLogos, type Logos } from '../server/federation/clients/logos.ts';
import { createVault } from '../server/keys/vault.ts';
import { UsageError, withStore } from './with-store.ts';

const usage = `Usage:
  npm run client -- add --id ID --name NAME --redirect URI [--redirect URI …]
      [--post-logout URI …] [--scope NAME …] [--website URL] [--terms URL] [--privacy URL] [--logo URL]
      [--backchannel URL] [--frontchannel URL] [--public] [--legacy] [--flat] [--issuer URL]
  npm run client -- list
  npm run client -- remove ID
`;

await withStore(usage, async (store, config) => {
  const keys = await loadKeys(config.keys);
  await checkKeys(store, keys, systemClock.now()); // a secret sealed by another key could never be read
  const clients = createClients(
    store,
    createVault(keys.encryption),
    await fixedClients(config.clientsFile, config.sampleData),
  );
  await run(clients, createLogos(store, systemClock, { privateToo: config.backchannelPrivate }), process.argv.slice(2));
});

async function run(clients: Clients, logos: Logos, [verb, ...rest]: readonly string[]): Promise<void> {
  if (verb === 'add') return add(clients, logos, rest);
  if (verb === 'list') return list(clients);
  if (verb === 'remove') return remove(clients, rest[0]);
  throw new UsageError(verb === undefined ? 'What shall be done?' : `There is no command ${verb}.`);
}

async function add(clients: Clients, logos: Logos, given: readonly string[]): Promise<void> {
  const { registration, isPublic } = readArguments(given);
  const { logo } = registration;
  if (logo !== undefined) {
    await logos.take(logo).catch((cause: unknown) => {
      throw new UsageError(
        `The logo at ${logo} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`,
        { cause },
      );
    });
  }
  const secret = await clients.add(registration, isPublic ? 'public' : 'confidential', systemClock.now());
  const told =
    secret === null ? 'It is public: PKCE alone protects it.' : `Its secret, which is shown only now: ${secret}`;
  process.stdout.write(`${registration.id} is registered. ${told}\n`);
}

async function list(clients: Clients): Promise<void> {
  for (const { id, name, redirectUris, legacy } of await clients.list()) {
    process.stdout.write(`${id}  ${name}  ${redirectUris.join(' ')}${legacy ? '  (legacy)' : ''}\n`);
  }
}

async function remove(clients: Clients, id: string | undefined): Promise<void> {
  if (id === undefined) throw new UsageError('Which application?');
  if (!(await clients.remove(id))) throw new UsageError(`No application ${id} was registered by this command.`);
  process.stdout.write(`${id} is forgotten.\n`);
}

function readArguments(given: readonly string[]): { registration: ClientRegistration; isPublic: boolean } {
  const one = { type: 'string' } as const;
  const many = { type: 'string', multiple: true } as const;
  const flag = { type: 'boolean' } as const;
  try {
    const { values } = parseArgs({
      args: [...given],
      options: {
        id: one,
        name: one,
        redirect: many,
        'post-logout': many,
        scope: many,
        website: one,
        terms: one,
        privacy: one,
        logo: one,
        backchannel: one,
        frontchannel: one,
        issuer: one,
        public: flag,
        legacy: flag,
        flat: flag,
      },
    });
    const {
      redirect,
      'post-logout': postLogout,
      scope,
      backchannel,
      frontchannel,
      public: isPublic = false,
      ...same
    } = values;
    const named = {
      ...same,
      redirectUris: redirect,
      postLogoutRedirectUris: postLogout,
      scopes: scope,
      backchannelLogoutUri: backchannel,
      frontchannelLogoutUri: frontchannel,
    };
    return {
      registration: readRegistration(
        Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
      ),
      isPublic,
    };
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
