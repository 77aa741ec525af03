import { flagDefaults, type Flags } from '../../contract/flags.ts';
import type { Brand, InPerson, PasswordPolicy } from '../../contract/portal-config.ts';
import type { Proxies } from '../base/addresses.ts';
import type { Permisos } from '../../contract/access.ts';
import type { Agenda } from '../base/agenda.ts';
import type { WeeklyHours } from './weekly-hours.ts';
import type { IdentityProvider } from './identity-providers.ts';
import { areSameSite } from './same-site.ts';
import { readSettings, type Settings } from './settings.ts';

/** The institution of the sample agent, where no other one is registered. */
export const sampleAgentDomain = 'agentes.example';

/** Everything that an operator can set, parsed and checked. Times in the unit that their name says. */
export interface Config {
  readonly development: boolean;
  readonly port: number;
  readonly host: string;
  /** Origin of the portal without a trailing slash: the base of every link. */
  readonly baseUrl: string;
  /** Whether the base URL names this very machine: allows the outbox page. */
  readonly loopback: boolean;
  /** Whether there are accounts and an application whose secrets everybody knows. */
  readonly sampleData: boolean;
  /** Origins of the two hosts; empty: the origin of the page. */
  readonly hosts: { readonly backend: string; readonly broker: string };
  /** Null: nobody writes X-Forwarded-For for us. */
  readonly proxies: Proxies | null;
  readonly logLevel: string;
  readonly dataDir: string;
  /** Null: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly databasePool: number;
  /** Null: mails stay in the outbox and are read on its own page. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  readonly outboxPort: number;
  readonly supportMailbox: string;
  /** Empty: nobody is attended in person. */
  readonly inPerson: InPerson;
  /** Origin of the agents' desk; empty: the portal's own. */
  readonly agentsHost: string;
  /** Lower-case domains of the institutions whose agents may sign in as such. */
  readonly agentDomains: readonly string[];
  readonly redirectOrigins: readonly string[];
  readonly flags: Flags;
  readonly brand: Brand;
  /** What every holder of a national document may do. */
  readonly citizenPermissions: Permisos;
  /** When video calls are attended until agents set other hours, and how long each takes. */
  readonly agenda: Readonly<Record<Agenda, { readonly hours: readonly WeeklyHours[]; readonly minutes: number }>>;
  /** Whether another agent verifies what the one who saw the citizen approves. */
  readonly elevationSecondAgent: boolean;
  /** How many days a call waits for that agent. */
  readonly elevationVerifyDays: number;
  /** How long the terms wait for the citizen after an approval. */
  readonly elevationAcceptDays: number;
  /** The Jitsi whose rooms calls take place in; its token's secret is null where everybody may enter. Null: none. */
  readonly jitsi: { readonly url: string; readonly appId: string; readonly secret: string | null } | null;
  /** What browsers reach each other by in the own room, and for how long the pictures of its calls are kept. */
  readonly room: {
    readonly stun: readonly string[];
    readonly turn: readonly string[];
    readonly turnSecret: string;
    readonly turnOnly: boolean;
    readonly stillsDays: number;
  };
  readonly tokenLifeS: number;
  readonly sessionLifeS: number;
  readonly sessionIdleS: number;
  readonly activationLifeH: number;
  /** Null: no pattern beside the rules of the screens. */
  readonly passwordPolicy: PasswordPolicy | null;
  readonly resetShowsEmail: boolean;
  /** JSON file of registered applications; null: none beside the table. */
  readonly clientsFile: string | null;
  /** Path of a list of SAML service providers; null: none. */
  readonly samlFile: string | null;
  /** Whether the back-channel logout reaches private addresses. */
  readonly backchannelPrivate: boolean;
  readonly identityProviders: readonly IdentityProvider[];
  /** By the provider's id. */
  readonly providerSecrets: ReadonlyMap<string, string>;
  /** Signing by certificate: an outside platform (null: the page of this server), trusted authorities and revocation lists (PEM files; null: none). */
  readonly signature: {
    readonly platform: string | null;
    readonly roots: string | null;
    readonly revocations: string | null;
  };
  /** Sign-in with the identity card: where browsers show it, on a listener of our own or (`proxies`) behind one, and whom it is trusted from (PEM files). Null: not offered. */
  readonly card: {
    readonly url: string;
    readonly port: number | null;
    readonly tls: string;
    readonly proxies: readonly string[];
    readonly proxySecret: string;
    readonly roots: string;
    readonly revocations: string;
  } | null;
  /** Sign-in with a digital wallet: the files of whom it is believed from and of what signs requests, and what links begin with. Null: not offered. */
  readonly wallet: { readonly issuers: string; readonly signer: string; readonly scheme: string } | null;
  readonly registryCsv: string | null;
  readonly registryUrl: string | null;
  readonly keys: {
    readonly dir: string;
    /** PKCS#8 PEM texts, the signing one first; empty: made in `dir` at first start. */
    readonly signing: string | null;
    readonly encryption: string | null;
    readonly captcha: string | null;
    readonly audit: string | null;
  };
  readonly captchaCost: number;
}

