import { readFile } from 'node:fs/promises';
import { fixedClients, createClients } from '../../server/trust/federation/clients/clients.ts';
import {
  readRegistration,
  RegistrationError,
  type ClientRegistration,
} from '../../server/trust/federation/clients/client-registration.ts';
import { checkClient } from '../../server/trust/federation/oidc/dialect.ts';
import { createLogos } from '../../server/trust/federation/clients/logos.ts';
import { createServiceProviders, fixedServiceProviders } from '../../server/trust/federation/saml/service-providers.ts';
import { systemClock } from '../../server/platform/base/clock.ts';
import { loadKnownKeys } from '../../server/platform/keys/accepted-keys.ts';
import { createVault } from '../../server/platform/keys/vault.ts';
import {
  action,
  CommandError,
  formatError,
  orUsageError,
  UsageError,
  type Command,
  type Invocation,
  type Terminal,
} from '../command.ts';
import { addSaml, samlOptions, takeLogo, type ClientParts } from './add-saml.ts';
import { withStore } from './with-store.ts';

const one = { type: 'string' } as const;
const many = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;
const options = {
  ...{ id: one, name: one, profile: one, issuer: one, website: one, terms: one, privacy: one, logo: one, jwks: one },
  ...{ public: flag, legacy: flag, flat: flag },
  auth: one,
  'jwks-uri': one,
  alg: one,
  par: flag,
  'signed-requests': flag,
  dpop: flag,
  mtls: flag,
  subject: one,
  sector: one,
  'subject-dn': one,
  resource: many,
  'response-mode': many,
  redirect: many,
  'post-logout': many,
  scope: many,
  backchannel: one,
  frontchannel: one,
  'legacy-until': one,
} as const;

export const command: Command = {
  add: action(options, add),
  'add-saml': action(samlOptions, ({ options: given, terminal }) =>
    withParts(terminal, async (parts) => terminal.out(`${await addSaml(parts, given, systemClock.now())}\n`)),
  ),
  list: action({}, list),
  remove: action({}, remove),
};

function withParts(terminal: Terminal, work: (parts: ClientParts) => Promise<void>): Promise<void> {
  return withStore(terminal, async ({ store, config }) => {
    const keys = await loadKnownKeys(store, config.keys, systemClock.now()); // a secret sealed with a wrong key could never be read
    const privateToo = config.backchannelPrivate;
    const vault = createVault(
      () => keys.encryption,
      () => systemClock.now(),
    );
    const fixed = await fixedClients(config.clientsFile, config.sampleData, checkClient);
    await work({
      clients: createClients(store, vault, fixed, checkClient),
      providers: createServiceProviders(store, await fixedServiceProviders(config.samlFile, systemClock.now())),
      logos: createLogos(store, systemClock, { privateToo }),
      privateToo,
    });
  });
}

async function add({ options: given, terminal }: Invocation<typeof options>): Promise<void> {
  const { registration, isPublic } = await readOptions(given);
  return withParts(terminal, async ({ clients, providers, logos }) => {
    if ((await providers.byId(registration.id)) !== null)
      throw new CommandError(`${registration.id} is a service provider of SAML: choose another id.`);
    await takeLogo(logos, registration.logo);
    const secret = await clients
      .add(registration, isPublic ? 'public' : 'confidential', systemClock.now())
      .catch((cause: unknown) => {
        throw cause instanceof RegistrationError ? new UsageError(cause.message, { cause }) : cause;
      });
    const told = isPublic ? 'It is public: PKCE alone protects it.' : 'It authenticates itself with its keys.';
    const shown = secret === null ? told : `Its secret, which is shown only now: ${secret}`;
    terminal.out(`${registration.id} is registered. ${shown}\n`);
  });
}

function list({ terminal }: Invocation): Promise<void> {
  return withParts(terminal, async ({ clients, providers }) => {
    for (const { id, name, redirectUris, profile = 'specification', legacyUntil } of await clients.list()) {
      const until = legacyUntil === undefined ? '' : `, legacy until ${legacyUntil}`;
      terminal.out(`${id}  ${name}  ${redirectUris.join(' ')}  (${profile}${until})\n`);
    }
    for (const { registration, metadata } of await providers.list())
      terminal.out(
        `${registration.id}  ${registration.name}  ${metadata.entityId}  (SAML${registration.profile === undefined ? '' : `, ${registration.profile}`})\n`,
      );
  });
}

function remove({ words: [id], terminal }: Invocation): Promise<void> {
  if (id === undefined) throw new UsageError('Which application?');
  return withParts(terminal, async ({ clients, providers }) => {
    if (!(await clients.remove(id)) && !(await providers.remove(id)))
      throw new CommandError(`No application ${id} was registered by this command.`);
    terminal.out(`${id} is forgotten.\n`);
  });
}

/** Options whose property in a registration has another name. */
const optionNames: Readonly<Record<string, string>> = {
  redirect: 'redirectUris',
  'post-logout': 'postLogoutRedirectUris',
  scope: 'scopes',
  'legacy-until': 'legacyUntil',
  backchannel: 'backchannelLogoutUri',
  frontchannel: 'frontchannelLogoutUri',
  auth: 'tokenEndpointAuthMethod',
  'jwks-uri': 'jwksUri',
  alg: 'signingAlg',
  par: 'requirePushedAuthorizationRequests',
  'signed-requests': 'requireSignedRequestObject',
  dpop: 'dpopBoundAccessTokens',
  mtls: 'tlsClientCertificateBoundAccessTokens',
  subject: 'subjectType',
  sector: 'sectorIdentifierUri',
  'subject-dn': 'tlsClientAuthSubjectDn',
  resource: 'resources',
  'response-mode': 'responseModes',
};

async function readOptions({
  jwks,
  public: isPublic = false,
  ...same
}: Invocation<typeof options>['options']): Promise<{ registration: ClientRegistration; isPublic: boolean }> {
  const named = Object.entries(same).map(([name, value]) => [optionNames[name] ?? name, value] as const);
  const chosen = Object.fromEntries(named.filter(([, value]) => value !== undefined));
  const given: Record<string, unknown> = { profile: 'fapi2', ...chosen };
  if (jwks !== undefined) given['jwks'] = await readJwks(jwks);
  return { registration: orUsageError(() => readRegistration(given)), isPublic };
}

async function readJwks(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new UsageError(`${file} holds no JWK set: ${formatError(cause)}`, { cause });
  }
}
