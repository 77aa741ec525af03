import { domainToUnicode } from 'node:url';
import { parseTrustedProxies } from '../base/ip-addresses.ts';
import { callSettings, supportSettings } from './call-settings.ts';
import { cardSettings, connectionSettings } from './connection-settings.ts';
import {
  parsePermissions as permissions,
  parseDomainName,
  assertEncryptionKeysText,
  parseFeatureFlags,
  parseBase64Key,
  defineListSetting,
  defineOptionalSetting,
  parseHttpOrigin,
  createChoiceParser,
  parseOnOff,
  parseOptionalOnOff,
  parseLinearTimePattern,
  assertPrivateKeyPem,
  defineSecretSetting,
  defineSetting,
  assertSigningKeysText,
  parseText,
  defineTextSetting,
  createUrlParser,
  createWholeNumberParser,
  type Setting,
} from './setting-values.ts';
import { readIdentityProviders as identityProviders, parseProviderSecrets } from './identity-providers.ts';
import { retentionSettings } from './retention-settings.ts';

const walletSettings = {
  WALLET_ISSUERS: defineTextSetting(
    'JSON file of trusted credential issuers: a list of `issuer`, `level` (1 to 3), `types` (vct), `keys` (P-256 JWKs) and `statusOrigins`. If empty, sign-in by wallet is not offered.',
  ),
  WALLET_SIGNER: defineTextSetting(
    'PEM file with the certificate chain and the P-256 key that sign requests to wallets.',
  ),
  WALLET_SCHEME: defineSetting('openid4vp://', parseText, 'URL scheme of links to wallets.'),
} as const;

