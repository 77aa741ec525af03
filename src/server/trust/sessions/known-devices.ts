import { sql, type Kysely, type RawBuilder } from 'kysely';
import { hashSecret, isWellFormedSecret, generateSecret } from '../../platform/keys/random-secrets.ts';
import type { Database } from '../../platform/database/schema.ts';

/** Maximum number of citizens for whom one browser has a secret. */
const maxSecrets = 5;

/**
 * Creates the cookie of a known browser. `known` is the result of `findKnownDevice` in the same transaction. If it is `null`, the citizen gets a new
 * secret in this browser, of which nobody who planted the cookie or shares the browser has a copy. Hashes include the citizen, so that rows do not
 * reveal who shares a browser.
 */
export function createDeviceCookie(
  citizenId: string,
  { cookie, known }: { readonly cookie: string | undefined; readonly known: string | null },
): { readonly hash: string; readonly cookie: string } {
  const held = readDeviceSecrets(cookie);
  if (known !== null) return { hash: known, cookie: held.join('.') };
  const secret = generateSecret();
  return { hash: hashSecret(`${citizenId} ${secret}`), cookie: [secret, ...held].slice(0, maxSecrets).join('.') };
}

export async function findKnownDevice(
  db: Kysely<Database>,
  { citizenId, cookie }: { citizenId: string; cookie: string | undefined },
): Promise<string | null> {
  const held = readDeviceSecrets(cookie);
  if (held.length === 0) return null;
  const { rows } = await sql<{
    hash: string | null;
  }>`select ${buildKnownDeviceSql(sql`${citizenId}::text`, sql`${held}`)} as hash`.execute(db);
  return rows[0]?.hash ?? null;
}

/** Returns the throttle key for attempts at a document. A known browser has a separate counter, so that others cannot use up its attempts. */
export function buildDocumentThrottleKey(document: string, device: string | null): string {
  return device === null ? document : `${document} ${device}`;
}

export function buildKnownDeviceSql(
  citizen: RawBuilder<unknown>,
  secrets: RawBuilder<unknown>,
): RawBuilder<string | null> {
  return sql`(select known.hash from known_devices known where known.citizen_id = ${citizen} and known.hash in
    (select encode(sha256(convert_to(${citizen} || ' ' || secret, 'UTF8')), 'hex') from unnest(${secrets}::text[]) secret) limit 1)`;
}

export function readDeviceSecrets(cookie = ''): readonly string[] {
  return cookie.split('.').filter(isWellFormedSecret).slice(0, maxSecrets);
}
