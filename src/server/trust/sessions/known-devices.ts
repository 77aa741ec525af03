import { sql, type Kysely, type RawBuilder } from 'kysely';
import { hashSecret, isSecret, randomSecret } from '../../platform/keys/secrets.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { preparedInsert, preparedLater } from '../../platform/database/prepared.ts';
import type { Database } from '../../platform/database/schema.ts';

/** The most citizens that one browser is known by. */
const mostSecrets = 5;

/**
 * Notes that a citizen signs in with the browser of a cookie, which is `known` (`knownDevice`, in the same transaction); answers the cookie from then on. Whom the
 * browser does not know gets a secret of their own beside those in the cookie: somebody who planted that, or shares the browser, has no copy
 * of it. Hashed with the citizen, so that rows tell nothing of who shares a browser.
 */
export async function knowDevice(
  tx: Tx,
  { citizenId, cookie, now, known }: { citizenId: string; cookie: string | undefined; now: Date; known: string | null },
): Promise<string> {
  const held = heldIn(cookie);
  if (known !== null) {
    await seeDevice(tx, { citizenId, hash: known, now });
    return held.join('.');
  }
  const secret = randomSecret();
  const hash = hashOf(citizenId, secret);
  await addDevice(tx, { citizen_id: citizenId, hash, seen_at: now });
  return [secret, ...held].slice(0, mostSecrets).join('.');
}

const seeDevice = preparedLater<{ citizenId: string; hash: string; now: Date }>((db, value) =>
  db
    .updateTable('known_devices')
    .set({ seen_at: value('now') })
    .where('citizen_id', '=', value('citizenId'))
    .where('hash', '=', value('hash')),
);
const addDevice = preparedInsert('known_devices', ['citizen_id', 'hash', 'seen_at']);

/** Which of the browsers that a citizen has signed in with before this one is; null: none. */
export async function knownDevice(
  db: Kysely<Database>,
  { citizenId, cookie }: { citizenId: string; cookie: string | undefined },
): Promise<string | null> {
  const held = heldIn(cookie);
  if (held.length === 0) return null;
  const { rows } = await sql<{
    hash: string | null;
  }>`select ${deviceAmong(sql`${citizenId}::text`, sql`${held}`)} as hash`.execute(db);
  return rows[0]?.hash ?? null;
}

/**
 * The text that tries for a document are counted under. A known browser of its citizen (`knownDevice`) has a count of its own, so that others cannot use
 * its tries up.
 */
export function countedDocument(document: string, device: string | null): string {
  return device === null ? document : `${document} ${device}`;
}

/** `knownDevice` as an expression: among the secrets of a browser (`heldIn`), hashed as they are stored. */
export function deviceAmong(citizen: RawBuilder<unknown>, secrets: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`(select known.hash from known_devices known where known.citizen_id = ${citizen} and known.hash in
    (select encode(sha256(convert_to(${citizen} || ' ' || secret, 'UTF8')), 'hex') from unnest(${secrets}::text[]) secret) limit 1)`;
}

/** The secrets that a browser is known by, of its cookie. */
export function heldIn(cookie = ''): readonly string[] {
  return cookie.split('.').filter(isSecret).slice(0, mostSecrets);
}

function hashOf(citizenId: string, secret: string): string {
  return hashSecret(`${citizenId} ${secret}`);
}
