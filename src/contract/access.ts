import type { Operation, Permission, Role } from './operation.ts';
import type { Flags } from './flags.ts';

/** What a citizen may do: resources with their actions, as the server grants them. */
export type Permisos = Readonly<Record<string, readonly string[]>>;

/** Whether any of some (resource, action) pairs is granted: the one rule of browser and server (section 6 of the specification). */
export function permits(permisos: Permisos, pairs: readonly Permission[]): boolean {
  return pairs.some(
    ([resource, action]) => Object.hasOwn(permisos, resource) && (permisos[resource]?.includes(action) ?? false),
  );
}

/** Whether a citizen is restricted: features off, or the lowest level (section 6 of the specification). */
export function isRestricted({
  acceso_funcionalidades: features,
  rid,
}: {
  readonly acceso_funcionalidades: boolean;
  readonly rid: string;
}): boolean {
  return !features || rid === 'Muy bajo';
}

/** Who invokes an operation, as far as the table of operations asks. */
export interface Standing {
  readonly role: Role;
  readonly permisos: Permisos;
  readonly restricted: boolean;
  /** Whether the level demands a second factor that is not set up (section 4.1 of the specification). A restricted citizen cannot set one up. */
  readonly factorDue: boolean;
  /** Whether an agent has signed in without the passkey that the desk demands. */
  readonly passkeyDue?: boolean;
}

/** Why an operation is refused. */
export type OperationRefusal =
  'signed-out' | 'role' | 'foreign' | 'proofing' | 'restricted' | 'permission' | 'factor' | 'passkey';

/**
 * Whether an agent must first check the citizen's identity. The level demands a second factor, and a restricted citizen cannot set one up: without proofing,
 * access to the mailbox would be enough for the account.
 */
export function needsProofing({ restricted, factorDue }: Pick<Standing, 'restricted' | 'factorDue'>): boolean {
  return restricted && factorDue;
}

/** Who may invoke an operation, from its row of the contract: the one rule of server, routes and buttons; null: it may be invoked. */
export function operationRefusal(
  operation: Pick<Operation, 'roles' | 'manages' | 'unrestricted' | 'permissions' | 'beforeFactor' | 'auth'>,
  standing: Standing,
  flags: Flags,
): OperationRefusal | null {
  const { role, permisos, restricted, factorDue, passkeyDue } = standing;
  const { beforeFactor } = operation;
  const isOpen = operation.roles.includes('anonymous');
  if (!operation.roles.includes(role)) return role === 'anonymous' ? 'signed-out' : 'role';
  if (operation.manages && role === 'foreign' && !flags.idp_autogestion) return 'foreign';
  if (needsProofing(standing) && beforeFactor !== 'restricted' && !isOpen) return 'proofing';
  if (operation.unrestricted && restricted) return 'restricted';
  if (operation.permissions && !permits(permisos, operation.permissions)) return 'permission';
  if (factorDue && !beforeFactor && !isOpen) return 'factor';
  return operation.auth === 'agent' && passkeyDue ? 'passkey' : null;
}

/** Identity providers of the country itself: who comes by them is no foreign user (section 9). */
export const nationalProviders: ReadonlySet<string> = new Set(['abitab', 'tuid_antel']);

/** Whether a session's identity provider is a foreign one; none (empty, null) is the portal's own account. */
export function isForeignProvider(idp: string | null): boolean {
  return idp !== null && idp !== '' && !nationalProviders.has(idp);
}
