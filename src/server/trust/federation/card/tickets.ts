import { after } from '../../../platform/base/clock.ts';
import type { Store, Tx } from '../../../platform/database/open-store.ts';
import { challengeNames } from '../../identity/names.ts';
import { hashSecret, randomSecret } from '../../../platform/keys/secrets.ts';
import { handOver } from '../../sessions/challenge-record.ts';

/** Lifetime of a ticket, in seconds, and of the card number that is recorded for it. Leaves time to type a PIN. */
export const cardTicketLifeS = 120;

export interface TakenTicket {
  readonly hash: string;
  readonly challenge: string;
}

export async function makeTicket(store: Store, token: string, now: Date): Promise<string> {
  const ticket = randomSecret();
  await store.db
    .insertInto('card_tickets')
    .values({
      hash: hashSecret(ticket),
      challenge: hashSecret(token),
      expires_at: after(now, cardTicketLifeS),
    })
    .execute();
  return ticket;
}

/** Redeems a ticket, which cannot be used again. Returns `null` if it is unknown, expired, or already redeemed. */
export async function takeTicket(store: Store, ticket: string, now: Date): Promise<TakenTicket | null> {
  const taken = await store.db
    .updateTable('card_tickets')
    .set({ taken_at: now })
    .where('hash', '=', hashSecret(ticket))
    .where('taken_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['hash', 'challenge'])
    .executeTakeFirst();
  return taken ?? null;
}

/**
 * Records the card's number and gives the sign-in a new token. An attacker who kept the old one, and brought the ticket to the citizen's browser,
 * cannot use it. Returns `null` if the sign-in is no longer waiting.
 */
export function noteCard(store: Store, { hash, challenge }: TakenTicket, number: string, now: Date) {
  return store.transaction(async (tx) => {
    const waiting = await handOver(tx, challenge, challengeNames.card, now);
    if (waiting === null) return null;
    await tx
      .updateTable('card_tickets')
      .set({ challenge: hashSecret(waiting.token), number, expires_at: after(now, cardTicketLifeS) })
      .where('hash', '=', hash)
      .execute();
    return waiting;
  });
}

/** The number of the sign-in's card. It can be read only once. Returns `null` if there is none or it has expired. */
export async function useCard({ db }: Store | { db: Tx }, challenge: string, now: Date): Promise<string | null> {
  const used = await db
    .updateTable('card_tickets')
    .set({ used_at: now })
    .where('challenge', '=', challenge)
    .where('number', 'is not', null)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('number')
    .executeTakeFirst();
  return used?.number ?? null;
}
