import { parseIpNetworks } from '../base/ip-addresses.ts';
import {
  defineListSetting,
  parseMalwareScannerAddress,
  createOptionalParser,
  parseOptionalPort,
  defineOptionalSetting,
  parseHttpOrigin,
  createChoiceParser,
  parseOnOff,
  defineSecretSetting,
  defineSetting,
  parseText,
  defineTextSetting,
  createUrlParser,
  createWholeNumberParser,
  type Setting,
} from './setting-values.ts';

/** Connections to and from other machines for which PLAIN_TRANSPORTS may disable TLS. */
const plainTransportNames = ['database', 'mail', 'registry', 'traces', 'metrics', 'audit', 'scanner', 'http'] as const;

export type PlainTransportName = (typeof plainTransportNames)[number];

type ClientTlsSettings<Prefix extends string> = {
  readonly [Name in `${Prefix}_${'ROOTS' | 'CERT'}`]: Setting<string>;
};

function clientTlsSettings<Prefix extends string>(prefix: Prefix, urlSetting: string): ClientTlsSettings<Prefix> {
  return {
    [`${prefix}_ROOTS`]: defineTextSetting(
      `PEM file of the certificate authorities that may issue the server certificate of ${urlSetting}. No other authority is trusted. If empty, public authorities and those in NODE_EXTRA_CA_CERTS are trusted.`,
    ),
    [`${prefix}_CERT`]: defineTextSetting(`PEM file with client certificate and key for ${urlSetting}.`),
  } as ClientTlsSettings<Prefix>; // the cast is needed, because TypeScript widens computed keys to `string`
}

export const connectionSettings = {
  TLS_FILE: defineTextSetting(
    'PEM file with certificate and key for PORT and METRICS_PORT. If empty, both serve plain HTTP for a proxy on this machine. For a proxy on another machine, PLAIN_TRANSPORTS must then list `http` and, with METRICS_PORT, `metrics`.',
  ),
  HSTS_PRELOAD: defineSetting(
    'off',
    parseOnOff,
    'Send `preload` in Strict-Transport-Security, which allows browsers to list the domain as TLS-only. The domain must also be submitted at hstspreload.org. Undoing this takes months.',
  ),
  PLAIN_TRANSPORTS: defineListSetting(
    createChoiceParser(...plainTransportNames),
    'Connections to other machines that may omit TLS because a service mesh encrypts them, comma-separated: `database`, `mail`, `registry`, `traces`, `metrics`, `audit`, `scanner`, `http` (PORT itself, behind a proxy).',
  ),
  METRICS_PORT: defineSetting(
    '',
    parseOptionalPort,
    'Port for `GET /metrics` in Prometheus format. Do not expose it publicly. With WORKERS, the first of consecutive ports. If empty, metrics are not collected.',
  ),
  METRICS_TOKEN: defineSecretSetting(
    parseText,
    'Bearer token for METRICS_PORT. Required unless HOST is a loopback address.',
  ),
  METRICS_ROOTS: defineTextSetting(
    'PEM file of the certificate authorities that issue the client certificates of scrapers of METRICS_PORT. If set, scrapes without a client certificate of these authorities are rejected. Requires TLS_FILE.',
  ),
  OTLP_URL: defineOptionalSetting(
    createUrlParser('http:', 'https:'),
    'URL of an OTLP/HTTP collector for traces, e.g. `http://collector:4318/v1/traces`. If empty, no traces are recorded.',
  ),
  ...clientTlsSettings('OTLP', 'OTLP_URL'),
  TRACE_PERCENT: defineSetting(
    '1',
    createWholeNumberParser(0, 100),
    'Percentage of requests that are traced. If a proxy in TRUST_PROXY sends a trace context with a request, the proxy decides instead.',
  ),
  AUDIT_SINK: defineOptionalSetting(
    createUrlParser('http:', 'https:'),
    'URL of an external OTLP/HTTP (JSON) collector that gets the sealed audit rows as logs, e.g. `https://collector:4318/v1/logs`. If empty, they are not sent.',
  ),
  AUDIT_SINK_TOKEN: defineSecretSetting(parseText, 'Bearer token for AUDIT_SINK.'),
  ...clientTlsSettings('AUDIT_SINK', 'AUDIT_SINK'),
  DATABASE_URL: defineSecretSetting(
    createOptionalParser(createUrlParser('postgres:', 'postgresql:')),
    'URL of PostgreSQL. For another machine, the URL needs `?sslmode=verify-full`, and optionally `sslrootcert`, `sslcert` and `sslkey`. If empty, the embedded database in DATA_DIR is used.',
  ),
  DATABASE_OWNER_URL: defineSecretSetting(
    createOptionalParser(createUrlParser('postgres:', 'postgresql:')),
    'URL of the same database for the role that owns the tables. Used for migrations, restores and granting rights to the role of DATABASE_URL. If empty, the role of DATABASE_URL owns them.',
  ),
  DATABASE_POOL: defineSetting(
    '10',
    createWholeNumberParser(1, 200),
    'Maximum number of connections to PostgreSQL per process.',
  ),
  SMTP_URL: defineSecretSetting(
    createOptionalParser(createUrlParser('smtp:', 'smtps:')),
    'URL of the mail server. Required unless BASE_URL is a loopback address. Put a password in it only if the provider accepts no client certificate (SMTP_CERT).',
  ),
  ...clientTlsSettings('SMTP', 'SMTP_URL'),
  MALWARE_SCANNER: defineSetting(
    '',
    parseMalwareScannerAddress,
    'URL of clamd, which checks each uploaded file and each logo before it is stored: `tcp://127.0.0.1:3310`, or `tls://` for a scanner behind a TLS proxy on another machine. `none` disables the check. Required unless BASE_URL is a loopback address.',
  ),
  ...clientTlsSettings('MALWARE_SCANNER', 'MALWARE_SCANNER'),
  REGISTRY_URL: defineOptionalSetting(
    createUrlParser('http:', 'https:'),
    'URL of an HTTP registry that replaces the registry table. Each query is a POST of `{"cedula": "12345672"}`.',
  ),
  REGISTRY_TOKEN: defineSecretSetting(
    parseText,
    'Bearer token for REGISTRY_URL. This or REGISTRY_CERT is required, unless the URL is a loopback address or PLAIN_TRANSPORTS lists `registry`.',
  ),
  ...clientTlsSettings('REGISTRY', 'REGISTRY_URL'),
} as const;

