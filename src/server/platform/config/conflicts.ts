import type { Config } from './config.ts';
import { isLoopbackHost } from './loopback.ts';
import { plainTransportConflicts } from './plain-transports.ts';
import type { Settings } from './settings.ts';

/** Finds settings that contradict each other. Each sentence says which one to set and why. */
export function conflicts(config: Config, { BASE_URL, NODE_ENV }: Settings): readonly string[] {
  const found: string[] = [];
  if (BASE_URL === '' && !isLoopbackHost(config.host)) {
    found.push(
      `BASE_URL must be set, because HOST (${config.host}) is not a loopback address and others do not reach ${config.baseUrl}.`,
    );
  }
  if (config.workers > 1 && config.databaseUrl === null) {
    found.push(
      `WORKERS (${config.workers}) needs DATABASE_URL, because the embedded database has one process only. Set it, or WORKERS to 1.`,
    );
  }
  if (config.databaseOwnerUrl !== null && readUser(config.databaseOwnerUrl) === readUser(config.databaseUrl ?? ''))
    found.push(
      'DATABASE_OWNER_URL must name another role than DATABASE_URL, because the server must not own the tables.',
    );
  found.push(...portConflicts(config));
  if (config.metricsPort !== null && config.metricsToken === null && !isLoopbackHost(config.host))
    found.push(
      `METRICS_TOKEN must be set with METRICS_PORT, because HOST (${config.host}) is not a loopback address and others reach the port.`,
    );
  if (config.sampleData && !config.loopback) {
    found.push(
      `SAMPLE_DATA must be off, because BASE_URL (${config.baseUrl}) is not a loopback address and everybody knows the passwords.`,
    );
  }
  if (config.room.turn.length > 0 !== (config.room.turnSecret !== '')) {
    found.push(
      'TURN_URLS and TURN_SECRET must be set together, because a TURN server takes nobody without credentials.',
    );
  }
  if (config.room.turnOnly && config.room.turn.length === 0) {
    found.push('TURN_ONLY needs TURN_URLS, because no call could take place.');
  }
  if (config.securityContact.uris.length > 0 !== (config.securityContact.expires !== '')) {
    found.push(
      'SECURITY_CONTACT and SECURITY_EXPIRES must be set together, because a security.txt without an expiry is invalid (RFC 9116).',
    );
  }
  found.push(...plainTransportConflicts(config));
  found.push(...cardConflicts(config, NODE_ENV));
  if (config.wallet !== null && config.wallet.signer === '') {
    found.push('WALLET_SIGNER must be set with WALLET_ISSUERS, because wallets answer nobody whom they do not know.');
  }
  if (!config.loopback && config.smtpUrl === null) {
    found.push(
      `SMTP_URL must be set, because BASE_URL (${config.baseUrl}) is not a loopback address and citizens need their mails.`,
    );
  }
  const { backend, broker } = config.hosts;
  const named = { BACKEND_URL: backend, BROKER_URL: broker, AGENTS_HOST: config.agentsHost };
  for (const [name, address] of Object.entries(named))
    if (!config.loopback && address.startsWith('http:'))
      found.push(
        `${name} (${address}) must be https:, because BASE_URL is no loopback address and what it serves needs TLS.`,
      );
  if (config.agentsHost !== '' && broker !== '' && !areSameSite(config.agentsHost, broker)) {
    found.push(
      `BROKER_URL (${broker}) must be of the site of AGENTS_HOST (${config.agentsHost}), because the cookie of an agent's session goes to no other one.`,
    );
  }
  const desk = config.agentsHost === '' ? null : new URL(config.agentsHost).hostname;
  const portal = new URL(config.baseUrl).hostname;
  if (!config.loopback && desk !== null && desk !== portal && !desk.endsWith(`.${portal}`))
    found.push(
      `AGENTS_HOST (${config.agentsHost}) must be a subdomain of ${portal}, the host of BASE_URL, because the passkeys of agents work nowhere else.`,
    );
  const shared = Object.entries({ BACKEND_URL: backend, BROKER_URL: broker }).find(
    ([, address]) => address !== '' && address === config.agentsHost && address !== new URL(config.baseUrl).origin,
  );
  if (shared !== undefined)
    found.push(
      `AGENTS_HOST (${config.agentsHost}) must be another host than ${shared[0]}, because citizens' pages may ask nothing of the desk's.`,
    );
  if (!config.loopback && !config.baseUrl.startsWith('https:')) {
    found.push('BASE_URL must be https:, because session cookies need it; only a loopback address may be http:.');
  }
  return found;
}

