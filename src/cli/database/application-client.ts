import { readFile } from 'node:fs/promises';
import { listSampleClients } from '../../server/app/import-samples.ts';
import { loadFixedClients, createClientStore } from '../../server/trust/federation/clients/client-store.ts';
import {
  validateClientRegistration,
  ClientRegistrationError,
} from '../../server/trust/federation/clients/client-registration.ts';
import { createClientValidator } from '../../server/trust/federation/oidc/provider-configuration.ts';
import { createLogoStore } from '../../server/trust/federation/clients/logo-store.ts';
import {
  openServiceProviderStore,
  loadFixedServiceProviders,
} from '../../server/trust/federation/saml/service-providers.ts';
import { systemClock } from '../../server/platform/base/clock.ts';
import { loadServerKeysMatchingFingerprints } from '../../server/platform/keys/key-fingerprints.ts';
import { openMalwareScanner } from '../../server/trust/uploads/malware-scanner.ts';
import { createVault } from '../../server/platform/keys/vault.ts';
import {
  createCliAction,
  CommandError,
  convertToUsageError,
  UsageError,
  type CliCommand,
  type CliInvocation,
  type Terminal,
} from '../command.ts';
import {
  addServiceProvider,
  serviceProviderOptions,
  storeApplicationLogo,
  type ApplicationCommandDependencies,
} from './add-service-provider.ts';
import { withStore } from './with-store.ts';
import { describeError } from '../../server/platform/base/errors.ts';

const textOption = { type: 'string' } as const;
const listOption = { type: 'string', multiple: true } as const;
const booleanOption = { type: 'boolean' } as const;
const options = {
  ...{
    id: textOption,
    name: textOption,
    profile: textOption,
    issuer: textOption,
    website: textOption,
    terms: textOption,
    privacy: textOption,
    logo: textOption,
    jwks: textOption,
  },
  ...{ public: booleanOption, legacy: booleanOption, flat: booleanOption },
  auth: textOption,
  'jwks-uri': textOption,
  rsa2048: booleanOption,
  alg: textOption,
  par: booleanOption,
  'signed-requests': booleanOption,
  dpop: booleanOption,
  mtls: booleanOption,
  subject: textOption,
  sector: textOption,
  'subject-dn': textOption,
  resource: listOption,
  'response-mode': listOption,
  redirect: listOption,
  'post-logout': listOption,
  scope: listOption,
  backchannel: textOption,
  frontchannel: textOption,
  'legacy-until': textOption,
} as const;

export const command: CliCommand = {
  add: createCliAction(options, add),
  'add-saml': createCliAction(serviceProviderOptions, ({ options: given, terminal }) =>
    withDependencies(terminal, async (parts) =>
      terminal.out(`${await addServiceProvider(parts, given, systemClock.now())}\n`),
    ),
  ),
  list: createCliAction({}, list),
  remove: createCliAction({}, remove),
};

function withDependencies(terminal: Terminal, work: (parts: ApplicationCommandDependencies) => Promise<void>) {
  return withStore(terminal, async ({ store, config }) => {
    const keys = await loadServerKeysMatchingFingerprints(store, config.keys, systemClock.now()); // throws if the database has not accepted these keys, because a client secret encrypted with a wrong key could never be decrypted
    const privateToo = config.backchannelPrivate;
    const vault = createVault(() => keys.encryption, systemClock);
    const checkClient = createClientValidator(config);
    const fixed = await loadFixedClients(config.clientsFile, await listSampleClients(config), checkClient);
    await work({
      clients: createClientStore(store, vault, fixed, checkClient),
      providers: openServiceProviderStore(
        store,
        await loadFixedServiceProviders(config, systemClock.now()),
        config.loopback,
      ),
      logos: createLogoStore(store, systemClock, {
        allowsPrivateTargets: privateToo,
        scanner: await openMalwareScanner(config.malwareScanner),
      }),
      allowsPrivateAddresses: privateToo,
      loopback: config.loopback,
    });
  });
}

async function add({ options: given, terminal }: CliInvocation<typeof options>): Promise<void> {
  const { registration, isPublic } = await readOptions(given);
  return withDependencies(terminal, async ({ clients, providers, logos }) => {
    if ((await providers.byId(registration.id)) !== null)
      throw new CommandError(`${registration.id} is a service provider of SAML: choose another id.`);
    await storeApplicationLogo(logos, registration.logo);
    const secret = await clients
      .add(registration, isPublic ? 'public' : 'confidential', systemClock.now())
      .catch((cause: unknown) => {
        throw cause instanceof ClientRegistrationError ? new UsageError(cause.message, { cause }) : cause;
      });
    const told = isPublic ? 'It is public: PKCE alone protects it.' : 'It authenticates itself with its keys.';
    const shown = secret === null ? told : `Its secret, which is shown only now: ${secret}`;
    terminal.out(`${registration.id} is registered. ${shown}\n`);
  });
}

function list({ terminal }: CliInvocation): Promise<void> {
  return withDependencies(terminal, async ({ clients, providers }) => {
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

function remove({ positionals: [id], terminal }: CliInvocation): Promise<void> {
  if (id === undefined) throw new UsageError('Missing argument: ID. `portal client list` prints the ids.');
  return withDependencies(terminal, async ({ clients, providers }) => {
    if (!(await clients.remove(id)) && !(await providers.remove(id)))
      throw new CommandError(`No application ${id} was registered by this command.`);
    terminal.out(`${id} is forgotten.\n`);
  });
}

/** Command-line options whose name differs from the client metadata that they set. */
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

async function readOptions({ jwks, public: isPublic = false, ...rest }: CliInvocation<typeof options>['options']) {
  const named = Object.entries(rest).map(([name, value]) => [optionNames[name] ?? name, value] as const);
  const chosen = Object.fromEntries(named.filter(([, value]) => value !== undefined));
  const given: Record<string, unknown> = { profile: 'fapi2', ...chosen };
  if (jwks !== undefined) given['jwks'] = await readJwks(jwks);
  return { registration: convertToUsageError(() => validateClientRegistration(given)), isPublic };
}

async function readJwks(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new UsageError(`${file} is not a JWK set: ${describeError(cause)}`, { cause });
  }
}
