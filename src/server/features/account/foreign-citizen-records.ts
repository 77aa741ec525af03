import { formatDocumentId, type IdentityDocument } from '../../platform/base/identity-document.ts';
import { createInternalChangeOrigin, type ChangeOrigin } from '../../platform/base/change-origin.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import { formatFullName } from '../../trust/identity/citizens.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import { revokeOtherAccess } from '../../trust/sessions/revoke-other-access.ts';
import { countLiveSessions } from '../../trust/sessions/broker-sessions.ts';
import type { AccountActionOutcome } from './account-actions.ts';
import type { HandlerContext } from '../handler-context.ts';

export interface ForeignProviderSubject {
  readonly provider: string;
  readonly subject: string;
}

type ForeignCitizenQuery = ForeignProviderSubject | { readonly document: IdentityDocument };

export type ForeignCitizenRecord = Awaited<ReturnType<typeof findForeignCitizenRecords>>[number] & {
  readonly sessions: number;
};

/** Actions on a foreign record, with their audit actions. Names, document and level cannot be changed, because the provider asserts them. */
const auditActionsByRecordAction = {
  block: 'account-blocked',
  unblock: 'account-unblocked',
  'end-sessions': 'sessions-ended-by-agent',
} as const;
export type ForeignCitizenAction = keyof typeof auditActionsByRecordAction;

const agentOrigin = createInternalChangeOrigin('agent', 'command');

export function isForeignCitizenAction(act: string): act is ForeignCitizenAction {
  return Object.hasOwn(auditActionsByRecordAction, act);
}

/** Parses a foreign subject in the format `PROVIDER:SUBJECT`. Returns `null` for any other text. */
export function parseForeignSubject(text: string): ForeignProviderSubject | null {
  const [, provider, subject] = /^([a-z][a-z0-9_-]*):(.+)$/s.exec(text.trim()) ?? [];
  return provider !== undefined && subject !== undefined ? { provider, subject } : null;
}

export function formatForeignSubject({ provider, subject }: ForeignProviderSubject): string {
  return `${provider}:${subject}`;
}

export async function listForeignCitizenRecords(
  { tx, now, audit }: DatabaseCommand,
  name: ForeignCitizenQuery,
  operator: string,
): Promise<readonly ForeignCitizenRecord[]> {
  const records: ForeignCitizenRecord[] = [];
  for (const record of await findForeignCitizenRecords(tx, name)) {
    await audit('account-shown', record.id, { operator, ...buildForeignCitizenAuditDetails(name) });
    records.push({ ...record, sessions: await countLiveSessions(tx, record.id, now) });
  }
  return records;
}

/** Describes the foreign records that match a query, one field per line. Audits each access, and also a search without results. */
export async function describeForeignCitizenRecords(
  { commands }: Pick<HandlerContext, 'commands'>,
  name: ForeignCitizenQuery,
  operator: string,
): Promise<readonly (readonly string[])[]> {
  return commands.run(agentOrigin, async (command) => {
    const records = await listForeignCitizenRecords(command, name, operator);
    if (records.length === 0)
      await command.audit('account-shown', null, { operator, ...buildForeignCitizenAuditDetails(name) });
    return records.map((record) => [
      `provider     ${record.provider}`,
      `subject      ${record.subject}`,
      `id           ${record.id}`,
      `document     ${formatDocumentId(record)}`,
      `name         ${formatFullName(record)}`,
      `blocked      ${record.blocked_at?.toISOString() ?? 'no'}`,
      `sessions     ${record.sessions}`,
      `last sign-in ${record.used_at.toISOString()}`,
    ]);
  });
}

/** Performs an action on a foreign record. Sends no notice, because a foreign record has no e-mail address. */
export async function performForeignCitizenAction(
  { commands }: Pick<HandlerContext, 'commands'>,
  request: {
    readonly act: ForeignCitizenAction;
    readonly name: ForeignProviderSubject;
    readonly reason: string;
    readonly operator: string;
    /** Present if the actor is an agent at the desk, who may not act on a record with their own document. */
    readonly seat?: { readonly document: string; readonly origin: ChangeOrigin };
  },
): Promise<AccountActionOutcome> {
  const { act, name, reason, operator, seat } = request;
  return commands.run(seat?.origin ?? agentOrigin, async (command) => {
    const about = { operator, ...buildForeignCitizenAuditDetails(name) };
    const found = await findForeignCitizenRecords(command.tx, name);
    const own = found.find((record) => formatDocumentId(record) === seat?.document);
    if (found.length === 0 || own !== undefined) {
      const outcome = own === undefined ? 'unknown' : 'own';
      await command.audit('account-act-refused', own?.id ?? null, { ...about, act, outcome });
      return outcome;
    }
    let outcome: AccountActionOutcome = 'unchanged';
    for (const record of found) {
      if (!(await applyForeignRecordAction(command, act, record))) continue;
      outcome = 'done';
      await command.audit(auditActionsByRecordAction[act], record.id, { ...about, reason });
    }
    return outcome;
  });
}

async function applyForeignRecordAction(
  { tx, now }: DatabaseCommand,
  act: ForeignCitizenAction,
  { id, blocked_at }: Pick<ForeignCitizenRecord, 'id' | 'blocked_at'>,
): Promise<boolean> {
  if (act === (blocked_at === null ? 'unblock' : 'block')) return false;
  if (act !== 'unblock') await revokeOtherAccess(tx, id, now, null);
  if (act !== 'end-sessions')
    await tx
      .updateTable('citizens')
      .set({ blocked_at: act === 'block' ? now : null })
      .where('id', '=', id)
      .execute();
  return true;
}

/** Finds the foreign records that match a query. A person who has created an account of the portal since has no foreign record any more. */
function findForeignCitizenRecords(db: DatabaseStore['db'] | Tx, name: ForeignCitizenQuery) {
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

export function buildForeignCitizenAuditDetails(name: ForeignCitizenQuery): Record<string, string> {
  return 'document' in name
    ? { document: formatDocumentId(name.document) }
    : { provider: name.provider, subject: name.subject };
}
