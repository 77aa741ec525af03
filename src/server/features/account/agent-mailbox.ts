import { deskPermissionResource } from '../../../contract/desk-permissions.ts';
import { normalizeEmail } from '../../platform/base/normalize-input.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { listPasskeys } from '../../trust/credentials/passkeys.ts';
import { bindAgentMailbox, findAgentMailbox } from '../../trust/identity/agent-mailboxes.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import { revokeOtherAccess } from '../../trust/sessions/revoke-other-access.ts';
import agentActionTexts from './mails/acts.json' with { type: 'json' };

/** Name of an agent's action on an account. Its texts for the mail are in `acts.json`. */
export type AgentActionName = keyof typeof agentActionTexts;

export const agentActionNames = Object.keys(agentActionTexts) as readonly AgentActionName[]; // the cast is needed because `Object.keys` loses the key type

/**
 * Why a mailbox cannot be bound. `no-mailbox`: the first grant of a desk permission names no mailbox. `foreign-mailbox`: the domain is not in
 * AGENT_DOMAINS. `other-mailbox`: the agent already has another mailbox.
 */
export type MailboxBindingRefusal =
  'no-passkey' | 'no-mailbox' | 'foreign-mailbox' | 'mailbox-taken' | 'other-mailbox' | 'no-agent';

/**
 * Binds a mailbox to an agent's account. Ends the agent's sessions, because they rely on the previous mailbox. Returns `null` if the mailbox stays
 * the same.
 */
export async function applyAgentMailboxChange(
  tx: Tx,
  { agentDomains, loopback }: Pick<Config, 'agentDomains' | 'loopback'>,
  { id, permissions }: Citizen,
  { act, permission, mailbox }: { act: AgentActionName; permission?: readonly [string, string]; mailbox?: string },
  now: Date,
): Promise<{ readonly refusal: MailboxBindingRefusal } | { readonly bound: string } | null> {
  if (act !== 'mailbox' && !(act === 'grant' && permission?.[0] === deskPermissionResource)) return null;
  if (act === 'mailbox' && !hasDeskPermission(permissions)) return { refusal: 'no-agent' };
  const before = await findAgentMailbox(tx, id);
  const email = mailbox === undefined ? before : normalizeEmail(mailbox);
  if (email === null) return { refusal: 'no-mailbox' };
  if (email === before) return null;
  if (before !== null && act === 'grant') return { refusal: 'other-mailbox' };
  if (!agentDomains.includes(email.slice(email.lastIndexOf('@') + 1))) return { refusal: 'foreign-mailbox' };
  // An agent needs a passkey before the first grant. Otherwise somebody who learned the password could add the first passkey after the grant, because
  // the password is enough for that.
  if (before === null && !loopback && (await listPasskeys(tx, id)).length === 0) return { refusal: 'no-passkey' };
  if (!(await bindAgentMailbox(tx, id, email, now))) return { refusal: 'mailbox-taken' };
  await revokeOtherAccess(tx, id, now, null);
  return { bound: email };
}

export function hasDeskPermission(permissions: Citizen['permissions']): boolean {
  return (permissions[deskPermissionResource] ?? []).length > 0;
}