/** Thrown with every mistake of the configuration at once, one line each. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration has mistakes:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Reads the settings from environment variables; throws a ConfigError that lists everything that is wrong. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const { values, problems } = readSettings(env);
  const config = toConfig(values);
  const all = [...problems, ...conflicts(config, values)];
  if (all.length > 0) throw new ConfigError(all);
  return config;
}

function conflicts(config: Config, { BASE_URL, NODE_ENV }: Settings): readonly string[] {
  const found: string[] = [];
  if (BASE_URL === '' && !isLoopbackHost(config.host)) {
    found.push(
      `BASE_URL must be set, because HOST (${config.host}) is not a loopback address and others do not reach ${config.baseUrl}.`,
    );
  }
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
  found.push(...cardConflicts(config, NODE_ENV));
  if (config.wallet !== null && config.wallet.signer === '') {
    found.push('WALLET_SIGNER must be set with WALLET_ISSUERS, because wallets answer nobody whom they do not know.');
  }
  if (!config.loopback && config.smtpUrl === null) {
    found.push(
      `SMTP_URL must be set, because BASE_URL (${config.baseUrl}) is not a loopback address and citizens need their mails.`,
    );
  }
  const { broker } = config.hosts;
  if (config.agentsHost !== '' && broker !== '' && !areSameSite(config.agentsHost, broker)) {
    found.push(
      `BROKER_URL (${broker}) must be of the site of AGENTS_HOST (${config.agentsHost}), because the cookie of an agent's session goes to no other one.`,
    );
  }
  if (!config.loopback && !config.baseUrl.startsWith('https:')) {
    found.push('BASE_URL must be https:, because session cookies need it; only a loopback address may be http:.');
  }
  return found;
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

function toConfig(values: Settings): Config {
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
    logLevel: values.LOG_LEVEL,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL || null,
    databasePool: values.DATABASE_POOL,
    smtpUrl: values.SMTP_URL || null,
    mailFrom: values.MAIL_FROM,
    outboxPort: values.OUTBOX_PORT,
    supportMailbox: values.SUPPORT_MAILBOX,
    inPerson: { url: values.IN_PERSON_URL, address: values.IN_PERSON_ADDRESS, hours: values.IN_PERSON_HOURS },
    agentsHost: values.AGENTS_HOST,
    agentDomains: sampleData && values.AGENT_DOMAINS.length === 0 ? [sampleAgentDomain] : values.AGENT_DOMAINS,
    redirectOrigins: [
      ...values.REDIRECT_ORIGINS,
      ...[values.DSS_URL, values.JITSI_URL, values.CARD_URL]
        .filter((url) => url !== '')
        .map((url) => new URL(url).origin),
    ],
    flags: { ...flagDefaults, ...values.FLAGS },
    brand: {
      product: values.BRAND_PRODUCT,
      country: values.BRAND_COUNTRY,
      domain: values.BRAND_DOMAIN || (isLoopback(baseUrl) ? '' : new URL(baseUrl).hostname),
      institution: { name: values.BRAND_INSTITUTION, url: values.BRAND_INSTITUTION_URL },
    },
    citizenPermissions: values.CITIZEN_PERMISSIONS,
    agenda: {
      support: { hours: values.SUPPORT_HOURS, minutes: values.SUPPORT_CALL_MIN },
      elevation: { hours: values.ELEVATION_HOURS, minutes: values.ELEVATION_CALL_MIN },
    },
    elevationSecondAgent: values.ELEVATION_SECOND_AGENT,
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
      stillsDays: values.STILLS_DAYS,
    },
    tokenLifeS: values.TOKEN_LIFE_S,
    sessionLifeS: values.SESSION_LIFE_S,
    sessionIdleS: values.SESSION_IDLE_S,
    activationLifeH: values.ACTIVATION_LIFE_H,
    passwordPolicy:
      values.PASSWORD_PATTERN === '' ? null : { pattern: values.PASSWORD_PATTERN, text: values.PASSWORD_PATTERN_TEXT },
    resetShowsEmail: values.RESET_SHOWS_EMAIL,
    clientsFile: values.CLIENTS_FILE || null,
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
    wallet:
      values.WALLET_ISSUERS === ''
        ? null
        : { issuers: values.WALLET_ISSUERS, signer: values.WALLET_SIGNER, scheme: values.WALLET_SCHEME },
    registryCsv: values.REGISTRY_CSV || null,
    registryUrl: values.REGISTRY_URL || null,
    keys: {
      dir: values.KEYS_DIR || `${values.DATA_DIR}/keys`,
      signing: values.SIGNING_KEY || null,
      encryption: values.ENCRYPTION_KEY || null,
      captcha: values.CAPTCHA_KEY || null,
      audit: values.AUDIT_KEY || null,
    },
    captchaCost: values.CAPTCHA_COST,
  };
}

function isLoopback(baseUrl: string): boolean {
  return /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(baseUrl);
}

function isLoopbackHost(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
}
