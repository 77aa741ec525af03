import { baseLanguage, type Language } from '../../../contract/portal-config.ts';

/** The actor of a change: a browser (`null` if it is not signed in), an agent, or the system itself. */
type OriginActor = { readonly citizenId: string | null } | 'agent' | 'system';

/** Origin of a request, as the audit log and mails describe it. */
export interface ChangeOrigin {
  readonly by: OriginActor;
  /** IP address of the client. Empty if there is none. */
  readonly address: string;
  /** Output of `normalizeUserAgent`. */
  readonly userAgent: string;
  readonly language: Language;
  readonly requestId: string;
}

/** Role of the actor in the audit log. `citizen` is the signed-in owner of the account, `unidentified` any other visitor. */
export type AuditActor = 'citizen' | 'agent' | 'system' | 'unidentified';

export function resolveAuditActor({ by }: ChangeOrigin, citizenId: string | null): AuditActor {
  if (typeof by === 'string') return by;
  return by.citizenId !== null && by.citizenId === citizenId ? 'citizen' : 'unidentified';
}

/** Creates the origin of a change that no request caused. The audit log shows `name` in place of a request id. */
export function createInternalChangeOrigin(by: 'agent' | 'system', name: string): ChangeOrigin {
  return { by, address: '', userAgent: '', language: baseLanguage, requestId: name };
}

/**
 * Returns the same origin with the citizen as actor, for use after a successful sign-in, or when the session cookie
 * ends the session.
 */
export function withCitizenAsActor(origin: ChangeOrigin, citizenId: string): ChangeOrigin {
  return { ...origin, by: { citizenId } };
}
