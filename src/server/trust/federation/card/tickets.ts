import { after } from '../../../platform/base/clock.ts';
import type { Store, Tx } from '../../../platform/database/open-store.ts';
import { challengeNames } from '../../identity/names.ts';
import { hashSecret, randomSecret } from '../../../platform/keys/secrets.ts';
import { handOver } from '../../sessions/challenge-record.ts';

/** How long a ticket, and the code that is given for it, can be used, in seconds: a PIN is typed meanwhile. */
export const cardTicketLifeS = 120;

/** A ticket that was taken. */
export interface TakenTicket {
  readonly hash: string;
  /** Hash of the sign-in that waits for it. */
  readonly challenge: string;
}

/** Makes the ticket of a sign-in, whose token is `token`. */
export async function makeTicket(store: Store, token: string, now: Date): Promise<string> {
  const ticket = randomSecret();
  await store.db
    .insertInto('card_tickets')
    .values({
      hash: hashSecret(ticket),
      challenge: hashSecret(token),
      number: null,
      expires_at: after(now, cardTicketLifeS),
      taken_at: null,
      used_at: null,
    })
    .execute();
  return ticket;
}

/** Takes a ticket, which is then nobody's any more; null: unknown, late, or taken before. */
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
 * Notes the number that a card showed, and gives the sign-in a new token: who holds the old one, or brought the ticket to somebody else's browser, has
 * nothing of it. Null: the sign-in waits no longer.
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

/** The number that the card of a sign-in showed, once; null: none, or late. */
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
