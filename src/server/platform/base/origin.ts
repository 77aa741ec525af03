import { baseLanguage, type Language } from '../../../contract/portal-config.ts';

/** Who acts: a browser (`null` if it is not signed in), an agent, or the system itself. */
type By = { readonly citizenId: string | null } | 'agent' | 'system';

/** Origin of a request, as the audit log and mails describe it. */
export interface Origin {
  readonly by: By;
  /** IP address of the client. Empty if there is none. */
  readonly address: string;
  /** Output of `readUserAgent`. */
  readonly userAgent: string;
  readonly language: Language;
  readonly requestId: string;
}

/** Role of the actor in the audit log. `citizen` is the account's owner in a session, `unidentified` any other visitor. */
export type Actor = 'citizen' | 'agent' | 'system' | 'unidentified';

export function resolveActor({ by }: Origin, citizenId: string | null): Actor {
  if (typeof by === 'string') return by;
  return by.citizenId !== null && by.citizenId === citizenId ? 'citizen' : 'unidentified';
}

/** The origin of a change that no request caused. `name` takes the place of the request id in the audit log. */
export function ownOrigin(by: 'agent' | 'system', name: string): Origin {
  return { by, address: '', userAgent: '', language: baseLanguage, requestId: name };
}

/** The same origin, now identified as this citizen: after a successful sign-in, or when a session ends by its cookie. */
export function asCitizen(origin: Origin, citizenId: string): Origin {
  return { ...origin, by: { citizenId } };
}
