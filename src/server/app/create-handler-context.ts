import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { AuditWriter } from '../platform/audit/audit-writer.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { ServedDefinitions } from '../../engine/compiler/definitions.ts';
import { createCaptchaService } from '../trust/abuse/captcha.ts';
import { loadFixedClients, createClientStore, type ClientStore } from '../trust/federation/clients/client-store.ts';
import { combinePendingRequestStores } from '../trust/federation/clients/pending-request.ts';
import { createClientValidator } from '../trust/federation/oidc/provider-configuration.ts';
import { openOidcProvider } from '../trust/federation/oidc/open-oidc.ts';
import { openWalletVerifier } from '../trust/federation/wallet/wallet-verifier.ts';
import { createSessionEndNotifier } from '../trust/federation/ends/notify-session-ends.ts';
import { createApplicationLookup, openSamlProvider } from '../trust/federation/saml/open-saml.ts';
import type { ServiceProviderStore } from '../trust/federation/saml/service-providers.ts';
import { describeShortRsaKey } from '../trust/federation/saml/service-provider-registration.ts';
import { createUpstreamProviders } from '../trust/federation/upstream/upstream-providers.ts';
import { StartError } from '../platform/base/errors.ts';
import { createAccessTokenIssuer } from '../trust/sessions/access-tokens.ts';
import type { Clock } from '../platform/base/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { ContentByLanguage } from '../features/content/localized-content.ts';
import { createSessionSecretReader } from '../platform/http/cookies.ts';
import {
  assertServerKeysMatchFingerprints,
  loadServerKeysMatchingFingerprints,
} from '../platform/keys/key-fingerprints.ts';
import { assertKeyStrength, rereadServerKeys } from '../platform/keys/load-server-keys.ts';
import { createSigningKeyRing } from '../platform/keys/signing-keys.ts';
import { createPasswordHasher, type PasswordHashCost, type PasswordHasher } from '../trust/credentials/passwords.ts';
import { createVault } from '../platform/keys/vault.ts';
import { createLogoStore } from '../trust/federation/clients/logo-store.ts';
import { loadMailTemplates } from '../platform/mail/load-mail-templates.ts';
import { createScreenValidator } from './create-screen-validator.ts';
import type { HandlerContext } from '../features/handler-context.ts';
import { rateLimits, mailTemplates, lookUpText } from './server-modules.ts';
import { openIdentityRegistry } from '../trust/identity/registry/identity-registry.ts';
import { importIdentityRegistryCsv } from '../trust/identity/registry/import-registry-csv.ts';
import { importSampleDataModule, listSampleClients } from './import-samples.ts';
import { readTrustStore } from '../trust/certificates/trust-store.ts';
import { locateDatabase, openDatabaseStore, type DatabaseStore } from '../platform/database/open-store.ts';
import { createBrowserModuleStore } from '../platform/definitions/browser-module-store.ts';
import { createDatabaseCommandRunner } from '../trust/notices/database-commands.ts';
import { createSignedFileChecker } from '../features/signature/verification/signed-file-checker.ts';
import { createCallMails } from '../features/video-calls/call-mails.ts';
import { openMalwareScanner } from '../trust/uploads/malware-scanner.ts';
import { createAttemptThrottle } from '../trust/abuse/attempt-throttle.ts';
import countries from '../features/content/reference/countries.json' with { type: 'json' };

export interface HandlerContextOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly definitions: () => ServedDefinitions;
  readonly content: () => ContentByLanguage;
  readonly metrics?: Metrics;
  /** Cost of password hashes. Tests set a low cost, because they hash thousands of passwords. */
  readonly passwordCost?: PasswordHashCost;
}

/** Maximum number of queued password hashes, about two seconds of work on four cores. Beyond it, requests that need a hash are rejected. */
const maxQueuedHashes = 256;