export const settingDefinitions = {
  NODE_ENV: defineSetting(
    'production',
    createChoiceParser('production', 'development', 'test'),
    '`development` shows problems of definitions on the page.',
  ),
  PORT: defineSetting('3000', createWholeNumberParser(0, 65_535), 'Port of the portal. With 0, any free port.'),
  HOST: defineSetting('127.0.0.1', parseText, 'Address to listen on.'),
  BASE_URL: defineOptionalSetting(
    parseHttpOrigin,
    'Public origin of the portal, used in all links of mails. Default on a loopback HOST: http://localhost with PORT.',
  ),
  BACKEND_URL: defineOptionalSetting(parseHttpOrigin, 'Origin of the backend. Default: the origin of the page.'),
  BROKER_URL: defineOptionalSetting(
    parseHttpOrigin,
    'Origin of the broker. Default: the origin of the page. With applications or identity providers, its host must be that of BASE_URL; the port may differ.',
  ),
  TRUST_PROXY: defineSetting(
    'off',
    parseTrustedProxies,
    'Trusted proxies, whose `X-Forwarded-For` is honoured: a comma-separated list of addresses and networks (`10.0.0.5, 10.1.0.0/16, loopback`), or the number of proxies in front.',
  ),
  ...connectionSettings,
  SHED_LAG_MS: defineSetting(
    '300',
    createWholeNumberParser(0, 60_000),
    'Mean event loop lag, in milliseconds, above which new requests get a 503. With 0, no request is rejected, not even while the database is slow.',
  ),
  WORKERS: defineSetting(
    '1',
    createWholeNumberParser(1, 64),
    'Number of server processes that share the ports. Use the number of cores available to the server. Requires PostgreSQL.',
  ),
  LOG_LEVEL: defineSetting(
    'info',
    createChoiceParser('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'Minimum level of logged messages.',
  ),
  DATA_DIR: defineSetting('./data', parseText, 'Folder of the embedded database and the keys.'),
  MAIL_FROM: defineSetting(
    'no-responder@localhost',
    parseText,
    'Sender of mails: `address` or `Name <address>`. The default name is BRAND_PRODUCT.',
  ),
  MAIL_FROM_CODES: defineTextSetting('Sender of mails with codes. Default: MAIL_FROM.'),
  MAIL_FROM_NOTICES: defineTextSetting('Sender of notices about account changes. Default: MAIL_FROM.'),
  MAIL_FROM_DESK: defineTextSetting('Sender of mails about video calls and by agents. Default: MAIL_FROM.'),
  OUTBOX_PORT: defineSetting(
    '3001',
    createWholeNumberParser(0, 65_535),
    'Port of the local outbox page, served only without SMTP_URL and on loopback. With 0, any free port.',
  ),
  ...supportSettings,
  AGENT_DOMAINS: defineListSetting(
    (value) => domainToUnicode(parseDomainName(value)), // in Unicode, like the domains that `normalizeEmail` returns
    'Comma-separated domains of institutional e-mail addresses of agents.',
  ),
  AGENTS_HOST: defineOptionalSetting(
    parseHttpOrigin,
    'Separate origin of the desk, served by this server and used for nothing else. If empty, the desk is at `/agentes` of the portal. With AGENT_DOMAINS, it may be empty only on a loopback BASE_URL.',
  ),
  REDIRECT_ORIGINS: defineListSetting(
    parseHttpOrigin,
    'Comma-separated origins allowed as redirect targets, besides BASE_URL.',
  ),
  FLAGS: defineSetting(
    '',
    parseFeatureFlags,
    'Feature flags that differ from their defaults, e.g. `telefono_en_registro=off,idp_autogestion=on`.',
  ),
  BRAND_PRODUCT: defineSetting('Usuario digital', parseText, "The product's name."),
  BRAND_COUNTRY: defineSetting('Uruguay', parseText, "The country's name."),
  BRAND_DOMAIN: defineOptionalSetting(
    parseDomainName,
    'Domain shown in the official-site strip above the header. Default: the host of BASE_URL.',
  ),
  BRAND_INSTITUTION: defineTextSetting('Institution responsible for the portal, named in the footer.'),
  BRAND_INSTITUTION_URL: defineOptionalSetting(createUrlParser('http:', 'https:'), 'URL of BRAND_INSTITUTION.'),
  TOKEN_LIFE_S: defineSetting(
    '300',
    createWholeNumberParser(60, 300),
    'Lifetime of a bearer token in seconds, at most 300.',
  ),
  SESSION_LIFE_S: defineSetting(
    '43200',
    createWholeNumberParser(300, 86_400),
    'Lifetime of a broker session in seconds.',
  ),
  SESSIONS_MOST: defineSetting(
    '20',
    createWholeNumberParser(1, 1_000),
    'Maximum number of sessions per citizen. Another sign-in ends the oldest one.',
  ),
  SESSION_IDLE_S: defineSetting(
    '1800',
    createWholeNumberParser(300, 86_400),
    'Idle timeout of a broker session in seconds.',
  ),
  PASSWORD_PATTERN: defineOptionalSetting(parseLinearTimePattern, 'Regular expression that new passwords must match.'),
  PASSWORD_PATTERN_TEXT: defineTextSetting('Description of PASSWORD_PATTERN, shown below the field.'),
  RESET_SHOWS_EMAIL: defineSetting(
    'off',
    parseOnOff,
    'Show the masked e-mail address after a password reset request. This reveals to strangers which documents have an account.',
  ),
  ACTIVATION_LIFE_H: defineSetting('24', createWholeNumberParser(1, 168), 'Lifetime of an activation link in hours.'),
  CLIENTS_FILE: defineTextSetting(
    'JSON file with a list of OpenID Connect clients. Others are added with `npx portal client`.',
  ),
  CLIENTS_STRICT: defineSetting(
    'off',
    parseOnOff,
    'Accept only OpenID Connect clients of the profile `fapi2`, which requires key authentication, pushed authorization requests and sender-constrained tokens.',
  ),
  SAML_FILE: defineTextSetting(
    'JSON file with a list of SAML service providers. `metadata` of each is a path relative to the file. Others are added with `npx portal client`.',
  ),
  BACKCHANNEL_PRIVATE: defineSetting(
    '',
    parseOptionalOnOff,
    'Allow requests to private and loopback addresses for back-channel logout, logos and identity providers. Default: only on a loopback BASE_URL.',
  ),
  IDPS_FILE: defineSetting(
    '',
    identityProviders,
    'JSON file with a list of identity providers offered at sign-in (see "Identity providers").',
  ),
  IDP_SECRETS: defineSecretSetting(
    parseProviderSecrets,
    'Client secrets at OpenID Connect identity providers, separated by spaces, e.g. `br=… abitab=…`.',
  ),
  REGISTRY_CSV: defineTextSetting(
    'CSV file loaded into the identity registry at start. Default with SAMPLE_DATA: the sample citizens.',
  ),
  CITIZEN_PERMISSIONS: defineSetting(
    'tramitar_videollamada:crear',
    permissions,
    'Permissions of every citizen with a national document: comma-separated `resource:action`. `npx portal account` grants and revokes others.',
  ),
  ...callSettings,
  ...retentionSettings,
  SAMPLE_DATA: defineSetting(
    '',
    parseOptionalOnOff,
    'Create sample accounts and a sample application with published secrets. Default: only if HOST and BASE_URL are loopback addresses.',
  ),
  SIGNATURE_ROOTS: defineTextSetting(
    'PEM file of the certificate authorities accepted for digital signatures. If empty, raising the level by signature is not offered.',
  ),
  SIGNATURE_CRLS: defineTextSetting(
    'PEM file of the revocation lists of SIGNATURE_ROOTS, reloaded when it changes. Every certificate must be covered by a current list. If empty, revocation is not checked.',
  ),
  ...cardSettings,
  ...walletSettings,
  DSS_URL: defineOptionalSetting(
    createUrlParser('http:', 'https:'),
    'URL of an external signing platform (see src/server/features/signature/README.md). Default: the signing page of this server.',
  ),
  KEYS_DIR: defineTextSetting('Folder of the key files. Default: `keys` in DATA_DIR.'),
  SIGNING_KEY: defineSecretSetting(
    assertSigningKeysText,
    'RSA private key of at least 3,072 bits in PEM (PKCS#8), or the PKCS#11 URI of a key in a security module. For several keys, the content of `signing.pem`. Default: a file created at the first start.',
  ),
  ENCRYPTION_KEY: defineSecretSetting(
    assertEncryptionKeysText,
    'AES-256 key, 32 bytes in base64, or the lines of `encryption.key` for several keys. Default: a file created at the first start.',
  ),
  DECRYPTION_KEY: defineSecretSetting(
    assertPrivateKeyPem,
    'RSA private key in PEM (PKCS#8) that decrypts assertions of identity providers, or several keys as in SIGNING_KEY. Default: a file created at the first start.',
  ),
  CAPTCHA_KEY: defineSecretSetting(
    parseBase64Key,
    'HMAC key of captcha challenges, 32 bytes in base64. Default: a file created at the first start.',
  ),
  AUDIT_KEY: defineSecretSetting(
    assertPrivateKeyPem,
    'Ed25519 private key in PEM (PKCS#8) that seals the audit log, or several keys, the newest first. Default: a file created at the first start.',
  ),
  CAPTCHA_MIN_S: defineSetting(
    '',
    (text) => (text === '' ? null : createWholeNumberParser(0, 60)(text)),
    'Minimum number of seconds between a captcha challenge and the submission of the form that it protects (registration, password reset, contact, booking without a session). Default: 2, but 0 on a loopback BASE_URL.',
  ),
  CAPTCHA_COST: defineSetting(
    '5000',
    createWholeNumberParser(1, 1_000_000),
    'PBKDF2 iterations per captcha attempt. A solution takes about 256 attempts.',
  ),
} as const;

export type SettingValues = {
  readonly [Name in keyof typeof settingDefinitions]: ReturnType<(typeof settingDefinitions)[Name]['parse']>;
};

/** Parses all settings. An invalid setting gets its default value and a line in `problems`, which omits the value of a secret. */
export function parseSettingValues(env: Readonly<Record<string, string | undefined>>): {
  values: SettingValues;
  problems: readonly string[];
} {
  const problems: string[] = [];
  const entries = Object.entries(settingDefinitions).map(([name, declared]: [string, Setting<unknown>]) => {
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
  return { values: Object.fromEntries(entries) as SettingValues, problems }; // the cast is needed because `Object.fromEntries` loses the key type
}

export function renderSettingsTable(): string {
  const rows = Object.entries(settingDefinitions).map(
    ([name, declared]: [string, Setting<unknown>]) =>
      `| ${name} | ${declared.default === '' ? '' : `\`${declared.default}\``} | ${declared.description}${declared.secret ? ' (secret)' : ''} |`,
  );
  return ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
