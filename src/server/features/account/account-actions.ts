import type { ActionsByResource } from '../../../contract/operation-access.ts';
import { formatDocumentId, type IdentityDocument } from '../../platform/base/identity-document.ts';
import { createInternalChangeOrigin, type ChangeOrigin } from '../../platform/base/change-origin.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { findAgentMailbox, releaseAgentMailbox } from '../../trust/identity/agent-mailboxes.ts';
import {
  findCitizenByDocument,
  findCitizensByEmail,
  type Citizen,
  maskEmail,
  resolveCitizenPermissions,
  toNameColumns,
  toPersonNames,
} from '../../trust/identity/citizens.ts';
import { hasSecondFactor } from '../../trust/credentials/second-factors.ts';
import { formatOperatorId, admitDualControlAction, type DualControlAction } from '../../trust/identity/dual-control.ts';
import {
  awaitsIdentityProofing,
  getIdentityLevel,
  minSecondFactorLevel,
  inPersonLevel,
  raiseIdentityLevel,
} from '../../trust/identity/assurance-levels.ts';
import type { PersonNames } from '../../trust/identity/registry/compare-names.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import { revokeOtherAccess } from '../../trust/sessions/revoke-other-access.ts';
import { cancelPendingElevationCall } from '../video-calls/call-mails.ts';
import { describeAccountHistory } from './account-history.ts';
import {
  applyAgentMailboxChange,
  hasDeskPermission,
  type MailboxBindingRefusal,
  type AgentActionName,
} from './agent-mailbox.ts';
import agentActionTexts from './mails/acts.json' with { type: 'json' };
import { performAssistedAction, isAssistedActionNeeded, findAssistedActionObstacle } from './assisted-actions.ts';
import type { HandlerContext } from '../handler-context.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Updateable } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

export interface AccountActionRequest {
  readonly act: AgentActionName;
  readonly document: IdentityDocument;
  /** Quoted in the mail to the citizen. */
  readonly reason: string;
  /** Name of the agent or operator in the audit log. */
  readonly operator: string;
  /** Person with this document in the registry, for the action `correct`. `null` if the registry has none. */
  readonly registryHolder?: PersonNames | null;
  /** Present if the actor is an agent at the desk, who may not act on their own account. */
  readonly seat?: { readonly id: string; readonly name: string; readonly origin: ChangeOrigin };
  readonly permission?: readonly [resource: string, action: string];
  /** Institutional mailbox to bind, with the action `mailbox` or the first `grant` of a desk permission. */
  readonly mailbox?: string;
}

/**
 * Result of an action. `inactive`: the account is not activated, or is blocked. `agent`: the account has desk permissions, which exclude the action.
 * `waits`: a second agent must confirm the action.
 */
export type AccountActionOutcome =
  | 'unknown'
  | 'own'
  | 'inactive'
  | 'no-address'
  | 'agent'
  | 'unchanged'
  | 'waits'
  | 'other-agent'
  | 'done'
  | MailboxBindingRefusal;

const agentOrigin = createInternalChangeOrigin('agent', 'command');

const auditActions = {
  block: 'account-blocked',
  unblock: 'account-unblocked',
  restrict: 'account-restricted',
  unrestrict: 'account-unrestricted',
  grant: 'permission-granted',
  revoke: 'permission-revoked',
  'end-sessions': 'sessions-ended-by-agent',
  elevate: 'level-raised',
  correct: 'data-corrected',
  'remove-factors': 'second-factors-removed-by-agent',
  mailbox: 'agent-mailbox-bound',
  'send-activation': 'activation-sent-by-agent',
  'send-reset': 'reset-sent-by-agent',
  close: 'closure-requested-by-agent',
} as const satisfies Record<AgentActionName, string>;

