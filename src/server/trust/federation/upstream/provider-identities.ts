import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { DatabaseStore, Tx } from '../../../platform/database/open-store.ts';
import { toNameColumns } from '../../identity/citizens.ts';
import { type UpstreamUser, UpstreamRefusedError } from './upstream-adapter.ts';

type ProviderIdentity = Pick<UpstreamUser, 'provider' | 'issuer' | 'subject'>;

export async function resolveLinkedIdentity(tx: Tx, { provider, issuer, subject }: ProviderIdentity, now: Date) {
  const row = await tx
    .updateTable('provider_identities')
    .set({ used_at: now })
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning('citizen_id')
    .executeTakeFirst();
  return row?.citizen_id ?? null;
}

export async function linkIdentity(
  tx: Tx,
  { provider, issuer, subject }: ProviderIdentity,
  { citizenId, now }: { citizenId: string; now: Date },
): Promise<{ readonly citizenId: string; readonly isNew: boolean }> {
  const made = await tx
    .insertInto('provider_identities')
    .values({ provider, issuer, subject, citizen_id: citizenId, linked_at: now, used_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('subject')
    .executeTakeFirst();
  if (made) {
    await tx
      .deleteFrom('provider_refusals') // an earlier refusal no longer applies, because the citizen has signed in with another method
      .where('provider', 'in', [provider, ''])
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .where('citizen_id', '=', citizenId)
      .execute();
    return { citizenId, isNew: true };
  }
  return { citizenId: (await resolveLinkedIdentity(tx, { provider, issuer, subject }, now)) ?? '', isNew: false };
}

/** Unlinks all identities of a citizen, or only those at `provider`. Afterwards, a sign-in at the provider is not enough to link them again. */
export async function unlinkIdentities(tx: Tx, citizenId: string, now: Date, provider?: string): Promise<void> {
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

export async function wasIdentityUnlinked(
  db: DatabaseStore['db'] | Tx,
  { provider, issuer, subject }: ProviderIdentity,
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

export async function saveForeignCitizen(tx: Tx, user: UpstreamUser, now: Date): Promise<string> {
  const { provider } = user;
  const names = toNameColumns(user.person);
  const known = await resolveLinkedIdentity(tx, user, now);
  if (known !== null) {
    await tx
      .updateTable('citizens')
      .set({ ...user.document, ...names })
      .where('id', '=', known)
      .where('idp', '=', provider) // does not update a citizen who has created an account in the meantime, and who keeps the names of the account
      .execute();
    return known;
  }
  const id = randomUUID();
  await tx
    .insertInto('citizens')
    .values({
      id,
      ...user.document,
      ...names,
      idp: provider,
      origin: provider,
      level: 'Autoregistrado',
      permissions: '{}',
      active_at: now,
      created_at: now,
    })
    .execute();
  if (!(await linkIdentity(tx, user, { citizenId: id, now })).isNew)
    throw new UpstreamRefusedError('the same person signs in for the first time twice at once');
  return id;
}
