import type { Flags } from '../../../contract/flags.ts';
import type { Brand, InPerson, PasswordPolicy } from '../../../contract/portal-config.ts';
import type { Proxies } from '../base/addresses.ts';
import type { Permisos } from '../../../contract/access.ts';
import type { Agenda } from '../base/agenda.ts';
import type { WeeklyHours } from './weekly-hours.ts';
import type { RetentionPeriods } from './retention-settings.ts';
import type { IdentityProvider } from './identity-providers.ts';

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
  /** Lag of the event loop above which new requests are refused; 0: never. */
  readonly shedLagMs: number;
  readonly metricsPort: number | null;
  /** Where traces go, and how many of a hundred requests are recorded; null: none. */
  readonly traces: { readonly url: string; readonly percent: number } | null;
  /** Processes that share the work, 1: there is one alone. */
  readonly workers: number;
  readonly logLevel: string;
  readonly dataDir: string;
  /** Null: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly databasePool: number;
  /** Null: mails stay in the outbox and are read on its own page. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** Senders in place of `mailFrom`, by what a mail is. */
  readonly mailSenders: Readonly<Record<'codes' | 'notices' | 'desk', string>>;
  readonly outboxPort: number;
  readonly supportMailbox: string;
  readonly contactAnswerDays: number;
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
  /** For how many seconds both must have been in the room before a call can be approved. */
  readonly elevationMinCallS: number;
  /** How many days a call waits for that agent. */
  readonly elevationVerifyDays: number;
  /** How long the terms wait for the citizen after an approval. */
  readonly elevationAcceptDays: number;
  /** The Jitsi whose rooms calls take place in; its token's secret is null where everybody may enter. Null: none. */
  readonly jitsi: { readonly url: string; readonly appId: string; readonly secret: string | null } | null;
  /** What browsers reach each other by in the own room. */
  readonly room: {
    readonly stun: readonly string[];
    readonly turn: readonly string[];
    readonly turnSecret: string;
    readonly turnOnly: boolean;
  };
  /** How long what is personal is kept, in the unit that each name says. */
  readonly retention: RetentionPeriods;
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
