import { isLoopbackHost, type Config } from './config.ts';
import { findPlainTransportConflicts } from './plain-transports.ts';
import type { SettingValues } from './settings.ts';

export function* findSettingConflicts(config: Config, { BASE_URL, NODE_ENV, MALWARE_SCANNER }: SettingValues) {
  const { host, baseUrl, loopback, databaseUrl, databaseOwnerUrl, room, agentsHost } = config;
  const { backend, broker } = config.hosts;
  if (BASE_URL === '' && !isLoopbackHost(host))
    yield `BASE_URL must be set, because HOST (${host}) is not a loopback address, and other machines cannot reach ${baseUrl}.`;
  if (config.workers > 1 && databaseUrl === null)
    yield `WORKERS (${config.workers}) needs DATABASE_URL, because only one process can use the embedded database. Set DATABASE_URL, or set WORKERS to 1.`;
  if (databaseOwnerUrl !== null && readUser(databaseOwnerUrl) === readUser(databaseUrl ?? ''))
    yield 'DATABASE_OWNER_URL must name another role than DATABASE_URL, because the server must not own the tables.';
  yield* findPortConflicts(config);
  if (config.metricsPort !== null && config.metricsToken === null && !isLoopbackHost(host))
    yield `METRICS_TOKEN must be set with METRICS_PORT, because HOST (${host}) is not a loopback address, and other machines can reach the port.`;
  if (config.sampleData && !loopback)
    yield `SAMPLE_DATA must be off, because BASE_URL (${baseUrl}) is not a loopback address, and the passwords of the sample accounts are published.`;
  if (room.turn.length > 0 !== (room.turnSecret !== ''))
    yield 'TURN_URLS and TURN_SECRET must be set together, because a TURN server rejects clients without credentials.';
  if (room.turnOnly && room.turn.length === 0)
    yield 'TURN_ONLY needs TURN_URLS, because without a TURN server no call could connect.';
  if (config.securityContact.uris.length > 0 !== (config.securityContact.expires !== ''))
    yield 'SECURITY_CONTACT and SECURITY_EXPIRES must be set together, because a security.txt without an expiry is invalid (RFC 9116).';
  yield* findPlainTransportConflicts(config);
  yield* findCardConflicts(config, NODE_ENV);
  if (config.wallet !== null && config.wallet.signer === '')
    yield 'WALLET_SIGNER must be set with WALLET_ISSUERS, because wallets reject unsigned requests.';
  if (!loopback && config.smtpUrl === null)
    yield `SMTP_URL must be set, because BASE_URL (${baseUrl}) is not a loopback address, and citizens must receive their mails.`;
  if (!loopback && MALWARE_SCANNER === '')
    yield `MALWARE_SCANNER must be set, because BASE_URL (${baseUrl}) is not a loopback address, and uploaded files can contain malware. With none, files are stored without a check.`;
  if (config.metricsRoots !== null && (config.metricsPort === null || config.tlsFile === null))
    yield 'METRICS_PORT and TLS_FILE must be set with METRICS_ROOTS, because the certificate of a scraper is verified in the TLS handshake.';
  for (const [name, address] of Object.entries({ BACKEND_URL: backend, BROKER_URL: broker, AGENTS_HOST: agentsHost }))
    if (!loopback && address.startsWith('http:'))
      yield `${name} (${address}) must be https:, because BASE_URL is not a loopback address.`;
  if (agentsHost !== '' && broker !== '' && getRegistrableSite(agentsHost) !== getRegistrableSite(broker))
    yield `BROKER_URL (${broker}) must be on the same site as AGENTS_HOST (${agentsHost}), because browsers send the session cookie of an agent only to that site.`;
  const desk = agentsHost === '' ? null : new URL(agentsHost).hostname;
  const portal = new URL(baseUrl);
  if (!loopback && desk !== null && desk !== portal.hostname && !desk.endsWith(`.${portal.hostname}`))
    yield `AGENTS_HOST (${agentsHost}) must be a subdomain of ${portal.hostname}, the host of BASE_URL, because passkeys of agents only work on that host and its subdomains.`;
  if (
    !loopback &&
    !config.sampleData &&
    config.agentDomains.length > 0 &&
    (desk === null || agentsHost === portal.origin)
  )
    yield "AGENTS_HOST must be set with AGENT_DOMAINS to another origin than BASE_URL, because on one origin, a script injected into a citizens' page could use the session of an agent.";
  const shared = backend === agentsHost ? 'BACKEND_URL' : 'BROKER_URL';
  if (agentsHost !== '' && [backend, broker].includes(agentsHost) && agentsHost !== portal.origin)
    yield `AGENTS_HOST (${agentsHost}) must differ from ${shared}, because the desk's origin rejects requests from citizens' pages.`;
  if (!loopback && !baseUrl.startsWith('https:'))
    yield 'BASE_URL must be https:, because session cookies need TLS. Only a loopback address can be http:.';
}

