import { hashSecret, isSecret, randomSecret } from '../../platform/keys/secrets.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';

/** The most citizens that one browser is known by. */
const mostSecrets = 5;

/**
 * Notes that a citizen signs in with the browser of a cookie; answers whether the citizen did so before, and the cookie from then on. Whom the
 * browser does not know gets a secret of their own beside those in the cookie: somebody who planted that, or shares the browser, has no copy
 * of it. Hashed with the citizen, so that rows tell nothing of who shares a browser.
 */
export async function knowDevice(
  tx: Tx,
  { citizenId, cookie, now }: { citizenId: string; cookie: string | undefined; now: Date },
): Promise<{ known: boolean; cookie: string }> {
  const held = heldIn(cookie);
  for (const secret of held)
    if (await isKnown(tx, { citizenId, secret, now })) return { known: true, cookie: held.join('.') };
  const secret = randomSecret();
  await tx
    .insertInto('known_devices')
    .values({ citizen_id: citizenId, hash: hashOf(citizenId, secret), seen_at: now })
    .execute();
  return { known: false, cookie: [secret, ...held].slice(0, mostSecrets).join('.') };
}

/** Which of the browsers that a citizen has signed in with before this one is; null: none. */
export async function knownDevice(
  db: Store['db'],
  { citizenId, cookie }: { citizenId: string; cookie: string | undefined },
): Promise<string | null> {
  const held = heldIn(cookie);
  if (held.length === 0) return null;
  const hashes = held.map((secret) => hashOf(citizenId, secret));
  const known = await db
    .selectFrom('known_devices')
    .select('hash')
    .where('citizen_id', '=', citizenId)
    .where('hash', 'in', hashes)
    .executeTakeFirst();
  return known?.hash ?? null;
}

function heldIn(cookie = ''): readonly string[] {
  return cookie.split('.').filter(isSecret).slice(0, mostSecrets);
}

async function isKnown(
  tx: Tx,
  { citizenId, secret, now }: { citizenId: string; secret: string; now: Date },
): Promise<boolean> {
  const seen = await tx
    .updateTable('known_devices')
    .set({ seen_at: now })
    .where('citizen_id', '=', citizenId)
    .where('hash', '=', hashOf(citizenId, secret))
    .returning('hash')
    .executeTakeFirst();
  return seen !== undefined;
}

function hashOf(citizenId: string, secret: string): string {
  return hashSecret(`${citizenId} ${secret}`);
}
