import { OperationError } from '../../platform/base/errors.ts';
import { pagePaths } from '../../../contract/page-paths.ts';
import { discardPendingEmailChange } from '../../trust/credentials/email-changes.ts';
import {
  consumeLinkToken,
  listUnusedLinkTokens,
  voidLinkToken,
  voidLinkTokens,
} from '../../trust/credentials/link-tokens.ts';
import { hasSecondFactor } from '../../trust/credentials/second-factors.ts';
import { unlinkIdentities } from '../../trust/federation/upstream/provider-identities.ts';
import { findCitizen, type Citizen, maskEmail } from '../../trust/identity/citizens.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { type DatabaseCommand, describeUndoneCredentialChanges } from '../../trust/notices/database-commands.ts';
import {
  undoCredentialChanges,
  type UndoneCredentialChanges,
  parseCredentialUndoTarget,
  type CredentialUndoTarget,
} from '../../trust/notices/credential-changes.ts';
import { issuePasswordResetLink } from '../password/index.ts';
import { revokeOtherAccess } from '../../trust/sessions/revoke-other-access.ts';
import type { Config } from '../../platform/config/config.ts';
import { createCommandHandler } from '../handler-context.ts';

/**
 * Handles the one-time "No fui yo" link of a notice about a change. Ends all sessions and pending sign-ins, and deletes the password and the links
 * to identity providers. Undoes the change, the earlier changes of the same session, and all later changes. Mails the result to the account's
 * e-mail address, with a link to set a new password, or to the contact form if citizens do not set passwords themselves. Does not sign in. If
 * another link already undid the change, only sends the mail.
 */
export const disavow = createCommandHandler<'disavow'>(async (command, { body }, { config }) => {
  const { tx, now, audit } = command;
  const used = await consumeLinkToken(tx, 'disavow', body.uuid, now);
  const undo = used === null ? null : parseCredentialUndoTarget(used.subject);
  const before = used?.citizenId == null ? null : await findCitizen(tx, used.citizenId);
  if (undo === null || before === null) throw new OperationError(400, 'vinculo_invalido', { invalidToken: true });
  const undone = await undoCredentialChanges(tx, { citizenId: before.id, change: undo.change, now });
  const kinds = undone?.kinds ?? [];
  if (undone !== null) await revokeAllAccess(command, before, { undo, undone });
  const restricted = await restrictWithoutFactor(tx, before, kinds);
  const citizen = (await findCitizen(tx, before.id)) ?? before;
  await notifyCitizen(command, config, { citizen, kinds, restricted });
  await audit('disavowed', citizen.id, { undone: [...kinds], ...(restricted && { restricted }) });
  return { email: maskEmail(citizen.email ?? '') };
});

/**
 * Restricts an account whose only second factor was undone, because access to the mailbox must not be enough to use the account or to set up
 * another factor. An agent lifts the restriction after verifying the citizen's identity. Returns whether the account was restricted.
 */
async function restrictWithoutFactor(tx: Tx, citizen: Citizen, kinds: readonly string[]): Promise<boolean> {
  if (!kinds.includes('second-factor-added') && !kinds.includes('passkey-added')) return false;
  if (await hasSecondFactor(tx, citizen.id)) return false;
  await tx.updateTable('citizens').set({ features: false, proofing_due: true }).where('id', '=', citizen.id).execute();
  return true;
}

/**
 * Revokes sessions, pending sign-ins, mailed links, the password and linked identity providers. "No fui yo" links of other notices stay valid if they
 * were sent to the e-mail address that the account now has.
 */
async function revokeAllAccess(
  { tx, now }: DatabaseCommand,
  { id }: Citizen,
  { undo, undone }: { undo: CredentialUndoTarget; undone: UndoneCredentialChanges },
): Promise<void> {
  const email = undone.email ?? undo.email;
  if (undone.email === null)
    await tx.updateTable('citizens').set({ email, email_verified_at: now }).where('id', '=', id).execute();
  await revokeOtherAccess(tx, id, now, null);
  await discardPendingEmailChange(tx, id, now);
  for (const purpose of ['reset', 'activation'] as const) await voidLinkTokens(tx, purpose, id, now);
  for (const { hash, subject } of await listUnusedLinkTokens(tx, 'disavow', id)) {
    const other = parseCredentialUndoTarget(subject);
    if (other !== null && other.change >= undone.first && other.email !== email) await voidLinkToken(tx, hash, now);
  }
  await tx.deleteFrom('known_devices').where('citizen_id', '=', id).execute(); // an attacker's browser may be among the known devices
  await tx.deleteFrom('credentials').where('citizen_id', '=', id).execute();
  await unlinkIdentities(tx, id, now); // the citizen can link the providers again after signing in
}

async function notifyCitizen(
  command: DatabaseCommand,
  { flags, supportMailbox }: Config,
  { citizen, kinds, restricted }: { citizen: Citizen; kinds: readonly string[]; restricted: boolean },
): Promise<void> {
  const email = citizen.email ?? '';
  const placeholders = {
    name: citizen.first_name,
    support: supportMailbox,
    undone: describeUndoneCredentialChanges(kinds, command.origin.language, restricted),
  };
  const to = { email, citizenId: citizen.id, cause: 'trusted' } as const;
  if (flags.contrasena)
    await command.mail(to, 'disavowed', {
      ...placeholders,
      ...(await issuePasswordResetLink(command, { citizen, email })),
    });
  else await command.mail(to, 'disavowed-contact', { ...placeholders, contact: command.link(pagePaths.contact, {}) });
}
