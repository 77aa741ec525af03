import type { Logger } from 'pino';
import { constants } from '../../api/constants.ts';
import { after, type Clock } from '../clock.ts';
import { documentId } from '../document.ts';
import { appendAudit } from './audit.ts';
import { warnOfSkew } from './clock-skew.ts';
import type { Store, Tx } from './open-store.ts';

const day = 24 * 60 * 60;
const hourMs = 60 * 60 * 1000;

/** Deletes what nobody can use any more; links are kept a month longer, so that a late click still hears that it was used. */
export async function purge(store: Store, now: Date): Promise<void> {
  await store.db.deleteFrom('link_tokens').where('expires_at', '<', after(now, -30 * day)).execute();
  await store.db.deleteFrom('challenges').where('expires_at', '<', now).execute();
  await store.db.deleteFrom('mailed_codes').where('expires_at', '<', now).execute();
  await store.db.deleteFrom('oidc_records').where('expires_at', '<', now).execute();
  await store.db.deleteFrom('captcha_replays').where('expires_at', '<', now).execute();
  await store.db.deleteFrom('signature_requests').where('expires_at', '<', after(now, -day)).execute();
  await store.db.deleteFrom('passkey_challenges').where('expires_at', '<', now).execute();
  await store.db.deleteFrom('email_changes').where('requested_at', '<', after(now, -30 * day)).execute();
  await store.db.deleteFrom('broker_sessions').where('expires_at', '<', after(now, -day)).execute();
  await store.db.deleteFrom('known_devices').where('seen_at', '<', after(now, -365 * day)).execute();
  await store.db.deleteFrom('throttle').where('since', '<', after(now, -day)).where('blocked_until', '<', now).execute();
  await store.db.deleteFrom('outbox').where('created_at', '<', after(now, -30 * day)).execute();
  const old = after(now, -constants.messageRetentionYears * 365 * day);
  await store.db.deleteFrom('contact_messages').where('created_at', '<', old).execute();
  await store.db.deleteFrom('feedback').where('created_at', '<', old).execute();
  await deleteClosedAccounts(store, now);
}

/** Purges at start and every hour, and looks at the clock; a failure is logged and tried again. */
export function startPurge(store: Store, clock: Clock, log: Logger): { close(): Promise<void> } {
  const run = async () => {
    await warnOfSkew(store, clock, log).catch((error: unknown) => log.error({ err: error }, 'the clock of the database could not be read'));
    await purge(store, clock.now()).catch((error: unknown) => log.error({ err: error }, 'old rows could not be deleted'));
  };
  let running = run();
  const timer = setInterval(() => {
    running = run();
  }, hourMs).unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}

/** Deletes the accounts whose day has come. A blocked one stays until it is unblocked: the block is not its citizen's to end. */
async function deleteClosedAccounts(store: Store, now: Date): Promise<void> {
  const due = await store.db.selectFrom('citizens').select('id').where('closing_at', '<=', now).where('blocked_at', 'is', null).execute();
  for (const { id } of due) await deleteAccount(store, id, now);
}

/**
 * Deletes everything of a citizen but the rows of the audit log, where the id stays as a pseudonym. What belongs to the citizen goes
 * with the record itself. The account may have been kept or blocked meanwhile.
 */
async function deleteAccount(store: Store, id: string, now: Date): Promise<void> {
  await store.transaction(async (tx) => {
    const deleted = await tx.deleteFrom('citizens')
      .where('id', '=', id).where('closing_at', '<=', now).where('blocked_at', 'is', null)
      .returning(['email', 'country', 'type', 'number']).executeTakeFirst();
    if (deleted === undefined) return;
    await tx.deleteFrom('oidc_records').where('account_id', '=', id).execute();
    await tx.deleteFrom('link_tokens').where('subject', '=', documentId(deleted)).execute(); // rights that only name the document
    await tx.deleteFrom('challenges').where('document', '=', documentId(deleted)).execute();
    if (deleted.email !== null) await deleteMails(tx, deleted.email);
    await appendAudit(tx, { at: now, action: 'account-deleted', citizenId: id, address: '', requestId: 'purge' });
  });
}

/** Mails to an address that another citizen has as well may be that one's: those go with their time. */
async function deleteMails(tx: Tx, email: string): Promise<void> {
  await tx.deleteFrom('outbox').where('recipient', '=', email)
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('citizens').select('id').where('email', '=', email)))).execute();
}
