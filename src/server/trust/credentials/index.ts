import { sql, type Generated } from 'kysely';
import {
  createExpiryPurgeRule,
  createPurgeRule,
  type TableDescription,
} from '../../platform/modules/table-descriptions.ts';
import { buildTotpVaultPurpose } from './second-factors.ts';
import { secondsPerDay, secondsPerHour } from '../../platform/base/fixed-periods.ts';
import { defineAttemptLimits } from '../../platform/modules/attempt-limits.ts';
import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };

declare module '../../platform/database/schema.ts' {
  interface Database {
    credentials: {
      citizen_id: string;
      password_hash: string;
      changed_at: Date;
      /** Time at which a mailed link reset the password. `null` after a sign-in with a factor other than the mailbox has confirmed the password. */
      reset_at: Date | null;
    };
    link_tokens: {
      hash: string;
      purpose: string;
      citizen_id: string | null;
      /** E-mail address that the link concerns. If the purpose is `resend`, the document of the account. */
      subject: string;
      created_at: Date;
      expires_at: Date;
      used_at: Date | null;
    };
    second_factors: {
      id: string;
      citizen_id: string;
      kind: 'totp' | 'email';
      secret: string | null;
      /** Latest accepted TOTP step. Codes of this step and of earlier steps are rejected. */
      last_step: number | null;
      created_at: Date;
      activated_at: Date | null;
    };
    mailed_codes: {
      purpose: string;
      /** Owner of the mailed code: the hash of a sign-in, or the id of a second factor. */
      owner: string;
      citizen_id: string;
      digest: string;
      tries: number;
      expires_at: Date;
      used_at: Date | null;
    };
    recovery_codes: { citizen_id: string; digest: string; created_at: Date; used_at: Date | null };
    /** Digests of used recovery codes. A trigger inserts them, and they exist as long as the account. */
    spent_recovery_codes: { citizen_id: string; digest: string };
    failed_attempts: { citizen_id: string; authenticator: string; browser: string; failures: number; failed_at: Date };
    email_changes: { citizen_id: string; email: string; requested_at: Date; confirm_from: Generated<Date | null> };
    passkeys: {
      id: string;
      citizen_id: string;
      /** Credential id in base64url, as chosen by the authenticator. */
      credential_id: string;
      /** COSE key in base64url. */
      public_key: string;
      /** Signature counter of the latest use. 0 if the authenticator does not count. */
      counter: number;
      /** WebAuthn transports, separated by spaces. */
      transports: string;
      device_type: 'singleDevice' | 'multiDevice';
      backed_up: boolean;
      name: string;
      created_at: Date;
      last_used_at: Date | null;
      /** MAC that proves that this server wrote the row (see `hasValidPasskeyMac`). */
      mac: string;
    };
    passkey_handles: { citizen_id: string; handle: string };
    passkey_challenges: {
      purpose: string;
      /** Owner of the challenge: the id of a session, or the hash of a sign-in or of an agent's action. */
      owner: string;
      digest: string;
      expires_at: Date;
      used_at: Date | null;
    };
  }
}

const credentialTables = {
  credentials: {
    data: 'Hash of the password',
    why: 'Signing in',
    readers: [],
    hashed: ['password_hash'],
    retention: 'until the account is deleted',
  },
  link_tokens: {
    data: 'E-mail address or document that a mailed link concerns',
    why: 'Activation, new passwords, reverting changes',
    readers: [],
    hashed: ['hash'],
    restored: () => sql`delete from link_tokens where purpose <> 'support-call'`,
    retention: createPurgeRule('expires_at', 'LINKS_DAYS', 'dias_vinculos'),
  },
  second_factors: {
    data: 'Second factors of a citizen, and the secret of an authenticator app',
    why: 'Signing in',
    readers: ['citizen'],
    encrypted: { secret: ({ id }) => buildTotpVaultPurpose(String(id)) },
    retention: 'until the account is deleted',
  },
  mailed_codes: {
    data: 'Hash of a mailed code',
    why: 'Signing in, and confirming changes',
    readers: [],
    hashed: ['digest'],
    restored: 'deleted',
    retention: createExpiryPurgeRule('minutos_paso'),
  },
  recovery_codes: {
    data: 'argon2id hashes of recovery codes',
    why: 'Signing in without the second factor',
    readers: [],
    hashed: ['digest'],
    retention: 'until the account is deleted',
  },
  spent_recovery_codes: {
    data: 'Hashes of used recovery codes',
    why: 'Preventing a second use of a code',
    readers: [],
    hashed: ['digest'],
    retention: 'until the account is deleted',
  },
  failed_attempts: {
    data: 'Number of consecutive failures with password, app or mailed codes, per known browser',
    why: 'Disabling a factor that is being guessed',
    readers: [],
    hashed: ['browser'],
    retention: 'until the account is deleted',
  },
  email_changes: {
    data: 'E-mail address that is not confirmed yet',
    why: 'Changing the address',
    readers: ['citizen'],
    restored: 'deleted',
    retention: createPurgeRule('requested_at', 'EMAIL_CHANGES_DAYS', 'dias_cambio_correo'),
  },
  passkeys: {
    data: 'Public keys, names and latest use of passkeys',
    why: 'Signing in',
    readers: ['citizen'],
    hashed: ['mac'],
    retention: 'until the account is deleted',
  },
  passkey_handles: {
    data: 'Random id of a citizen for authenticators',
    why: 'Passkeys',
    readers: [],
    retention: 'until the account is deleted',
  },
  passkey_challenges: {
    data: 'Challenge that a passkey must sign',
    why: 'Signing in',
    readers: [],
    hashed: ['digest'],
    restored: 'deleted',
    retention: createExpiryPurgeRule('minutos_paso'),
  },
} as const satisfies Readonly<Record<string, TableDescription>>;

export const credentialAttemptLimits = defineAttemptLimits({
  /** `checks` also counts correct passwords: each computes an argon2id hash, and a script with one account must not occupy all threads. */
  signIn: {
    address: { free: 60, windowS: secondsPerHour },
    document: { free: 10, windowS: secondsPerDay },
    checks: { free: 1_200, windowS: secondsPerHour },
  },
  secondFactor: { address: { free: 60, windowS: secondsPerHour }, document: { free: 10, windowS: secondsPerDay } },
  passkey: { address: { free: 60, windowS: secondsPerHour } },
  mailedCode: { address: { free: 60, windowS: secondsPerHour }, document: { free: 5, windowS: secondsPerHour } },
});

export const serverModule = {
  texts,
  limits: credentialAttemptLimits,
  tables: credentialTables,
} as const satisfies ServerModule;
