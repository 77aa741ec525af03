import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Store, Tx } from '../../../platform/database/open-store.ts';
import type { Arrived } from './person.ts';
import { UpstreamRefused } from './upstream-error.ts';

/** What a provider's word for a person is linked to. */
export interface Linked {
  readonly citizenId: string;
}

/** Whom a provider means: its entry of the configuration, its issuer, and its name for the person. */
export type Meant = Pick<Arrived, 'provider' | 'issuer' | 'subject'>;

/** Finds who a provider means, by these three alone. */
export async function findIdentity(tx: Tx, { provider, issuer, subject }: Meant, now: Date): Promise<Linked | null> {
  const row = await tx
    .updateTable('provider_identities')
    .set({ used_at: now })
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning('citizen_id')
    .executeTakeFirst();
  return row ? { citizenId: row.citizen_id } : null;
}

/** Links a provider's word for a person to a citizen; whose it is now, and whether it was nobody's before. */
export async function linkIdentity(
  tx: Tx,
  { provider, issuer, subject }: Meant,
  { citizenId, now }: { citizenId: string; now: Date },
): Promise<Linked & { readonly isNew: boolean }> {
  const made = await tx
    .insertInto('provider_identities')
    .values({ provider, issuer, subject, citizen_id: citizenId, linked_at: now, used_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('subject')
    .executeTakeFirst();
  if (made) {
    await tx
      .deleteFrom('provider_refusals') // whoever may link was asked to sign in otherwise
      .where('provider', 'in', [provider, ''])
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .where('citizen_id', '=', citizenId)
      .execute();
    return { citizenId, isNew: true };
  }
  return { citizenId: (await findIdentity(tx, { provider, issuer, subject }, now))?.citizenId ?? '', isNew: false };
}

/** Takes every link of a citizen back for good, or those to one provider: none comes about again by the provider's word alone. */
export async function refuseIdentities(tx: Tx, citizenId: string, now: Date, provider?: string): Promise<void> {
  const ofProvider = provider === undefined ? sql<boolean>`true` : sql<boolean>`provider = ${provider}`;
  await tx
    .insertInto('provider_refusals')
    .columns(['provider', 'issuer', 'subject', 'citizen_id', 'at'])
    .expression((query) =>
      query
        .selectFrom('provider_identities')
        .select(({ val }) => ['provider', 'issuer', 'subject', 'citizen_id', val(now).as('at')])
        .where('citizen_id', '=', citizenId)
        .where(ofProvider),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx.deleteFrom('provider_identities').where('citizen_id', '=', citizenId).where(ofProvider).execute();
}

/** Whether a citizen has taken back the link to whom a provider means. */
export async function isRefused(
  db: Store['db'] | Tx,
  { provider, issuer, subject }: Meant,
  citizenId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('provider_refusals')
    .select('at')
    .where('provider', 'in', [provider, ''])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('citizen_id', '=', citizenId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The record of somebody whom a foreign provider means: made at the first sign-in, brought up to date at each. Answers its id. */
export async function keepForeigner(tx: Tx, arrived: Arrived, now: Date): Promise<string> {
  const { provider } = arrived;
  const names = {
    first_name: arrived.person.firstName,
    second_name: arrived.person.secondName,
    first_surname: arrived.person.firstSurname,
    second_surname: arrived.person.secondSurname,
  };
  const known = await findIdentity(tx, arrived, now);
  if (known !== null) {
    await tx
      .updateTable('citizens')
      .set({ ...arrived.document, ...names })
      .where('id', '=', known.citizenId)
      .where('idp', '=', provider) // who has an account by now has names of one's own
      .execute();
    return known.citizenId;
  }
  const id = randomUUID();
  await tx
    .insertInto('citizens')
    .values({
      id,
      ...arrived.document,
      ...names,
      idp: provider,
      email: null,
      email_verified_at: null,
      phone: null,
      origin: provider,
      level: 'Autoregistrado',
      signature: null,
      permissions: '{}',
      active_at: now,
      blocked_at: null,
      last_login_at: null,
      created_at: now,
    })
    .execute();
  if (!(await linkIdentity(tx, arrived, { citizenId: id, now })).isNew)
    throw new UpstreamRefused('the same person signs in for the first time twice at once');
  return id;
}