export async function performAccountAction(
  { commands, config, callMails }: Pick<HandlerContext, 'commands' | 'config' | 'callMails'>,
  request: AccountActionRequest,
): Promise<AccountActionOutcome> {
  const { act, document, reason, operator, permission, seat } = request;
  const permissionName = permission?.join(':');
  return commands.run(seat?.origin ?? agentOrigin, async (command) => {
    const { tx, now, origin, audit, mail, when } = command;
    const citizen = await findCitizenByDocument(tx, document);
    const about = { operator, act, document: formatDocumentId(document) };
    const outcome = citizen === null ? 'unknown' : findActionObstacle(request, citizen, config);
    if (citizen === null || outcome !== null) {
      await audit('account-act-refused', citizen?.id ?? null, { ...about, outcome });
      return outcome ?? 'unknown';
    }
    const weighty = await findDualControlAct(tx, act, citizen);
    if (weighty !== null) {
      const eyes = { agent: seat?.id ?? formatOperatorId(operator), name: seat?.name ?? operator };
      const weighed = await admitDualControlAction(tx, config, { citizenId: citizen.id, ...weighty, ...eyes }, now);
      if (weighed !== 'go') {
        const details = { ...about, reason };
        if (weighed === 'waits') await audit('account-act-proposed', citizen.id, details);
        else await audit('account-act-refused', citizen.id, { ...details, outcome: 'other-agent' });
        return weighed === 'waits' ? 'waits' : 'other-agent';
      }
    }
    const binding = await applyAgentMailboxChange(tx, config, citizen, request, now);
    if (binding !== null && 'refusal' in binding) {
      await audit('account-act-refused', citizen.id, { ...about, outcome: binding.refusal });
      return binding.refusal;
    }
    if (act === 'remove-factors' && weighty !== null)
      await command.notify('second-factor-removed', citizen, { sessionId: null });
    const mailbox = binding?.bound;
    const isChanged = await applyAccountAction(command, config, citizen, request);
    if (mailbox !== undefined) await audit(auditActions.mailbox, citizen.id, { reason, operator, mailbox });
    else if (!isChanged) return 'unchanged';
    const details = {
      reason,
      operator,
      ...(act === 'elevate' && { by: 'in-person', level: inPersonLevel }),
      ...(permissionName !== undefined && { permission: permissionName }),
    };
    if (isChanged) await audit(auditActions[act], citizen.id, details);
    if (citizen.email !== null && citizen.email_verified_at !== null) {
      const to = { email: citizen.email, citizenId: citizen.id, cause: 'trusted' } as const;
      const placeholders = { name: citizen.first_name, when: when(now), reason, support: config.supportMailbox };
      const values = { ...placeholders, permission: permissionName ?? '' };
      await mail(to, 'account-act', values, { inserted: agentActionTexts[act][origin.language] });
    }
    if (act === 'elevate') await cancelPendingElevationCall(command, callMails, citizen.id);
    return 'done';
  });
}

/**
 * Returns the action that a second agent must confirm (four-eyes principle). Returns `null` if the action needs no second agent, or would change
 * nothing.
 */
async function findDualControlAct(
  tx: Tx,
  act: AgentActionName,
  citizen: Citizen,
): Promise<{ readonly act: DualControlAction; readonly detail: string } | null> {
  const hasFactor = () => hasSecondFactor(tx, citizen.id);
  if (act === 'elevate' && getIdentityLevel(citizen).nid < minSecondFactorLevel)
    return { act: 'level', detail: inPersonLevel };
  if (act === 'remove-factors' && (await hasFactor())) return { act: 'factors', detail: 'all' };
  if (act === 'unrestrict' && awaitsIdentityProofing(citizen, await hasFactor()))
    return { act: 'proofing', detail: 'all' };
  if (act === 'close' && isAssistedActionNeeded(act, citizen)) return { act: 'closure', detail: 'all' };
  return null;
}

function findActionObstacle({ act, seat }: AccountActionRequest, citizen: Citizen, config: Config) {
  if (citizen.id === seat?.id) return 'own';
  if (act === 'remove-factors' && hasDeskPermission(citizen.permissions)) return 'agent'; // agents need their passkey to sign in to the desk
  if (act === 'send-activation' || act === 'send-reset' || act === 'close')
    return findAssistedActionObstacle(act, citizen, config);
  return act === 'elevate' && !canRaiseAssuranceLevel(citizen) ? 'inactive' : null;
}

export function canRaiseAssuranceLevel({ active_at: activeAt, blocked_at: blockedAt }: Citizen): boolean {
  return activeAt !== null && blockedAt === null;
}

/** Describes an account for an operator, one field per line, and audits the access. Returns `null` if there is no such account. */
export async function describeAccount(
  { commands, config, limits }: Pick<HandlerContext, 'commands' | 'config' | 'limits'>,
  document: IdentityDocument,
  operator: string,
): Promise<readonly string[] | null> {
  return commands.run(agentOrigin, async ({ tx, now, audit }) => {
    const citizen = await findCitizenByDocument(tx, document);
    if (citizen === null) return null;
    await audit('account-shown', citizen.id, { operator });
    const formatInstant = (at: Date | null) => at?.toISOString() ?? 'no';
    const granted = Object.entries(resolveCitizenPermissions(config, citizen)).flatMap(([resource, actions]) =>
      actions.map((action) => `${resource}:${action}`),
    );
    return [
      `document     ${formatDocumentId(citizen)}`,
      `id           ${citizen.id}`,
      `level        ${citizen.level || 'none'}`,
      `active       ${formatInstant(citizen.active_at)}`,
      `blocked      ${formatInstant(citizen.blocked_at)}`,
      `restricted   ${citizen.features ? 'no' : 'yes'}`,
      `closing      ${formatInstant(citizen.closing_at)}`,
      `last sign-in ${formatInstant(citizen.last_login_at)}`,
      `permissions  ${granted.join(' ') || 'none'}`,
      `mailbox      ${(await findAgentMailbox(tx, citizen.id)) ?? 'none'}`,
      ...(await describeAccountHistory(tx, citizen, Object.values(limits), now)),
    ];
  });
}

