import { list, onOff, optional, optionalPort, parseChoice, setting, text, url, whole } from './setting-values.ts';

/** Connections to and from other machines that PLAIN_TRANSPORTS may leave without TLS. */
export const transportNames = ['database', 'mail', 'registry', 'traces', 'metrics', 'audit'] as const;

export type TransportName = (typeof transportNames)[number];

export const connectionSettings = {
  TLS_FILE: setting(
    '',
    text,
    'PEM file with certificate and key: PORT and METRICS_PORT serve TLS; empty: plain HTTP, for a proxy on this machine or a service mesh.',
  ),
  HSTS_PRELOAD: setting(
    'off',
    onOff,
    'Consent to the lists of hosts that browsers only open with TLS (`preload` in Strict-Transport-Security): enter the domain at hstspreload.org afterwards. It takes months to undo.',
  ),
  PLAIN_TRANSPORTS: setting(
    '',
    list(parseChoice(...transportNames)),
    'Connections to other machines that may go without TLS, because a service mesh encrypts them, separated by commas: `database`, `mail`, `registry`, `traces`, `metrics`, `audit`.',
  ),
  METRICS_PORT: setting(
    '',
    optionalPort,
    'Port of HOST that answers `GET /metrics` in the format of Prometheus, for nobody outside; with WORKERS the first of as many; empty: nothing is measured.',
  ),
  METRICS_TOKEN: setting(
    '',
    text,
    'Bearer token that this port requires; needed unless HOST is a loopback address.',
    'secret',
  ),
  OTLP_URL: setting(
    '',
    optional(url('http:', 'https:')),
    'Address of a collector that takes traces as OTLP over HTTP, e.g. `http://collector:4318/v1/traces`; empty: none is recorded.',
  ),
  TRACE_PERCENT: setting(
    '1',
    whole(0, 100),
    'How many of a hundred requests are recorded with OTLP_URL; whoever is in TRUST_PROXY and names a trace decides for its requests.',
  ),
  AUDIT_SINK: setting(
    '',
    optional(url('http:', 'https:')),
    'Address of a collector of another party that takes sealed rows of the audit log as OTLP logs over HTTP (JSON), e.g. `https://collector:4318/v1/logs`; empty: none.',
  ),
  AUDIT_SINK_TOKEN: setting('', text, 'Bearer token that it requires.', 'secret'),
  DATABASE_URL: setting(
    '',
    optional(url('postgres:', 'postgresql:')),
    'PostgreSQL; empty: the embedded database in DATA_DIR. From another machine with `?sslmode=verify-full`, perhaps `sslrootcert`, `sslcert` and `sslkey`.',
    'secret',
  ),
  DATABASE_OWNER_URL: setting(
    '',
    optional(url('postgres:', 'postgresql:')),
    'URL of the same database for the role that owns the tables. Used for migrations, restores and granting rights to the role of DATABASE_URL. If empty, the role of DATABASE_URL owns them.',
    'secret',
  ),
  DATABASE_POOL: setting('10', whole(1, 200), 'Most connections to PostgreSQL, of each process.'),
  SMTP_URL: setting(
    '',
    optional(url('smtp:', 'smtps:')),
    'Mail server; needed unless BASE_URL is a loopback address.',
    'secret',
  ),
  REGISTRY_URL: setting(
    '',
    optional(url('http:', 'https:')),
    'HTTP service that is asked in place of the registry table, by POST of `{"cedula": "12345672"}`.',
  ),
  REGISTRY_TOKEN: setting(
    '',
    text,
    'Bearer token that it requires; this or REGISTRY_CERT is needed, unless its address is a loopback address or PLAIN_TRANSPORTS lists `registry`.',
    'secret',
  ),
  REGISTRY_CERT: setting('', text, 'PEM file with the client certificate that it requires, and its key.'),
} as const;
