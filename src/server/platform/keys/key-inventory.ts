import { addSeconds } from '../base/clock.ts';
import { secondsPerDay } from '../base/fixed-periods.ts';
import { fingerprintServerKeys, type StoredKeyFingerprint } from './key-fingerprints.ts';
import type { ServerKeyName, ServerKeys } from './load-server-keys.ts';
import { countRsaModulusBits } from './signing-keys.ts';

/** A key in use, described for operators (ASVS 11.1.1 to 11.1.4) without revealing it. */
export interface KeyInventoryEntry {
  readonly use: string;
  readonly id: string;
  readonly algorithm: string;
  readonly bits: number;
  /** `null` if unknown. */
  readonly since: Date | null;
  /** Days until rotation. `null` for derived keys, which rotate with their encryption key. */
  readonly periodDays: number | null;
  readonly place: 'a file or setting' | 'a PKCS#11 module';
}

/**
 * Custody, rotation and migration of a key (NIST SP 800-57, part 1). The migration dates follow NIST IR 8547, which disallows RSA and elliptic
 * curves.
 */
interface KeyPolicy {
  readonly purpose: string;
  /** Role of the operator's staff. The custodian must not be the approver. */
  readonly custodian: string;
  readonly approver: string;
  readonly periodDays: number;
  readonly successor: string;
  /** Date by which the successor replaces the algorithm. */
  readonly migratedBy: string | null;
}

const postQuantumMigration = { successor: 'ML-DSA-65', migratedBy: '2030-12-31' } as const;
const symmetricMigration = { successor: 'none needed', migratedBy: null } as const;
const operatedCustody = { custodian: 'operations', approver: 'information security' } as const;

export const keyPolicies: Readonly<Record<ServerKeyName, KeyPolicy>> = {
  signing: {
    purpose: 'ID Tokens, bearers, SAML messages',
    ...operatedCustody,
    periodDays: 730,
    ...postQuantumMigration,
  },
  encryption: { purpose: 'secrets in the database', ...operatedCustody, periodDays: 730, ...symmetricMigration },
  decryption: {
    ...{ purpose: 'assertions of identity providers', ...operatedCustody, periodDays: 730 },
    ...{ successor: 'ML-KEM-768', migratedBy: '2030-12-31' },
  },
  captcha: { purpose: 'captcha challenges', ...operatedCustody, periodDays: 365, ...symmetricMigration },
  audit: {
    ...{ purpose: 'seals of the audit log and backups', periodDays: 1_825 },
    ...{ custodian: 'internal audit', approver: 'information security', ...postQuantumMigration },
  },
};

export function listKeyInventory(keys: ServerKeys, accepted: readonly StoredKeyFingerprint[], now: Date) {
  const findAcceptance = (fingerprint: string) =>
    accepted.find((key) => key.fingerprint === fingerprint)?.acceptedAt ?? null;
  const current = new Map(fingerprintServerKeys(keys, now).map(({ name, fingerprint }) => [name, fingerprint]));
  const findCurrent = (name: ServerKeyName) => findAcceptance(current.get(name) ?? '');
  const place = 'a file or setting' as const;
  const hmac = { algorithm: 'HMAC-SHA-256', bits: 256, place };
  const [first] = keys.encryption.keys;
  const firstSince = first.since ?? (keys.encryption.keys.length === 1 ? findCurrent('encryption') : null);
  const listRsa = (use: 'signing' | 'decryption') =>
    keys[use].map(({ kid, since, signers, source }): KeyInventoryEntry => ({
      use,
      id: kid,
      algorithm: 'RSA',
      bits: countRsaModulusBits(signers.RS256.publicJwk),
      since: since ?? findAcceptance(kid),
      periodDays: keyPolicies[use].periodDays,
      place: source.startsWith('pkcs11:') ? 'a PKCS#11 module' : place,
    }));
  return [
    ...listRsa('signing'),
    ...listRsa('decryption'),
    ...keys.encryption.keys.map(({ id, since }) => ({
      ...{ use: 'encryption', id, algorithm: 'AES-GCM', bits: 256, place },
      since: since ?? firstSince,
      periodDays: keyPolicies.encryption.periodDays,
    })),
    ...keys.encryption.derived.flatMap(({ id, since, keys: derived }) =>
      Object.keys(derived).map((use) => ({
        ...hmac,
        use,
        id: id === '' ? 'of the first encryption key' : `of ${id}`,
        since: since ?? firstSince,
        periodDays: null,
      })),
    ),
    { ...hmac, use: 'captcha', id: '', since: findCurrent('captcha'), periodDays: keyPolicies.captcha.periodDays },
    ...keys.audit.map(({ kid }) => ({
      ...{ use: 'audit', id: kid, algorithm: 'Ed25519', bits: 256, place },
      since: findAcceptance(kid),
      periodDays: keyPolicies.audit.periodDays,
    })),
  ];
}

export function isKeyRotationOverdue({ since, periodDays }: KeyInventoryEntry, now: Date): boolean {
  return since !== null && periodDays !== null && addSeconds(since, periodDays * secondsPerDay) <= now;
}
