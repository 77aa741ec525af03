import { after } from '../base/clock.ts';
import { dayS } from '../base/periods.ts';
import { fingerprintKeys, type AcceptedKey } from './accepted-keys.ts';
import type { Keys } from './load-keys.ts';

/** A key in use, for operators (ASVS 11.1.1 to 11.1.4). It reveals nothing of the key. */
export interface InventoryEntry {
  readonly use: string;
  readonly id: string;
  readonly algorithm: string;
  readonly bits: number;
  /** When it began to be used. `null` if unknown. */
  readonly since: Date | null;
  /** Days until it should be rotated. `null` for keys derived from the first encryption key, which stay. */
  readonly periodDays: number | null;
  /** Algorithm that is planned to replace this one once quantum computers threaten it. */
  readonly successor: string;
}

const cryptoperiodDays = { signing: 730, encryption: 730, audit: 1_825, captcha: 365 } as const;
const enough = 'none needed';

export function listInventory(keys: Keys, accepted: readonly AcceptedKey[], now: Date): readonly InventoryEntry[] {
  const findAcceptance = (fingerprint: string) =>
    accepted.find((key) => key.fingerprint === fingerprint)?.acceptedAt ?? null;
  const current = new Map(fingerprintKeys(keys, now).map(({ name, fingerprint }) => [name, fingerprint]));
  const findCurrent = (name: keyof typeof cryptoperiodDays) => findAcceptance(current.get(name) ?? '');
  const symmetric = { bits: 256, successor: enough } as const;
  const [first] = keys.encryption.keys;
  const firstSince = first.since ?? (keys.encryption.keys.length === 1 ? findCurrent('encryption') : null);
  return [
    ...keys.signing.map(({ kid, since, publicJwk }) => ({
      use: 'signing',
      id: kid,
      algorithm: 'RSA',
      bits: Buffer.from(publicJwk.n, 'base64url').length * 8,
      since: since ?? findAcceptance(kid),
      periodDays: cryptoperiodDays.signing,
      successor: 'ML-DSA-65',
    })),
    ...keys.encryption.keys.map(({ id, since }) => ({
      ...{ use: 'encryption', id, algorithm: 'AES-GCM', ...symmetric },
      since: since ?? firstSince,
      periodDays: cryptoperiodDays.encryption,
    })),
    ...Object.keys(keys.encryption.derived).map((use) => ({
      ...{ use, id: `derived from ${first.id}`, algorithm: 'HMAC-SHA-256', ...symmetric },
      since: firstSince,
      periodDays: null,
    })),
    {
      ...{ use: 'captcha', id: '', algorithm: 'HMAC-SHA-256', ...symmetric },
      since: findCurrent('captcha'),
      periodDays: cryptoperiodDays.captcha,
    },
    ...keys.audit.map(({ kid }) => ({
      ...{ use: 'audit', id: kid, algorithm: 'Ed25519', bits: 256, successor: 'ML-DSA-65' },
      since: findAcceptance(kid),
      periodDays: cryptoperiodDays.audit,
    })),
  ];
}

export function isOverdue({ since, periodDays }: InventoryEntry, now: Date): boolean {
  return since !== null && periodDays !== null && after(since, periodDays * dayS) <= now;
}
