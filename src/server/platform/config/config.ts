import { featureFlagDefaults } from '../../../contract/feature-flags.ts';
import { pickRetentionPeriods } from './retention-settings.ts';
import type { SettingValues } from './settings.ts';

/** The server's configuration. Names of durations end with their unit. */
export type Config = Readonly<ReturnType<typeof buildConfig>>;

/** Domain of the sample agent's mailbox, unless AGENT_DOMAINS is set. */
export const sampleAgentDomain = 'agentes.example';

export function buildConfig(values: SettingValues) {
  const baseUrl = values.BASE_URL || `http://localhost:${values.PORT}`;
  const sampleData = values.SAMPLE_DATA ?? (isLoopback(baseUrl) && isLoopbackHost(values.HOST));
  return {
    development: values.NODE_ENV === 'development',
    port: values.PORT,
    host: values.HOST,
    baseUrl,
    loopback: isLoopback(baseUrl),
    sampleData,
    hosts: { backend: values.BACKEND_URL, broker: values.BROKER_URL },
    proxies: values.TRUST_PROXY,
    hstsPreload: values.HSTS_PRELOAD,
    tlsFile: values.TLS_FILE || null,
    plainTransports: values.PLAIN_TRANSPORTS,
    shedLagMs: values.SHED_LAG_MS,
    metricsPort: values.METRICS_PORT,
    metricsToken: values.METRICS_TOKEN || null,
    metricsRoots: values.METRICS_ROOTS || null,
    traces:
      values.OTLP_URL === ''
        ? null
        : { url: values.OTLP_URL, percent: values.TRACE_PERCENT, tls: readTlsFiles(values, 'OTLP') },
    auditSink:
      values.AUDIT_SINK === ''
        ? null
        : { url: values.AUDIT_SINK, token: values.AUDIT_SINK_TOKEN || null, tls: readTlsFiles(values, 'AUDIT_SINK') },
    malwareScanner:
      values.MALWARE_SCANNER === '' || values.MALWARE_SCANNER === 'none'
        ? null
        : { url: values.MALWARE_SCANNER, tls: readTlsFiles(values, 'MALWARE_SCANNER') },
    workers: values.WORKERS,
    logLevel: values.LOG_LEVEL,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL || null,
    databaseOwnerUrl: values.DATABASE_OWNER_URL || null,
    databasePool: values.DATABASE_POOL,
    smtpUrl: values.SMTP_URL || null,
    smtpTls: readTlsFiles(values, 'SMTP'),
    mailFrom: addDisplayName(values.MAIL_FROM, values.BRAND_PRODUCT),
    mailSenders: {
      codes: addDisplayName(values.MAIL_FROM_CODES || values.MAIL_FROM, values.BRAND_PRODUCT),
      notices: addDisplayName(values.MAIL_FROM_NOTICES || values.MAIL_FROM, values.BRAND_PRODUCT),
      desk: addDisplayName(values.MAIL_FROM_DESK || values.MAIL_FROM, values.BRAND_PRODUCT),
    },
    outboxPort: values.OUTBOX_PORT,
    supportMailbox: values.SUPPORT_MAILBOX,
    contactAnswerDays: values.CONTACT_ANSWER_DAYS,
    inPerson: { url: values.IN_PERSON_URL, address: values.IN_PERSON_ADDRESS, hours: values.IN_PERSON_HOURS },
    securityContact: { uris: values.SECURITY_CONTACT, expires: values.SECURITY_EXPIRES },
    agentsHost: values.AGENTS_HOST,
    agentDomains: sampleData && values.AGENT_DOMAINS.length === 0 ? [sampleAgentDomain] : values.AGENT_DOMAINS,
    redirectOrigins: [
      ...values.REDIRECT_ORIGINS,
      ...[values.DSS_URL, values.JITSI_URL, values.CARD_URL]
        .filter((url) => url !== '')
        .map((url) => new URL(url).origin),
    ],
    flags: { ...featureFlagDefaults, ...values.FLAGS },
    brand: {
      product: values.BRAND_PRODUCT,
      country: values.BRAND_COUNTRY,
      domain: values.BRAND_DOMAIN || new URL(baseUrl).host,
      institution: { name: values.BRAND_INSTITUTION, url: values.BRAND_INSTITUTION_URL },
    },
    citizenPermissions: values.CITIZEN_PERMISSIONS,
    agenda: {
      support: { hours: values.SUPPORT_HOURS, minutes: values.SUPPORT_CALL_MIN },
      elevation: { hours: values.ELEVATION_HOURS, minutes: values.ELEVATION_CALL_MIN },
    },
    elevationSecondAgent: values.ELEVATION_SECOND_AGENT ?? !isLoopback(baseUrl),
    elevationMinCallS: values.ELEVATION_MIN_CALL_S,
    elevationVerifyDays: values.ELEVATION_VERIFY_DAYS,
    elevationAcceptDays: values.ELEVATION_ACCEPT_DAYS,
    jitsi:
      values.JITSI_URL === ''
        ? null
        : { url: values.JITSI_URL, appId: values.JITSI_APP_ID, secret: values.JITSI_SECRET || null },
    room: {
      stun: values.STUN_URLS,
      turn: values.TURN_URLS,
      turnSecret: values.TURN_SECRET,
      turnOnly: values.TURN_ONLY,
    },
    retention: pickRetentionPeriods(values),
    tokenLifeS: values.TOKEN_LIFE_S,
    sessionLifeS: values.SESSION_LIFE_S,
    sessionIdleS: values.SESSION_IDLE_S,
    maxSessions: values.SESSIONS_MOST,
    activationLifeH: values.ACTIVATION_LIFE_H,
    passwordPolicy:
      values.PASSWORD_PATTERN === '' ? null : { pattern: values.PASSWORD_PATTERN, text: values.PASSWORD_PATTERN_TEXT },
    resetShowsEmail: values.RESET_SHOWS_EMAIL,
    clientsFile: values.CLIENTS_FILE || null,
    strictClients: values.CLIENTS_STRICT,
    samlFile: values.SAML_FILE || null,
    backchannelPrivate: values.BACKCHANNEL_PRIVATE ?? isLoopback(baseUrl),
    identityProviders: values.IDPS_FILE,
    providerSecrets: values.IDP_SECRETS,
    signature: {
      platform: values.DSS_URL || null,
      roots: values.SIGNATURE_ROOTS || null,
      revocations: values.SIGNATURE_CRLS || null,
    },
    card:
      values.CARD_URL === ''
        ? null
        : {
            url: values.CARD_URL,
            port: values.CARD_PORT,
            tls: values.CARD_TLS,
            proxies: values.CARD_PROXY,
            proxySecret: values.CARD_PROXY_SECRET,
            roots: values.CARD_ROOTS,
            revocations: values.CARD_CRLS,
          },
    mtls: { roots: values.MTLS_ROOTS || null, revocations: values.MTLS_CRLS || null },
    wallet:
      values.WALLET_ISSUERS === ''
        ? null
        : { issuers: values.WALLET_ISSUERS, signer: values.WALLET_SIGNER, scheme: values.WALLET_SCHEME },
    registryCsv: values.REGISTRY_CSV || null,
    registry:
      values.REGISTRY_URL === ''
        ? null
        : { url: values.REGISTRY_URL, token: values.REGISTRY_TOKEN || null, tls: readTlsFiles(values, 'REGISTRY') },
    /** TLS files of all outgoing connections, whether or not they are configured. */
    clientTls: clientTlsPrefixes.map((prefix) => readTlsFiles(values, prefix)),
    keys: {
      dir: values.KEYS_DIR || `${values.DATA_DIR}/keys`,
      signing: values.SIGNING_KEY || null,
      encryption: values.ENCRYPTION_KEY || null,
      decryption: values.DECRYPTION_KEY || null,
      captcha: values.CAPTCHA_KEY || null,
      audit: values.AUDIT_KEY || null,
    },
    captcha: { cost: values.CAPTCHA_COST, minS: values.CAPTCHA_MIN_S ?? (isLoopback(baseUrl) ? 0 : 2) },
  };
}

const clientTlsPrefixes = ['SMTP', 'REGISTRY', 'OTLP', 'AUDIT_SINK', 'MALWARE_SCANNER'] as const;

export interface ClientTlsFiles {
  readonly prefix: string;
  readonly roots: string | null;
  readonly certificate: string | null;
}

function readTlsFiles(values: SettingValues, prefix: (typeof clientTlsPrefixes)[number]): ClientTlsFiles {
  return { prefix, roots: values[`${prefix}_ROOTS`] || null, certificate: values[`${prefix}_CERT`] || null };
}

function addDisplayName(sender: string, product: string): string {
  return sender.includes('<') ? sender : `"${product.replace(/["\\]/g, '\\$&')}" <${sender.trim()}>`;
}

function isLoopback(baseUrl: string): boolean {
  return /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(baseUrl);
}

/** Whether a host is the local machine. `host` has no port and no brackets. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
}
