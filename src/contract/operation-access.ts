import type { OperationDeclaration, Permission, CallerRole } from './operation.ts';
import type { FeatureFlags } from './feature-flags.ts';

export type ActionsByResource = Readonly<Record<string, readonly string[]>>;

/** Whether `permisos` grants at least one of the (resource, action) pairs. Browser and server share this check (section 6 of the specification). */
export function hasAnyPermission(permisos: ActionsByResource, pairs: readonly Permission[]): boolean {
  return pairs.some(
    ([resource, action]) => Object.hasOwn(permisos, resource) && (permisos[resource]?.includes(action) ?? false),
  );
}

export function isRestrictedCitizenRecord(citizen: {
  readonly acceso_funcionalidades: boolean;
  readonly rid: string;
}): boolean {
  return !citizen.acceso_funcionalidades || citizen.rid === 'Muy bajo';
}

export interface CallerAttributes {
  readonly role: CallerRole;
  readonly permisos: ActionsByResource;
  readonly restricted: boolean;
  /** Whether a required second factor is missing (section 4.1). Restricted citizens cannot set one up. */
  readonly factorDue: boolean;
  /** Whether an agent has signed in without the passkey that the desk requires. */
  readonly needsPasskey?: boolean;
}

export type OperationRefusal =
  'signed-out' | 'role' | 'foreign' | 'proofing' | 'restricted' | 'permission' | 'factor' | 'passkey';

/**
 * Whether an agent must verify the identity before a missing second factor is set up. Otherwise access to the mailbox would be enough to take over a
 * restricted account.
 */
export function needsIdentityProofing(caller: Pick<CallerAttributes, 'restricted' | 'factorDue'>): boolean {
  return caller.restricted && caller.factorDue;
}

/** The server authorizes requests with this check, and the portal hides routes and buttons. Returns `null` if the caller may invoke the operation. */
export function findOperationRefusal(
  operation: Pick<
    OperationDeclaration,
    'roles' | 'manages' | 'rejectsRestricted' | 'permissions' | 'allowedBeforeFactor' | 'auth'
  >,
  caller: CallerAttributes,
  flags: FeatureFlags,
): OperationRefusal | null {
  const { role, permisos, restricted, factorDue, needsPasskey } = caller;
  const { allowedBeforeFactor } = operation;
  const isOpen = operation.roles.includes('anonymous');
  if (!operation.roles.includes(role)) return role === 'anonymous' ? 'signed-out' : 'role';
  if (operation.manages && role === 'foreign' && !flags.idp_autogestion) return 'foreign';
  if (needsIdentityProofing(caller) && allowedBeforeFactor !== 'restricted' && !isOpen) return 'proofing';
  if (operation.rejectsRestricted && restricted) return 'restricted';
  if (operation.permissions && !hasAnyPermission(permisos, operation.permissions)) return 'permission';
  if (factorDue && !allowedBeforeFactor && !isOpen) return 'factor';
  return operation.auth === 'agent' && needsPasskey ? 'passkey' : null;
}

/** National identity providers. Their users are not foreign users (section 9 of the specification). */
export const nationalIdentityProviders: ReadonlySet<string> = new Set(['abitab', 'tuid_antel']);

/** Whether an identity provider is foreign. `null` and an empty string stand for the portal's own accounts. */
export function isForeignIdentityProvider(idp: string | null): boolean {
  return idp !== null && idp !== '' && !nationalIdentityProviders.has(idp);
}
