import { baseLanguage, type Language } from '../../../contract/portal-config.ts';

/** Origin of a request, as the audit log and mails describe it. */
export interface ChangeOrigin {
  /** A browser (`citizenId` is `null` if it is not signed in), an agent, or the system itself. */
  readonly by: { readonly citizenId: string | null } | 'agent' | 'system';
  /** IP address of the client. Empty if there is none. */
  readonly address: string;
  readonly userAgent: string;
  readonly language: Language;
  readonly requestId: string;
}

/** Role of the actor in the audit log. `citizen` is the signed-in owner of the account, `unidentified` any other visitor. */
type AuditActorRole = 'citizen' | 'agent' | 'system' | 'unidentified';

export function resolveAuditActorRole({ by }: ChangeOrigin, citizenId: string | null): AuditActorRole {
  if (typeof by === 'string') return by;
  return by.citizenId !== null && by.citizenId === citizenId ? 'citizen' : 'unidentified';
}

/** Creates the origin of a change that no request caused. The audit log shows `name` in place of a request id. */
export function createInternalChangeOrigin(by: 'agent' | 'system', name: string): ChangeOrigin {
  return { by, address: '', userAgent: '', language: baseLanguage, requestId: name };
}
