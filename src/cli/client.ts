import { parseArgs } from 'node:util';
import { readRegistration, type ClientRegistration } from '../server/trust/federation/clients/client-registration.ts';
import { createClients, fixedClients, type Clients } from '../server/trust/federation/clients/clients.ts';
import { systemClock } from '../server/platform/base/clock.ts';
import { checkKeys } from '../server/platform/keys/accepted-keys.ts';
import { loadKeys } from '../server/platform/keys/load-keys.ts';
import { createLogos, type Logos } from '../server/trust/federation/clients/logos.ts';
import { createVault } from '../server/platform/keys/vault.ts';
import {
  createServiceProviders,
  fixedServiceProviders,
  type ServiceProviders,
} from '../server/trust/federation/saml/service-providers.ts';
import { addSaml } from './client/add-saml.ts';
import { takeLogo } from './client/take-logo.ts';
import { UsageError, withStore } from './with-store.ts';

const usage = `Usage:
  npm run client -- add --id ID --name NAME --redirect URI [--redirect URI …]
      [--post-logout URI …] [--scope NAME …] [--website URL] [--terms URL] [--privacy URL] [--logo URL]
      [--backchannel URL] [--frontchannel URL] [--public] [--legacy] [--flat] [--issuer URL]
  npm run client -- add-saml --id ID --name NAME --metadata FILE|URL [--scope NAME …] [--consent] [--sha1]
      [--website URL] [--terms URL] [--privacy URL] [--logo URL]
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
  const privateToo = config.backchannelPrivate;
  const parts = {
    clients,
    providers: createServiceProviders(store, await fixedServiceProviders(config.samlFile)),
    logos: createLogos(store, systemClock, { privateToo }),
    privateToo,
  };
  await run(parts, process.argv.slice(2));
});

interface Parts {
  readonly clients: Clients;
  readonly providers: ServiceProviders;
  readonly logos: Logos;
  readonly privateToo: boolean;
}

async function run(parts: Parts, [verb, ...rest]: readonly string[]): Promise<void> {
  const { clients, providers, logos, privateToo } = parts;
  if (verb === 'add') return add(parts, rest);
  if (verb === 'add-saml') {
    const told = await addSaml({ clients, providers, logos }, rest, { privateToo, now: systemClock.now() });
    process.stdout.write(`${told}\n`);
    return;
  }
  if (verb === 'list') return list(parts);
  if (verb === 'remove') return remove(parts, rest[0]);
  throw new UsageError(verb === undefined ? 'What shall be done?' : `There is no command ${verb}.`);
}

async function add({ clients, providers, logos }: Parts, given: readonly string[]): Promise<void> {
  const { registration, isPublic } = readArguments(given);
  if ((await providers.byId(registration.id)) !== null)
    throw new UsageError(`${registration.id} is a service provider of SAML: choose another id.`);
  await takeLogo(logos, registration.logo);
  const secret = await clients.add(registration, isPublic ? 'public' : 'confidential', systemClock.now());
  const told =
    secret === null ? 'It is public: PKCE alone protects it.' : `Its secret, which is shown only now: ${secret}`;
  process.stdout.write(`${registration.id} is registered. ${told}\n`);
}

async function list({ clients, providers }: Parts): Promise<void> {
  for (const { id, name, redirectUris, legacy } of await clients.list()) {
    process.stdout.write(`${id}  ${name}  ${redirectUris.join(' ')}${legacy ? '  (legacy)' : ''}\n`);
  }
  for (const { registration, metadata } of await providers.list())
    process.stdout.write(`${registration.id}  ${registration.name}  ${metadata.entityId}  (SAML)\n`);
}

async function remove({ clients, providers }: Parts, id: string | undefined): Promise<void> {
  if (id === undefined) throw new UsageError('Which application?');
  if (!(await clients.remove(id)) && !(await providers.remove(id)))
    throw new UsageError(`No application ${id} was registered by this command.`);
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
