import { list, onOff, optional, optionalPort, parseChoice, setting, text, url, whole } from './setting-values.ts';

/** Connections with other machines. PLAIN_TRANSPORTS lists those that may lack TLS. */
export const transportNames = ['database', 'mail', 'registry', 'traces', 'metrics', 'audit'] as const;

export type TransportName = (typeof transportNames)[number];

export const connectionSettings = {
  TLS_FILE: setting(
    '',
    text,
    'PEM file with certificate and key for PORT and METRICS_PORT. Without it both serve plain HTTP, for a proxy on this machine or a service mesh.',
  ),
  HSTS_PRELOAD: setting(
    'off',
    onOff,
    'Send `preload` in Strict-Transport-Security, which allows browsers to list the domain as TLS-only. Then submit it at hstspreload.org. Undoing this takes months.',
  ),
  PLAIN_TRANSPORTS: setting(
    '',
    list(parseChoice(...transportNames)),
    'Connections to other machines that may omit TLS because a service mesh encrypts them, comma-separated: `database`, `mail`, `registry`, `traces`, `metrics`, `audit`.',
  ),
  METRICS_PORT: setting(
    '',
    optionalPort,
    'Port for `GET /metrics` in Prometheus format. Do not expose it publicly. With WORKERS, the first of consecutive ports. If empty, nothing is measured.',
  ),
  METRICS_TOKEN: setting(
    '',
    text,
    'Bearer token for METRICS_PORT. Required unless HOST is a loopback address.',
    'secret',
  ),
  OTLP_URL: setting(
    '',
    optional(url('http:', 'https:')),
    'URL of an OTLP/HTTP collector for traces, e.g. `http://collector:4318/v1/traces`. If empty, no traces are recorded.',
  ),
  TRACE_PERCENT: setting(
    '1',
    whole(0, 100),
    'Percentage of requests that are traced. A proxy in TRUST_PROXY that sends a trace context decides for its requests.',
  ),
  AUDIT_SINK: setting(
    '',
    optional(url('http:', 'https:')),
    'URL of an external OTLP/HTTP (JSON) collector that gets the sealed audit rows as logs, e.g. `https://collector:4318/v1/logs`. If empty, they are not sent.',
  ),
  AUDIT_SINK_TOKEN: setting('', text, 'Bearer token for AUDIT_SINK.', 'secret'),
  DATABASE_URL: setting(
    '',
    optional(url('postgres:', 'postgresql:')),
    'URL of PostgreSQL. On another machine it needs `?sslmode=verify-full`, and optionally `sslrootcert`, `sslcert` and `sslkey`. If empty, the embedded database in DATA_DIR.',
    'secret',
  ),
  DATABASE_OWNER_URL: setting(
    '',
    optional(url('postgres:', 'postgresql:')),
    'URL of the same database for the role that owns the tables. Used for migrations, restores and granting rights to the role of DATABASE_URL. If empty, the role of DATABASE_URL owns them.',
    'secret',
  ),
  DATABASE_POOL: setting('10', whole(1, 200), 'Maximum number of connections to PostgreSQL per process.'),
  SMTP_URL: setting(
    '',
    optional(url('smtp:', 'smtps:')),
    'URL of the mail server. Required unless BASE_URL is a loopback address.',
    'secret',
  ),
  REGISTRY_URL: setting(
    '',
    optional(url('http:', 'https:')),
    'URL of an HTTP registry that replaces the registry table. It gets a POST of `{"cedula": "12345672"}`.',
  ),
  REGISTRY_TOKEN: setting(
    '',
    text,
    'Bearer token for REGISTRY_URL. This or REGISTRY_CERT is required, unless the URL is a loopback address or PLAIN_TRANSPORTS lists `registry`.',
    'secret',
  ),
  REGISTRY_CERT: setting('', text, 'PEM file with client certificate and key for REGISTRY_URL.'),
} as const;
