import { domainToUnicode } from 'node:url';
import { readProxies, readNetworks } from '../base/addresses.ts';
import { callSettings, supportSettings } from './call-settings.ts';
import { connectionSettings } from './connection-settings.ts';
import {
  readPermissions as permissions,
  domain,
  encryptionKeys,
  flags,
  key32,
  list,
  onOff,
  parseChoice,
  optional,
  optionalOnOff,
  origin,
  pattern,
  pem,
  setting,
  text,
  url,
  whole,
  type Setting,
  optionalPort,
} from './setting-values.ts';
import { readIdentityProviders as identityProviders, readProviderSecrets } from './identity-providers.ts';
import { retentionSettings } from './retention-settings.ts';

const cardSettings = {
  CARD_URL: setting(
    '',
    optional(origin),
    'Origin at which browsers show an identity card, of the own listener (CARD_PORT) or of a proxy (CARD_PROXY), with a port or host of its own: its TLS asks for a certificate.',
  ),
  CARD_PORT: setting(
    '',
    optionalPort,
    'Port of a listener of the portal whose TLS asks for the card; empty: a proxy does.',
  ),
  CARD_TLS: setting('', text, 'PEM file with certificate and key of that listener.'),
  CARD_PROXY: setting(
    '',
    readNetworks,
    'Addresses and networks of the proxy whose header X-Client-Cert (PEM, percent-encoded) is believed, separated by commas; from anywhere else it is not.',
  ),
  CARD_PROXY_SECRET: setting(
    '',
    text,
    'What that proxy sends in X-Card-Secret beside it, at the origin of the card alone: 32 characters or more.',
    'secret',
  ),
  CARD_ROOTS: setting('', text, 'PEM file of the authorities that issue identity cards.'),
  CARD_CRLS: setting(
    '',
    text,
    'PEM file of their revocation lists, read again when it is renewed: a card that no current one speaks of does not sign in.',
  ),
} as const;

const walletSettings = {
  WALLET_ISSUERS: setting(
    '',
    text,
    'JSON file of the issuers whose credentials wallets may present: a list of `issuer`, `level` (1 to 3), `types` (vct), `keys` (JWKs of P-256) and `statusOrigins`; empty: no wallet signs in.',
  ),
  WALLET_SIGNER: setting(
    '',
    text,
    'PEM file with the certificate (and those above it) and the P-256 key that sign requests to wallets.',
  ),
  WALLET_SCHEME: setting('openid4vp://', text, 'What links to wallets begin with.'),
} as const;