function readUser(url: string): string {
  return url === '' ? '' : new URL(url).username;
}

/** Finds listeners with the same port. Each worker has its own metrics port, counting up from METRICS_PORT. */
function* findPortConflicts({ port, metricsPort, outboxPort, smtpUrl, loopback, card, workers }: Config) {
  const ports = [
    { name: 'PORT', first: port, count: 1 },
    { name: 'METRICS_PORT', first: metricsPort ?? 0, count: workers },
    { name: 'OUTBOX_PORT', first: smtpUrl === null && loopback ? outboxPort : 0, count: 1 },
    { name: 'CARD_PORT', first: card?.port ?? 0, count: 1 },
  ].filter(({ first }) => first !== 0);
  for (const [at, one] of ports.entries())
    for (const other of ports.slice(at + 1))
      if (one.first < other.first + other.count && other.first < one.first + one.count)
        yield `${other.name} (${other.first}) must differ from ${one.name} (${one.first}), because two listeners cannot share a port.`;
}

function* findCardConflicts({ card, flags, mtls }: Config, mode: string): Generator<string> {
  if (mtls.roots === null ? mtls.revocations !== null : card === null)
    yield 'MTLS_CRLS needs MTLS_ROOTS, and MTLS_ROOTS needs CARD_URL, because applications present their certificates at CARD_URL.';
  if (card === null) {
    if (flags.ci_electronica && mode === 'production')
      yield 'CARD_URL must be set in production, because FLAGS enables sign-in by identity card (ci_electronica), which takes place at CARD_URL.';
    return;
  }
  if (!card.url.startsWith('https:'))
    yield 'CARD_URL must be https:, because the card is requested in the TLS handshake.';
  if (card.roots === '' || card.revocations === '')
    yield 'CARD_ROOTS and CARD_CRLS must be set with CARD_URL, because they decide which cards are trusted.';
  if ((card.port === null) === (card.proxies.length === 0))
    yield 'Either CARD_PORT or CARD_PROXY must be set with CARD_URL, and not both: this server or the proxy requests the card.';
  if (card.proxies.length > 0 && card.proxySecret.length < 32)
    yield 'CARD_PROXY_SECRET must have at least 32 characters if CARD_PROXY is set, because the proxy also forwards requests of others, with the same address.';
  if (card.port !== null && card.tls === '')
    yield 'CARD_TLS must be set with CARD_PORT, because the listener needs a certificate.';
}

/** Second-level domains under which organizations register their domains, such as `gub` in `gub.uy`. */
const publicSecondLevelDomains = new Set(['ac', 'co', 'com', 'edu', 'gob', 'gov', 'gub', 'mil', 'net', 'org']);

/** Returns the site of an origin in the definition of browsers: its scheme and registrable domain. */
function getRegistrableSite(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  const labels = hostname.split('.');
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  const length = labels.at(-1)?.length === 2 && publicSecondLevelDomains.has(labels.at(-2) ?? '') ? 3 : 2;
  return `${protocol}//${isAddress ? hostname : labels.slice(-length).join('.')}`;
}

/** Returns the risk of the configured desk, for the start log and `portal doctor`. Returns `null` if there is none. */
export function describeDeskRisk({ loopback, elevationSecondAgent }: Config): string | null {
  return loopback || elevationSecondAgent
    ? null
    : 'ELEVATION_SECOND_AGENT is off: a single agent can raise the level of an account and change its e-mail address.';
}