export const cardSettings = {
  CARD_URL: defineOptionalSetting(
    parseHttpOrigin,
    'Origin (https) that requests the client certificate of an identity card or an application in the TLS handshake. Its host or port must differ from BASE_URL. A listener of this server (CARD_PORT) or a proxy (CARD_PROXY) serves it. If empty, citizens cannot sign in with the card.',
  ),
  CARD_PORT: defineSetting(
    '',
    parseOptionalPort,
    'Port at which this server serves CARD_URL. If empty, a proxy must serve it (CARD_PROXY).',
  ),
  CARD_TLS: defineTextSetting('PEM file with the TLS certificate and key for CARD_PORT.'),
  CARD_PROXY: defineSetting(
    '',
    parseIpNetworks,
    'Comma-separated addresses and networks of the proxy that serves CARD_URL. It sends the client certificate in the header `X-Client-Cert` (PEM, percent-encoded). The server ignores this header from other addresses.',
  ),
  CARD_PROXY_SECRET: defineSecretSetting(
    parseText,
    'Secret of at least 32 characters that CARD_PROXY adds to requests to CARD_URL, in the header `X-Card-Secret`. The proxy must not add it to other requests.',
  ),
  MTLS_ROOTS: defineTextSetting(
    'PEM file of the certificate authorities that issue the certificates of applications (`tls_client_auth`), including intermediate authorities. If empty, only self-signed certificates authenticate applications.',
  ),
  MTLS_CRLS: defineTextSetting(
    'PEM file of the revocation lists of MTLS_ROOTS, reloaded when it changes. A certificate that no current list covers is rejected. If empty, revocation is not checked.',
  ),
  CARD_ROOTS: defineTextSetting('PEM file of the certificate authorities that issue identity cards.'),
  CARD_CRLS: defineTextSetting(
    'PEM file of the revocation lists of CARD_ROOTS, reloaded when it changes. A card that no current list covers is rejected.',
  ),
} as const;