/** Creates the dependencies of the handlers. The caller must close `fileChecker` and `store`. */
export async function createHandlerContext(options: HandlerContextOptions): Promise<HandlerContext> {
  const { config, clock, log, definitions, content } = options;
  const trust = await readTrustStore('SIGNATURE', config.signature);
  const cardTrust = await readTrustStore('CARD', config.card ?? { roots: null, revocations: null });
  const clientTrust = await readTrustStore('MTLS', config.mtls);
  const wallet = await openWalletVerifier(config);
  const scanner = await openMalwareScanner(config.malwareScanner);
  const passwords = await createPasswordHasher({
    running: Math.ceil(availableParallelism() / config.workers),
    waiting: maxQueuedHashes,
    cost: options.passwordCost,
  });
  const store = await openDatabaseStore(locateDatabase(config, config.databasePool), log);
  try {
    const keys = await loadServerKeysMatchingFingerprints(store, config.keys, clock.now());
    if (!config.loopback) assertKeyStrength(keys, clock.now());
    await loadReferenceData(config, store, passwords, clock);
    let { encryption } = keys;
    const signing = createSigningKeyRing(keys.signing, clock);
    const decryption = createSigningKeyRing(keys.decryption, clock);
    const vault = createVault(() => encryption, clock);
    const checkClient = createClientValidator(config);
    const fixed = await loadFixedClients(config.clientsFile, await listSampleClients(config), checkClient);
    const clients = createClientStore(store, vault, fixed, checkClient);
    const saml = await openSamlProvider({ store, clock, log, vault, signing, decryption }, config);
    await assertDistinctIds(clients, saml.providers);
    await warnOfRefusedApplications(clients, saml.providers, config, log);
    if (!config.sampleData) await assertSessionReachesBroker(config, clients, saml.providers);
    const logos = createLogoStore(store, clock, { allowsPrivateTargets: config.backchannelPrivate, scanner });
    const throttle = createAttemptThrottle(store);
    const sessionSecret = createSessionSecretReader(config);
    const shared = { config, clock, log, store, vault };
    const oidc = openOidcProvider({ ...shared, signing, clients, throttle, sessionSecret, clientTrust });
    const auditWriter = new AuditWriter(keys.audit[0], options.metrics);
    const templates = await loadMailTemplates(mailTemplates, config.baseUrl);
    return {
      ...shared,
      definitions,
      content,
      passwords,
      oidc,
      saml,
      logos,
      scanner,
      trust,
      cardTrust,
      wallet,
      throttle,
      templates,
      validateForm: createScreenValidator({ definitions, config, clock, store }),
      texts: lookUpText,
      async rereadKeys() {
        const read = await rereadServerKeys(config.keys);
        await assertServerKeysMatchFingerprints(store, read);
        if (!config.loopback) assertKeyStrength(read, clock.now());
        await saml.prepare([...read.signing, ...read.decryption]);
        signing.replaceKeys(read.signing);
        decryption.replaceKeys(read.decryption);
        encryption = read.encryption;
      },
      notifyEnds: createSessionEndNotifier({ ...shared, oidc, saml }),
      upstreams: createUpstreamProviders({ config, clock, store, vault, saml }),
      applications: createApplicationLookup(clients, saml.providers),
      modules: createBrowserModuleStore(store, { clock, log, vault }),
      fileChecker: createSignedFileChecker(trust.roots),
      auditKeys: keys.audit,
      limits: rateLimits,
      captcha: createCaptchaService({ key: keys.captcha, ...config.captcha, clock, store }),
      registry: await openIdentityRegistry(config.registry, store),
      callMails: createCallMails(config),
      commands: createDatabaseCommandRunner({ store, auditWriter, clock, config, templates }),
      pendingRequests: combinePendingRequestStores([oidc.interactions, saml.requests]),
      tokens: createAccessTokenIssuer(signing, clock, { issuer: config.baseUrl, lifeS: config.tokenLifeS }),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Consents are stored by id, so an OIDC and a SAML application with the same id would share consents. */
async function assertDistinctIds(clients: ClientStore, providers: ServiceProviderStore): Promise<void> {
  for (const { id } of await clients.list())
    if ((await providers.byId(id)) !== null)
      throw new StartError(
        `${id} is registered for OpenID Connect and for SAML. Give one of them another id (CLIENTS_FILE, SAML_FILE, npx portal client).`,
      );
}

async function warnOfRefusedApplications(
  clients: ClientStore,
  providers: ServiceProviderStore,
  config: Config,
  log: Logger,
): Promise<void> {
  for (const { id, profile } of await clients.list()) {
    if (config.strictClients && profile !== 'fapi2')
      log.warn({ client: id }, 'an application is refused: CLIENTS_STRICT needs the profile fapi2');
    const client = await clients.find(id);
    if (client === null) continue;
    await createClientValidator(config)(client).catch((error: unknown) =>
      log.warn({ err: error, client: id }, 'an application is refused: register it again with npx portal client add'),
    );
  }
  if (config.loopback) return;
  for (const provider of await providers.list()) {
    const reason = describeShortRsaKey(provider);
    if (reason !== null)
      log.warn(
        { client: provider.registration.id, reason },
        'an application is refused: register it again with npx portal client add-saml',
      );
  }
}

/**
 * Throws a `StartError` if applications or identity providers redirect to BASE_URL, where the browser does not send the session cookie of a broker on
 * another host, so that citizens would have to sign in at each request.
 */
async function assertSessionReachesBroker(
  { baseUrl, hosts: { broker }, identityProviders }: Config,
  clients: ClientStore,
  providers: ServiceProviderStore,
): Promise<void> {
  if (broker === '' || new URL(broker).hostname === new URL(baseUrl).hostname) return;
  const names = [
    ...(await clients.list()).map(({ id }) => id),
    ...(await providers.list()).map(({ metadata }) => metadata.entityId),
    ...identityProviders.map(({ identificador }) => identificador),
  ];
  if (names.length > 0)
    throw new StartError(
      `BROKER_URL (${broker}) is another host than BASE_URL (${baseUrl}), at which applications and identity providers look for the session: ${names.join(', ')}. Leave BROKER_URL empty.`,
    );
}

/**
 * Stores the countries, the registry's CSV file and, with SAMPLE_DATA, the sample data. The passwords of sample citizens are public, so SAMPLE_DATA
 * is on by default only on loopback.
 */
async function loadReferenceData(config: Config, store: DatabaseStore, passwords: PasswordHasher, clock: Clock) {
  await storeCountries(store);
  if (config.registryCsv !== null) await importIdentityRegistryCsv(store, config.registryCsv);
  if (!config.sampleData) return;
  const { storeSampleCitizens, storeSampleRegistry } = await importSampleDataModule();
  if (config.registryCsv === null) await storeSampleRegistry(store);
  await storeSampleCitizens(store, passwords, clock);
}

export async function storeCountries(store: DatabaseStore): Promise<void> {
  const types = Object.entries(countries.tipos).map(([code, name]) => ({ code, name }));
  await store.db
    .insertInto('document_types')
    .values(types)
    .onConflict((conflict) => conflict.column('code').doUpdateSet(({ ref }) => ({ name: ref('excluded.name') })))
    .execute();
  await store.db
    .insertInto('countries')
    .values(countries.paises.map(({ codigo, nombre }, position) => ({ code: codigo, name: nombre, position })))
    .onConflict((conflict) =>
      conflict
        .column('code')
        .doUpdateSet(({ ref }) => ({ name: ref('excluded.name'), position: ref('excluded.position') })),
    )
    .execute();
  const documents = countries.paises.flatMap(({ codigo: country, documentos }) =>
    documentos.map((type, position) => ({ country, type, position })),
  );
  await store.db
    .insertInto('country_documents')
    .values(documents)
    .onConflict((conflict) =>
      conflict.columns(['country', 'type']).doUpdateSet(({ ref }) => ({ position: ref('excluded.position') })),
    )
    .execute();
}