/** Every setting of the server, by environment variable: declared, validated and documented here. */
export const settings = {
  NODE_ENV: setting(
    'production',
    parseChoice('production', 'development', 'test'),
    '`development` shows what is wrong with definitions on the page.',
  ),
  PORT: setting('3000', whole(0, 65_535), 'Port of the portal; 0: any free one.'),
  HOST: setting('127.0.0.1', text, 'Address that the portal listens on.'),
  BASE_URL: setting(
    '',
    optional(origin),
    'Public origin of the portal, the base of every link in mails; empty: http://localhost with PORT, when HOST is a loopback address.',
  ),
  BACKEND_URL: setting('', optional(origin), 'Origin of the backend host; empty: the origin of the page.'),
  BROKER_URL: setting(
    '',
    optional(origin),
    'Origin of the broker host; empty: the origin of the page. Applications and identity providers come to BASE_URL: with any of them both must be one host, on different ports at most.',
  ),
  TRUST_PROXY: setting(
    'off',
    readProxies,
    'Proxies that X-Forwarded-For is believed of: addresses and networks separated by commas (`10.0.0.5, 10.1.0.0/16, loopback`), or how many every request passes.',
  ),
  ...connectionSettings,
  SHED_LAG_MS: setting(
    '300',
    whole(0, 60_000),
    'Mean lag of the event loop in milliseconds above which new requests are answered 503; 0: never, nor while they would wait long for the database.',
  ),
  WORKERS: setting(
    '1',
    whole(1, 64),
    'Processes that share the work of this machine at the same ports, with PostgreSQL alone: as many as it has cores for the server.',
  ),
  LOG_LEVEL: setting(
    'info',
    parseChoice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'Least severe level that is logged.',
  ),
  DATA_DIR: setting('./data', text, 'Folder of the embedded database and of the keys.'),
  MAIL_FROM: setting(
    'no-responder@localhost',
    text,
    'Sender of mails, as an address or as `Name <address>`; without a name BRAND_PRODUCT is it.',
  ),
  MAIL_FROM_CODES: setting('', text, 'Sender of mails with codes; empty: MAIL_FROM.'),
  MAIL_FROM_NOTICES: setting('', text, 'Sender of notices about a change of the account; empty: MAIL_FROM.'),
  MAIL_FROM_DESK: setting('', text, 'Sender of what agents do and answer, and of video calls; empty: MAIL_FROM.'),
  OUTBOX_PORT: setting(
    '3001',
    whole(0, 65_535),
    'Port of the local outbox page (without SMTP_URL, loopback only); 0: any free one.',
  ),
  ...supportSettings,
  AGENT_DOMAINS: setting(
    '',
    list((value) => domainToUnicode(domain(value))), // the form in which `readEmail` returns domains
    'Domains of institutional e-mail addresses that agents may sign in with, separated by commas.',
  ),
  AGENTS_HOST: setting(
    '',
    optional(origin),
    "Origin of the agents' desk, which this server answers as well, and on which nothing else stands; empty: the desk is at `/agentes` of the portal.",
  ),
  REDIRECT_ORIGINS: setting(
    '',
    list(origin),
    'Origins that redirects may lead to beside BASE_URL, separated by commas.',
  ),
  FLAGS: setting(
    '',
    flags,
    'Feature flags that differ from their default, e.g. `telefono_en_registro=off,idp_autogestion=on`.',
  ),
  BRAND_PRODUCT: setting('Usuario digital', text, "The product's name."),
  BRAND_COUNTRY: setting('Uruguay', text, "The country's name."),
  BRAND_DOMAIN: setting(
    '',
    optional(domain),
    'Domain that the strip above the header names as the official one; empty: the host of BASE_URL, and no strip on a loopback address.',
  ),
  BRAND_INSTITUTION: setting('', text, 'Institution that answers for the portal, named in the footer; empty: none.'),
  BRAND_INSTITUTION_URL: setting('', optional(url('http:', 'https:')), 'Page of that institution.'),
  TOKEN_LIFE_S: setting('300', whole(60, 300), 'Life of a bearer token in seconds, at most 300.'),
  SESSION_LIFE_S: setting('43200', whole(300, 86_400), 'Life of a broker session in seconds.'),
  SESSIONS_MOST: setting('20', whole(1, 1_000), 'Live sessions of one citizen. A further sign-in ends the oldest.'),
  SESSION_IDLE_S: setting(
    '1800',
    whole(300, 86_400),
    'Seconds after which a broker session ends when its citizen is not seen.',
  ),
  PASSWORD_PATTERN: setting(
    '',
    optional(pattern),
    'Regular expression that a new password must match when it is reset or set; empty: none.',
  ),
  PASSWORD_PATTERN_TEXT: setting('', text, 'What PASSWORD_PATTERN asks for, as citizens read it under the field.'),
  RESET_SHOWS_EMAIL: setting(
    'off',
    onOff,
    'Answer a password reset with the masked address; tells strangers which documents have an account.',
  ),
  ACTIVATION_LIFE_H: setting('24', whole(1, 168), 'Life of an activation link in hours.'),
  CLIENTS_FILE: setting(
    '',
    text,
    'JSON file with a list of applications that may ask for sign-ins; others are added by `npx portal client`.',
  ),
  SAML_FILE: setting(
    '',
    text,
    'JSON file with a list of SAML service providers, each with the path of its `metadata` beside it; others are added by `npx portal client`.',
  ),
  BACKCHANNEL_PRIVATE: setting(
    '',
    optionalOnOff,
    'Applications may be told of a logout, logos fetched and identity providers asked at private and loopback addresses; empty: on a loopback BASE_URL only.',
  ),
  IDPS_FILE: setting(
    '',
    identityProviders,
    'JSON file with a list of the identity providers that sign-in offers ("Identity providers").',
  ),
  IDP_SECRETS: setting(
    '',
    readProviderSecrets,
    'Secrets by which those of OpenID Connect know the portal, separated by blanks, e.g. `br=… abitab=…`.',
    'secret',
  ),
  REGISTRY_CSV: setting(
    '',
    text,
    'CSV file loaded into the identity registry at start; empty: the sample citizens, with SAMPLE_DATA.',
  ),
  CITIZEN_PERMISSIONS: setting(
    'tramitar_videollamada:crear',
    permissions,
    'What every citizen with a document of the country may do, as resource:action separated by commas; `npx portal account` grants and takes single ones.',
  ),
  ...callSettings,
  ...retentionSettings,
  SAMPLE_DATA: setting(
    '',
    optionalOnOff,
    'Make sample accounts and a sample application, whose secrets are published; empty: where HOST and BASE_URL are loopback addresses.',
  ),
  SIGNATURE_ROOTS: setting(
    '',
    text,
    'PEM file of the authorities whose certificates may sign; empty: raising the level by digital signature is not offered.',
  ),
  SIGNATURE_CRLS: setting(
    '',
    text,
    'PEM file of their revocation lists, read again when it is renewed: every certificate must then be covered by a current one; empty: revocation is not checked.',
  ),
  ...cardSettings,
  ...walletSettings,
  DSS_URL: setting(
    '',
    optional(url('http:', 'https:')),
    'Outside signing platform that citizens are sent to (src/server/features/signature/README.md); empty: the signing page of this server.',
  ),
  KEYS_DIR: setting('', text, 'Folder of the key files; empty: `keys` in DATA_DIR.'),
  SIGNING_KEY: setting(
    '',
    pem,
    'RS256 private key in PEM (PKCS#8), or the text of `signing.pem` when several; empty: a file made at first start.',
    'secret',
  ),
  ENCRYPTION_KEY: setting(
    '',
    encryptionKeys,
    'AES-256 key, 32 bytes in base64, or the lines of `encryption.key` when several; empty: a file made at first start.',
    'secret',
  ),
  CAPTCHA_KEY: setting(
    '',
    key32,
    'HMAC key of captcha challenges, 32 bytes in base64; empty: a file made at first start.',
    'secret',
  ),
  AUDIT_KEY: setting(
    '',
    pem,
    'Ed25519 private key in PEM (PKCS#8) that seals the audit log, newest first when several; empty: a file made at first start.',
    'secret',
  ),
  CAPTCHA_COST: setting(
    '5000',
    whole(1, 1_000_000),
    'PBKDF2 rounds of one try of the captcha; a solution takes about 256 tries.',
  ),
} as const;

export type Settings = { readonly [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['parse']> };

/** Parses every setting. An invalid one gets its default and a line in `problems`. Values of secrets are not repeated. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): {
  values: Settings;
  problems: readonly string[];
} {
  const problems: string[] = [];
  const entries = Object.entries(settings).map(([name, declared]: [string, Setting<unknown>]) => {
    const given = env[name]?.trim() ?? '';
    const text = given === '' ? declared.default : given;
    try {
      return [name, declared.parse(text)];
    } catch (error) {
      problems.push(
        `${name} must be ${error instanceof Error ? error.message : 'valid'}${declared.secret ? '' : `, not ${JSON.stringify(text)}`}.`,
      );
      return [name, declared.parse(declared.default)];
    }
  });
  return { values: Object.fromEntries(entries) as Settings, problems }; // `Object.fromEntries` loses the key type
}

export function settingsTable(): string {
  const rows = Object.entries(settings).map(
    ([name, declared]: [string, Setting<unknown>]) =>
      `| ${name} | ${declared.default === '' ? '' : `\`${declared.default}\``} | ${declared.description}${declared.secret ? ' (secret)' : ''} |`,
  );
  return ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
