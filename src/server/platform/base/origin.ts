import { baseLanguage, type Language } from '../../../contract/portal-config.ts';

/** Who acts: somebody at a browser (null: nobody is signed in there), an agent, or the system by itself. */
type By = { readonly citizenId: string | null } | 'agent' | 'system';

/** Where a request comes from, as the audit log and the mails tell it. */
export interface Origin {
  readonly by: By;
  /** IP address of the client; empty: there is none. */
  readonly address: string;
  /** What the client calls itself, cut by `readUserAgent`. */
  readonly userAgent: string;
  readonly language: Language;
  readonly requestId: string;
}

/** Who did something to an account, as the audit log names it: its citizen in a session, an agent, the system, or a visitor whom nobody knows. */
export type Actor = 'citizen' | 'agent' | 'system' | 'unidentified';

/** As whom the origin of a change acts on the account of a citizen. */
export function resolveActor({ by }: Origin, citizenId: string | null): Actor {
  if (typeof by === 'string') return by;
  return by.citizenId !== null && by.citizenId === citizenId ? 'citizen' : 'unidentified';
}

/** The origin of what no request asked for; `name` stands for it in the audit log. */
export function ownOrigin(by: 'agent' | 'system', name: string): Origin {
  return { by, address: '', userAgent: '', language: baseLanguage, requestId: name };
}

/** The same origin, known to be this citizen: a sign-in that succeeded, or a session that its cookie ended. */
export function asCitizen(origin: Origin, citizenId: string): Origin {
  return { ...origin, by: { citizenId } };
}
