import pg from 'pg';
import { isLoopbackHost, type Config } from './config.ts';
import type { PlainTransportName } from './connection-settings.ts';

/** Lists the connections, each with whether it leaves this machine without verified TLS. `remedy` names the setting to change. */
function listConnections(
  config: Config,
): readonly (readonly [name: PlainTransportName, isPlain: boolean, remedy: string])[] {
  return [
    ['database', isPlainDatabase(config.databaseUrl), 'DATABASE_URL must end with ?sslmode=verify-full'],
    ['database', isPlainDatabase(config.databaseOwnerUrl), 'DATABASE_OWNER_URL must end with ?sslmode=verify-full'],
    ['mail', isPlainMail(config.smtpUrl), 'SMTP_URL must be smtps:, or end with ?requireTLS=true'],
    ['registry', isPlain(config.registry), 'REGISTRY_URL must be https:'],
    ['traces', isPlain(config.traces), 'OTLP_URL must be https:'],
    ['audit', isPlain(config.auditSink), 'AUDIT_SINK must be https:'],
    ['scanner', isPlain(config.malwareScanner), 'MALWARE_SCANNER must be tls:'],
    [
      'metrics',
      config.metricsPort !== null && !isLoopbackHost(config.host) && config.tlsFile === null,
      'TLS_FILE must be set with METRICS_PORT',
    ],
    ['http', !config.loopback && !isLoopbackHost(config.host) && config.tlsFile === null, 'TLS_FILE must be set'],
  ];
}

/** Finds transports without TLS that PLAIN_TRANSPORTS does not list, and a registry connection without client authentication. */
export function* findPlainTransportConflicts(config: Config): Generator<string> {
  const { registry, plainTransports } = config;
  for (const [name, isPlain, remedy] of listConnections(config))
    if (isPlain && !plainTransports.includes(name))
      yield `${remedy}, because without TLS others can read and change the data. If a service mesh encrypts this connection, add ${name} to PLAIN_TRANSPORTS.`;
  if (registry === null || registry.token !== null || registry.tls.certificate !== null) return;
  if (!isLoopbackUrl(registry.url) && !plainTransports.includes('registry') && !isPlain(registry))
    yield 'REGISTRY_TOKEN or REGISTRY_CERT must be set with REGISTRY_URL, because a registry must only answer authenticated clients.';
}

export function listAllowedPlainTransports(config: Config): readonly PlainTransportName[] {
  return [...new Set(listConnections(config).flatMap(([name, isPlain]) => (isPlain ? [name] : [])))];
}

/**
 * Whether the connection to the database lacks verified TLS. `pg` parses the URL, because it also reads PGHOST and PGSSLMODE. If `pg` throws, the
 * connection reports the error later.
 */
function isPlainDatabase(url: string | null): boolean {
  if (url === null) return false;
  try {
    const { host, ssl } = new pg.Client({ connectionString: url }) as unknown as {
      readonly host: string; // the cast is needed because the types lack the object form of `ssl`
      readonly ssl: boolean | { readonly rejectUnauthorized?: boolean; readonly checkServerIdentity?: unknown };
    };
    if (host.startsWith('/') || isLoopbackHost(host)) return false;
    if (typeof ssl === 'boolean') return !ssl;
    return ssl.rejectUnauthorized === false || ssl.checkServerIdentity !== undefined; // a custom `checkServerIdentity` skips the check of the host name
  } catch {
    return false;
  }
}

function isPlainMail(url: string | null): boolean {
  if (url === null || isLoopbackUrl(url)) return false;
  const { protocol, searchParams } = new URL(url);
  const isSet = (name: string, value: string) => searchParams.get(name) === value;
  if (isSet('tls.rejectUnauthorized', 'false') || isSet('ignoreTLS', 'true')) return true;
  return protocol === 'smtp:' ? !isSet('requireTLS', 'true') : isSet('secure', 'false');
}

function isPlain(service: { readonly url: string } | null): boolean {
  return service !== null && /^(http|tcp):/i.test(service.url) && !isLoopbackUrl(service.url);
}

function isLoopbackUrl(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname.replace(/^\[|\]$/g, ''));
}
