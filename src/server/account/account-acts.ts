import type { Permisos } from '../../contract/access.ts';
import { documentId, type Document } from '../base/document.ts';
import { ownOrigin } from '../base/origin.ts';
import type { Config } from '../config/config.ts';
import type { Tx } from '../database/open-store.ts';
import { findCitizenByDocument, type Citizen } from '../identity/citizens.ts';
import { permissionsOf } from '../identity/permissions.ts';
import { enqueueMail } from '../mail/outbox.ts';
import type { ActName, Templates } from '../mail/templates.ts';
import type { Commands } from '../notices/commands.ts';
import { endOthers } from '../sessions/end-others.ts';

/** What an agent does to somebody's account, and why. */
export interface AccountAct {
  readonly act: ActName;
  readonly document: Document;
  /** Told to the citizen. */
  readonly reason: string;
  /** Who does it, as the audit log names them. */
  readonly operator: string;
  /** What `grant` and `revoke` are about. */
  readonly permission?: readonly [resource: string, action: string];
}

/** How an act ended: nobody has that document, the account was so already, or it is done. */
export type ActOutcome = 'unknown' | 'unchanged' | 'done';

/** Where an act comes from; its language is that of those who attend. */
const attended = ownOrigin('agent', 'command');

const entries = {
  block: { action: 'account-blocked' },
  unblock: { action: 'account-unblocked' },
  restrict: { action: 'account-restricted' },
  unrestrict: { action: 'account-unrestricted' },
  grant: { action: 'permission-granted' },
  revoke: { action: 'permission-revoked' },
} as const satisfies Record<ActName, { action: string }>;

interface Needs {
  readonly commands: Commands;
  readonly config: Config;
  readonly templates: Templates;
}

/** Does an agent's act to an account: in one transaction with its row in the audit log and the mail to the citizen's proven address. */
export async function actOnAccount({ commands, config, templates }: Needs, request: AccountAct): Promise<ActOutcome> {
  const { act, document, reason, operator, permission } = request;
  const named = permission?.join(':');
  return commands.run(attended, async ({ tx, now, origin, audit, when }) => {
    const citizen = await findCitizenByDocument(tx, document);
    if (citizen === null) return 'unknown';
    if (!(await change(tx, config, citizen, request, now))) return 'unchanged';
    const details = { reason, operator, ...(named !== undefined && { permission: named }) };
    await audit(entries[act].action, citizen.id, details);
    if (citizen.email !== null && citizen.email_verified_at !== null) {
      await enqueueMail(
        tx,
        { email: citizen.email, citizenId: citizen.id },
        templates.act(act, origin.language, {
          product: config.brand.product,
          name: citizen.first_name,
          when: when(now),
          reason,
          support: config.supportMailbox,
          permission: named ?? '',
        }),
        now,
      );
    }
    return 'done';
  });
}

/** What an agent is shown of an account; the look is audited. */
export async function showAccount(
  { commands, config }: { commands: Commands; config: Config },
  document: Document,
  operator: string,
): Promise<readonly string[] | null> {
  return commands.run(attended, async ({ tx, audit }) => {
    const citizen = await findCitizenByDocument(tx, document);
    if (citizen === null) return null;
    await audit('account-shown', citizen.id, { operator });
    const instant = (at: Date | null) => at?.toISOString() ?? 'no';
    const granted = Object.entries(permissionsOf(config, citizen)).flatMap(([resource, actions]) =>
      actions.map((action) => `${resource}:${action}`),
    );
    return [
      `document     ${documentId(citizen)}`,
      `id           ${citizen.id}`,
      `level        ${citizen.level || 'none'}`,
      `active       ${instant(citizen.active_at)}`,
      `blocked      ${instant(citizen.blocked_at)}`,
      `restricted   ${citizen.features ? 'no' : 'yes'}`,
      `closing      ${instant(citizen.closing_at)}`,
      `last sign-in ${instant(citizen.last_login_at)}`,
      `permissions  ${granted.join(' ') || 'none'}`,
    ];
  });
}

/** Whether anything changed. */
async function change(
  tx: Tx,
  config: Config,
  citizen: Citizen,
  { act, permission }: AccountAct,
  now: Date,
): Promise<boolean> {
  const set = async (values: { blocked_at?: Date | null; features?: boolean; permissions?: string }): Promise<true> => {
    await tx.updateTable('citizens').set(values).where('id', '=', citizen.id).execute();
    return true;
  };
  switch (act) {
    case 'block':
      if (citizen.blocked_at !== null) return false;
      await endOthers(tx, citizen.id, now, null);
      return set({ blocked_at: now });
    case 'unblock':
      return citizen.blocked_at !== null && set({ blocked_at: null });
    case 'restrict':
      return citizen.features && set({ features: false });
    case 'unrestrict':
      return !citizen.features && set({ features: true });
    case 'grant':
    case 'revoke': {
      const permissions = JSON.stringify(withPermission(config, citizen, permission ?? ['', ''], act === 'grant'));
      return permissions !== JSON.stringify(citizen.permissions) && set({ permissions });
    }
  }
}

/** What an operator's word adds to the record. Where everybody has a resource by configuration, taking it away leaves the word that it is gone. */
function withPermission(
  config: Config,
  citizen: Citizen,
  [resource, action]: readonly [string, string],
  granted: boolean,
): Permisos {
  const { [resource]: held = [] } = permissionsOf(config, citizen);
  if (held.includes(action) === granted) return citizen.permissions;
  const actions = granted ? [...held, action] : held.filter((known) => known !== action);
  const { [resource]: _, ...rest } = citizen.permissions;
  const everybodys = Object.hasOwn(config.citizenPermissions, resource);
  return actions.length === 0 && !everybodys ? rest : { ...rest, [resource]: actions };
}