/** Returns the documents of the accounts with an e-mail address. Audits each access, and also a search without results. */
export async function lookUpIdentityDocumentsByEmail(
  { commands }: Pick<HandlerContext, 'commands'>,
  email: string,
  operator: string,
): Promise<readonly string[]> {
  return commands.run(agentOrigin, (command) => findIdentityDocumentsByEmail(command, email, operator));
}

export async function findIdentityDocumentsByEmail({ tx, audit }: DatabaseCommand, email: string, operator: string) {
  const found = await findCitizensByEmail(tx, email);
  const details = { operator, email: maskEmail(email) };
  for (const { id } of found) await audit('account-shown', id, details);
  if (found.length === 0) await audit('account-shown', null, details);
  return found.map(formatDocumentId);
}

/** Returns whether the action changed anything. */
async function applyAccountAction(
  command: DatabaseCommand,
  config: Config,
  citizen: Citizen,
  { act, permission, registryHolder = null }: AccountActionRequest,
): Promise<boolean> {
  const { tx, now } = command;
  const updateCitizen = async (values: Updateable<Database['citizens']>): Promise<true> => {
    await tx.updateTable('citizens').set(values).where('id', '=', citizen.id).execute();
    return true;
  };
  switch (act) {
    case 'block':
      if (citizen.blocked_at !== null) return false;
      await revokeOtherAccess(tx, citizen.id, now, null);
      return updateCitizen({ blocked_at: now });
    case 'unblock':
      return citizen.blocked_at !== null && updateCitizen({ blocked_at: null });
    case 'restrict':
      return citizen.features && updateCitizen({ features: false });
    case 'unrestrict':
      return !citizen.features && updateCitizen({ features: true, proofing_due: false });
    case 'end-sessions':
      await revokeOtherAccess(tx, citizen.id, now, null);
      return true;
    case 'elevate':
      if (getIdentityLevel(citizen).nid >= minSecondFactorLevel) return false;
      await raiseIdentityLevel(tx, citizen, { level: inPersonLevel });
      return true;
    case 'remove-factors':
      if (!(await hasSecondFactor(tx, citizen.id))) return false;
      for (const table of ['second_factors', 'passkeys', 'recovery_codes'] as const)
        await tx.deleteFrom(table).where('citizen_id', '=', citizen.id).execute();
      await revokeOtherAccess(tx, citizen.id, now, null);
      return true;
    case 'correct': {
      if (registryHolder === null) return false;
      const names = toNameColumns(registryHolder);
      return !isDeepStrictEqual(names, toNameColumns(toPersonNames(citizen))) && updateCitizen(names);
    }
    case 'grant':
    case 'revoke': {
      const updatedPermissions = changePermission(config, citizen, permission ?? ['', ''], act === 'grant');
      if (!hasDeskPermission(updatedPermissions)) await releaseAgentMailbox(tx, citizen.id);
      const permissions = JSON.stringify(updatedPermissions);
      return permissions !== JSON.stringify(citizen.permissions) && updateCitizen({ permissions });
    }
    case 'send-activation':
    case 'send-reset':
    case 'close':
      return performAssistedAction(command, config, citizen, act);
    case 'mailbox':
      return false; // nothing to do here, because `applyAgentMailboxChange` has already changed the mailbox
  }
}

/**
 * Returns a citizen's permissions with one granted or revoked. If the configuration grants the resource to all citizens, a revocation leaves an empty
 * list, which overrides the configuration.
 */
function changePermission(
  config: Config,
  citizen: Citizen,
  [resource, action]: readonly [string, string],
  granted: boolean,
): ActionsByResource {
  const { [resource]: held = [] } = resolveCitizenPermissions(config, citizen);
  if (held.includes(action) === granted) return citizen.permissions;
  const actions = granted ? [...held, action] : held.filter((known) => known !== action);
  const { [resource]: _, ...rest } = citizen.permissions;
  const everybodys = Object.hasOwn(config.citizenPermissions, resource);
  return actions.length === 0 && !everybodys ? rest : { ...rest, [resource]: actions };
}