function readUser(url: string): string {
  return url === '' ? '' : new URL(url).username;
}

/** Listeners of a process cannot share a port, except 0 (any free port). With WORKERS, metrics ports count up from METRICS_PORT. */
function portConflicts({ port, metricsPort, outboxPort, smtpUrl, loopback, card, workers }: Config): readonly string[] {
  const ports: readonly (readonly [setting: string, first: number, count?: number])[] = [
    ['PORT', port],
    ['METRICS_PORT', metricsPort ?? 0, workers],
    ['OUTBOX_PORT', smtpUrl === null && loopback ? outboxPort : 0],
    ['CARD_PORT', card?.port ?? 0],
  ];
  const used = ports.filter(([, first]) => first !== 0);
  return used.flatMap(([setting, first, count = 1], at) =>
    used
      .slice(at + 1)
      .flatMap(([other, otherFirst, otherCount = 1]) =>
        first < otherFirst + otherCount && otherFirst < first + count
          ? [
              `${other} (${otherFirst}) must be another port than ${setting} (${first}), because one listener has a port for itself.`,
            ]
          : [],
      ),
  );
}

function cardConflicts({ card, flags }: Config, mode: string): readonly string[] {
  if (card === null)
    return flags.ci_electronica && mode === 'production'
      ? [
          'CARD_URL must be set in production, because FLAGS offers the identity card: whoever chose it would get nowhere.',
        ]
      : [];
  const found: string[] = [];
  if (!card.url.startsWith('https:')) found.push('CARD_URL must be https:, because TLS asks for the card.');
  if (card.roots === '' || card.revocations === '')
    found.push('CARD_ROOTS and CARD_CRLS must be set with CARD_URL, because no card could be trusted.');
  if ((card.port === null) === (card.proxies.length === 0))
    found.push('Either CARD_PORT or CARD_PROXY must be set with CARD_URL: who asks for the card.');
  if (card.proxies.length > 0 && card.proxySecret.length < 32)
    found.push(
      'CARD_PROXY_SECRET must have 32 characters or more where CARD_PROXY is set, because what the proxy passes on of others comes from the same address.',
    );
  if (card.port !== null && card.tls === '') found.push('CARD_TLS must be set with CARD_PORT.');
  return found;
}

/** Public second-level domains, as in `gub.uy`. Under them a registrable domain has three labels. */
const shared = new Set(['ac', 'co', 'com', 'edu', 'gob', 'gov', 'gub', 'mil', 'net', 'org']);

/** Whether two origins are same-site, as browsers decide it for cookies: equal scheme and registrable domain. */
function areSameSite(one: string, other: string): boolean {
  return registrableSite(new URL(one)) === registrableSite(new URL(other));
}

function registrableSite({ protocol, hostname }: URL): string {
  const labels = hostname.split('.');
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  const length = labels.at(-1)?.length === 2 && shared.has(labels.at(-2) ?? '') ? 3 : 2;
  return `${protocol}//${isAddress ? hostname : labels.slice(-length).join('.')}`;
}

/** Risks of the configured agents' desk, one sentence each, for the start log and `portal doctor`. A loopback server has none. */
export function deskRisks({
  loopback,
  baseUrl,
  agentsHost,
  agentDomains,
  elevationSecondAgent,
}: Pick<Config, 'loopback' | 'baseUrl' | 'agentsHost' | 'agentDomains' | 'elevationSecondAgent'>): readonly string[] {
  if (loopback) return [];
  const isShared = agentsHost === '' || agentsHost === new URL(baseUrl).origin;
  return [
    ...(isShared && agentDomains.length > 0
      ? [
          "AGENTS_HOST is empty: the desk shares its origin with the citizens' pages, so a script injected into any of them acts with the session of an agent. Give the desk a host of its own.",
        ]
      : []),
    ...(elevationSecondAgent
      ? []
      : ['ELEVATION_SECOND_AGENT is off: one agent alone raises the level of an account and changes its address.']),
  ];
}
