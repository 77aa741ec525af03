import { sql, type Generated } from 'kysely';
import { ended, since, type StoredTable } from '../../platform/topics/table.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    broker_sessions: BrokerSessionTable;
    challenges: ChallengeTable;
    known_devices: { citizen_id: string; hash: string; seen_at: Date };
    session_ends: SessionEndTable;
  }
}

interface BrokerSessionTable {
  id: string;
  hash: string;
  citizen_id: string;
  created_at: Date;
  expires_at: Date;
  seen_at: Date;
  /** When the session ends unless it is seen before. */
  idle_at: Date;
  revoked_at: Date | null;
  /** How the citizen proved who they are, e.g. `urn:iduruguay:am:password`, separated by blanks. */
  amr: string;
  /** Level of the session, 0 to 3. */
  nid: number;
  role: Generated<'citizen' | 'agent'>;
  /** Whether the sign-in itself used a phishing-resistant method: one that the session proves later does not count. */
  phishing_resistant: Generated<boolean>;
  /** The session of the OIDC provider that stands on this one; null until an application asked for a sign-in. */
  oidc_uid: Generated<string | null>;
  /** When the citizen last gave the current password inside this session; null: not yet. */
  verified_at: Generated<Date | null>;
  /** The identity provider that the citizen came by; null: the portal's own account. */
  idp: Generated<string | null>;
  /** When the citizen signed in at that provider; null: unknown, or the session came by no provider. */
  authenticated_at: Generated<Date | null>;
  user_agent: Generated<string>;
  /** IP address of the sign-in. */
  address: Generated<string>;
}

interface ChallengeTable {
  hash: string;
  /** Hash of the cookie that binds the sign-in to one browser. */
  browser: string;
  /** Name of the challenge that is to be answered next. */
  step: string;
  /** The document as typed, normalized: `uy-ci-12345672`. */
  document: string;
  /** Null when no account has the document. */
  citizen_id: string | null;
  /** Names of the challenges that were answered, separated by blanks. */
  factors: string;
  tries: number;
  redirect_url: string | null;
  process_state: string | null;
  agent: string | null;
  /** The address that an agent typed; what proves it is the code that was mailed there. */
  institutional_email: string | null;
  user_agent: Generated<string>;
  address: Generated<string>;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
}

/** A session that ended, until the applications that it was signed in to have heard of it. */
interface SessionEndTable {
  session_id: string;
  /** The OIDC provider's session, as `oidc_records` held it; null: it had none. */
  payload: string | null;
  /** JSON list of the ids of applications that have heard. */
  told: Generated<string>;
  attempts: Generated<number>;
  /** By the clock of the database. */
  due_at: Generated<Date>;
  created_at: Generated<Date>;
}

/** What a record of a model of the OIDC provider is sealed for. */
export function oidcPurpose(model: string): string {
  return `oidc-${model}`;
}

/** What these tables hold, and how long their rows stay. */
export const tables = {
  broker_sessions: {
    data: 'Whose session, how and when they signed in, network address and browser',
    why: 'Staying signed in; the citizen sees and ends sessions',
    readers: ['citizen', 'operator'],
    hashed: ['hash'],
    restored: (now) => sql`update broker_sessions set revoked_at = ${now} where revoked_at is null`,
    kept: since('expires_at', 'SESSIONS_DAYS', 'horas_sesion_terminada'),
  },
  challenges: {
    data: 'Document as typed, network address and browser of a sign-in under way',
    why: 'The steps of a sign-in',
    readers: [],
    hashed: ['hash', 'browser'],
    restored: 'deleted',
    kept: ended('minutos_paso'),
  },
  known_devices: {
    data: 'Which browsers a citizen has signed in with',
    why: 'Telling the citizen of a sign-in from another one',
    readers: ['citizen'],
    hashed: ['hash'],
    kept: since('seen_at', 'DEVICES_DAYS', 'dias_dispositivos'),
  },
  session_ends: {
    data: 'Which applications have yet to hear of the end of a session',
    why: 'Logout from applications',
    readers: [],
    encrypted: { payload: () => oidcPurpose('Session') },
    kept: since('created_at', 'SESSIONS_DAYS', 'horas_sesion_terminada'),
  },
} as const satisfies Readonly<Record<string, StoredTable>>;
