import { documentId, type Document } from '../base/document.ts';
import { ownOrigin } from '../base/origin.ts';
import type { Store, Tx } from '../database/open-store.ts';
import { fullName } from '../identity/citizens.ts';
import type { Command, Commands } from '../notices/commands.ts';
import { endOthers } from '../sessions/end-others.ts';
import { isLive } from '../sessions/sessions.ts';

/** By what a record of a foreign provider is found: who the provider means, or the document as it stands there. */
export type ForeignName = { readonly provider: string; readonly subject: string } | { readonly document: Document };

/** What can be done to such a record: its names, its document and its level are the provider's. */
const actions = {
  block: 'account-blocked',
  unblock: 'account-unblocked',
  'end-sessions': 'sessions-ended-by-agent',
} as const;
export type ForeignAct = keyof typeof actions;

/** How an act ended, as for accounts. */
export type ForeignOutcome = 'unknown' | 'unchanged' | 'done';

const attended = ownOrigin('agent', 'command');

/** Whether an act can be done to the record of a foreign provider. */
export function isForeignAct(act: string): act is ForeignAct {
  return Object.hasOwn(actions, act);
}

/** What an operator is shown of the records of that name, a paragraph each; each look is audited, also one at nobody. */
export async function showForeigners(
  { commands }: { readonly commands: Commands },
  name: ForeignName,
  operator: string,
): Promise<readonly (readonly string[])[]> {
  return commands.run(attended, async ({ tx, now, audit }) => {
    const found = await findForeigners(tx, name);
    if (found.length === 0) await audit('account-shown', null, { operator, ...asked(name) });
    const shown: string[][] = [];
    for (const record of found) {
      await audit('account-shown', record.id, { operator, ...asked(name) });
      const sessions = await tx
        .selectFrom('broker_sessions')
        .select('id')
        .where('citizen_id', '=', record.id)
        .where(isLive(now))
        .execute();
      shown.push([
        `provider     ${record.provider}`,
        `subject      ${record.subject}`,
        `id           ${record.id}`,
        `document     ${documentId(record)}`,
        `name         ${fullName(record)}`,
        `blocked      ${record.blocked_at?.toISOString() ?? 'no'}`,
        `sessions     ${sessions.length}`,
        `last sign-in ${record.used_at.toISOString()}`,
      ]);
    }
    return shown;
  });
}

/** Does an act to the record that a provider has made of somebody. There is no address to tell: the audit log has who did it, and why. */
export async function actOnForeigner(
  { commands }: { readonly commands: Commands },
  request: { act: ForeignAct; name: Exclude<ForeignName, { document: Document }>; reason: string; operator: string },
): Promise<ForeignOutcome> {
  const { act, name, reason, operator } = request;
  return commands.run(attended, async (command) => {
    const found = await findForeigners(command.tx, name);
    if (found.length === 0) {
      await command.audit('account-act-refused', null, { operator, act, ...asked(name), outcome: 'unknown' });
      return 'unknown';
    }
    let outcome: ForeignOutcome = 'unchanged';
    for (const record of found) {
      if (!(await change(command, act, record))) continue;
      outcome = 'done';
      await command.audit(actions[act], record.id, { reason, operator, ...asked(name) });
    }
    return outcome;
  });
}

async function change(
  { tx, now }: Command,
  act: ForeignAct,
  { id, blocked_at }: { readonly id: string; readonly blocked_at: Date | null },
): Promise<boolean> {
  const isBlocked = blocked_at !== null;
  if ((act === 'block' && isBlocked) || (act === 'unblock' && !isBlocked)) return false;
  if (act !== 'unblock') await endOthers(tx, id, now, null);
  if (act !== 'end-sessions')
    await tx
      .updateTable('citizens')
      .set({ blocked_at: act === 'block' ? now : null })
      .where('id', '=', id)
      .execute();
  return true;
}

/** Whoever has made an account of such a record is found by its document, as everybody with an account. */
function findForeigners(db: Store['db'] | Tx, name: ForeignName) {
  const records = db
    .selectFrom('citizens')
    .innerJoin('provider_identities', 'provider_identities.citizen_id', 'citizens.id')
    .selectAll('citizens')
    .select(['provider_identities.provider', 'provider_identities.subject', 'provider_identities.used_at'])
    .where('citizens.idp', 'is not', null)
    .orderBy('citizens.id');
  return 'document' in name
    ? records
        .where('citizens.country', '=', name.document.country)
        .where('citizens.type', '=', name.document.type)
        .where('citizens.number', '=', name.document.number)
        .execute()
    : records
        .where('provider_identities.provider', '=', name.provider)
        .where('provider_identities.subject', '=', name.subject)
        .execute();
}

/** What was asked for, as the audit log says it. */
function asked(name: ForeignName): Record<string, string> {
  return 'document' in name
    ? { document: documentId(name.document) }
    : { provider: name.provider, subject: name.subject };
}
