import { deskResource } from '../../../contract/desk.ts';
import { readEmail } from '../../platform/base/read-text.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { passkeysOf } from '../../trust/credentials/passkeys.ts';
import { bindMailbox, boundMailbox, releaseMailbox } from '../../trust/identity/agent-mailboxes.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import { endOthers } from '../../trust/sessions/end-others.ts';
import type { ActName } from './mails/mails.ts';

/**
 * Why a mailbox is not bound: the account has no passkey yet, the first permission of the desk names none, its domain is not in AGENT_DOMAINS, another agent has it, this agent has another
 * one, or the account is no agent's.
 */
export type MailboxRefusal =
  'no-passkey' | 'no-mailbox' | 'foreign-mailbox' | 'mailbox-taken' | 'other-mailbox' | 'no-agent';

/** What an act does to the mailbox of an agent: refused, bound to the address, or left as it was. */
type Binding = { readonly refusal: MailboxRefusal } | { readonly bound: string } | null;

/** Part of an act that concerns the mailbox. */
interface MailboxAct {
  readonly act: ActName;
  readonly permission?: readonly [resource: string, action: string];
  readonly mailbox?: string;
}

/** Binds the mailbox that an act names. A change ends the sessions of the agent, since they rest on the mailbox from before. */
export async function bindByAct(
  tx: Tx,
  { agentDomains, loopback }: Pick<Config, 'agentDomains' | 'loopback'>,
  { id, permissions }: Citizen,
  { act, permission, mailbox }: MailboxAct,
  now: Date,
): Promise<Binding> {
  const [resource] = permission ?? [];
  if (act !== 'mailbox' && !(act === 'grant' && resource === deskResource)) return null;
  if (act === 'mailbox' && !isAgent(permissions)) return { refusal: 'no-agent' };
  const before = await boundMailbox(tx, id);
  const email = mailbox === undefined ? before : readEmail(mailbox);
  if (email === null) return { refusal: 'no-mailbox' };
  if (email === before) return null;
  if (before !== null && act === 'grant') return { refusal: 'other-mailbox' };
  if (!agentDomains.includes(email.slice(email.lastIndexOf('@') + 1))) return { refusal: 'foreign-mailbox' };
  // The first passkey of an account asks for its password only. One that the operator finds there was added by whoever is granted the permission.
  if (before === null && !loopback && (await passkeysOf(tx, id)).length === 0) return { refusal: 'no-passkey' };
  if (!(await bindMailbox(tx, id, email, now))) return { refusal: 'mailbox-taken' };
  await endOthers(tx, id, now, null);
  return { bound: email };
}

/** Frees the mailbox of an account whose last permission of the desk was taken. */
export async function releaseWithoutPermission(tx: Tx, id: string, permissions: Citizen['permissions']): Promise<void> {
  if (!isAgent(permissions)) await releaseMailbox(tx, id);
}

/** Whether an account has a permission of the desk. */
export function isAgent(permissions: Citizen['permissions']): boolean {
  return (permissions[deskResource] ?? []).length > 0;
}
