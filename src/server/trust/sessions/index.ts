import { sql, type Generated } from 'kysely';
import {
  createExpiryPurgeRule,
  createPurgeRule,
  type TableDescription,
} from '../../platform/modules/table-descriptions.ts';
import { secondsPerHour } from '../../platform/base/fixed-periods.ts';
import { defineAttemptLimits } from '../../platform/modules/attempt-limits.ts';
import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };

declare module '../../platform/database/schema.ts' {
  interface Database {
    broker_sessions: {
      id: string;
      hash: string;
      citizen_id: string;
      created_at: Date;
      expires_at: Date;
      seen_at: Date;
      idle_at: Date;
      revoked_at: Date | null;
      /** Methods of the sign-in, e.g. `urn:iduruguay:am:password`, separated by spaces. */
      amr: string;
      nid: number;
      role: Generated<'citizen' | 'agent'>;
      /** Whether the sign-in itself used a phishing-resistant method. Methods that were proven later in the session do not count. */
      phishing_resistant: Generated<boolean>;
      /** Session of the OIDC provider. `null` until an application requests a sign-in. */
      oidc_uid: Generated<string | null>;
      /** Time at which the current password was last entered in this session. `null` if it has not been entered. */
      verified_at: Generated<Date | null>;
      /** Id of the bearer token of the request that replaced the session's secret. `null` if no bearer request has replaced it. */
      renewed_by: Generated<string | null>;
      /** Identity provider of the sign-in. `null` for an account of the portal. */
      idp: Generated<string | null>;
      /** Time of the sign-in at the identity provider. `null` if unknown, or without a provider. */
      authenticated_at: Generated<Date | null>;
      user_agent: Generated<string>;
      address: Generated<string>;
    };
    challenges: {
      hash: string;
      /** Hash of the cookie value that binds the sign-in to one browser. */
      browser: string;
      step: string;
      /** Normalized id of the document, e.g. `uy-ci-12345672`. */
      document: string;
      /** Id of the account. `null` if there is no account with this document. */
      citizen_id: string | null;
      /** Names of the completed challenges, separated by spaces. */
      factors: string;
      tries: number;
      redirect_url: string | null;
      process_state: string | null;
      agent: string | null;
      /** Mailbox that an agent entered. It is unproven until the code mailed to it is entered. */
      institutional_email: string | null;
      user_agent: Generated<string>;
      address: Generated<string>;
      created_at: Date;
      expires_at: Date;
      used_at: Date | null;
    };
    known_devices: { citizen_id: string; hash: string; seen_at: Date };
    session_ends: {
      session_id: string;
      /** Encrypted session record of the OIDC provider, from `oidc_records`. `null` if there was none. */
      payload: string | null;
      /** Ids of the notified applications, as a JSON array. */
      told: Generated<string>;
      attempts: Generated<number>;
      due_at: Generated<Date>;
      created_at: Generated<Date>;
    };
  }
}

export function buildOidcVaultPurpose(model: string): string {
  return `oidc-${model}`;
}

const sessionTables = {
  broker_sessions: {
    data: 'Sessions: citizen, method and time of the sign-in, network address and browser',
    why: 'Staying signed in, and showing sessions to the citizen',
    readers: ['citizen', 'operator'],
    hashed: ['hash'],
    restored: (now) => sql`update broker_sessions set revoked_at = ${now} where revoked_at is null`,
    retention: createPurgeRule('expires_at', 'SESSIONS_DAYS', 'horas_sesion_terminada'),
  },
  challenges: {
    data: 'Entered document, network address and browser of a sign-in in progress',
    why: 'Completing the sign-in',
    readers: [],
    hashed: ['hash', 'browser'],
    restored: 'deleted',
    retention: createExpiryPurgeRule('minutos_paso'),
  },
  known_devices: {
    data: 'Browsers in which a citizen has signed in',
    why: 'Notifying the citizen of a sign-in from a new browser',
    readers: ['citizen'],
    hashed: ['hash'],
    retention: createPurgeRule('seen_at', 'DEVICES_DAYS', 'dias_dispositivos'),
  },
  session_ends: {
    data: 'Applications to notify of the end of a session',
    why: 'Logout from applications',
    readers: [],
    encrypted: { payload: () => buildOidcVaultPurpose('Session') },
    retention: createPurgeRule('created_at', 'SESSIONS_DAYS', 'horas_sesion_terminada'),
  },
} as const satisfies Readonly<Record<string, TableDescription>>;

export const sessionAttemptLimits = defineAttemptLimits({
  challenge: { address: { free: 300, windowS: secondsPerHour } },
  /** Each sign-in page requests passkey options: they must not use up the sign-in attempts of an IP address that many people share. */
  passkeyOptions: { address: { free: 600, windowS: secondsPerHour } },
});

export const serverModule = {
  texts,
  limits: sessionAttemptLimits,
  tables: sessionTables,
} as const satisfies ServerModule;
