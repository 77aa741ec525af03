import { hourS } from '../../../platform/base/periods.ts';
import { nameLimits } from '../../../platform/topics/limit.ts';

export const requestLimits = nameLimits({
  /** Limit of pending authorization requests. Ended requests do not count. */
  request: { address: { free: 1_000, windowS: hourS } },
  logoutMessage: { address: { free: 1_000, windowS: hourS } },
});

/** An OpenID Connect or SAML authentication request that is waiting for the citizen. */
export interface PendingRequest {
  readonly clientId: string;
  readonly clientName: string;
  /** Minimum session level that the application requires, 0 to 3. */
  readonly requiredNid: number;
  /** Maximum age of the sign-in in seconds. 0 requires a new sign-in. `null` accepts any age. */
  readonly maxAgeS: number | null;
  /** Path of the broker at which the request continues after the sign-in. */
  readonly next: string;
  /** Whether the application was written for ID Uruguay, and may therefore perform the sign-in without a browser. */
  readonly legacy: boolean;
}

export interface PendingConsent extends PendingRequest {
  readonly scopes: readonly string[];
}

export interface Interactions {
  /** Finds a pending request. Returns `null` if it is unknown, expired or already resumed. */
  find(processState: string): Promise<PendingRequest | null>;
  findConsent(processState: string, sessionId: string): Promise<PendingConsent | null>;
  /** Records the citizen's consent. The request then continues at `next` without a prompt. */
  allow(processState: string): Promise<void>;
  /** Records the citizen's refusal, which the application gets as an error. */
  refuse(processState: string): Promise<PendingRequest | null>;
}

export function combineInteractions(parts: readonly Interactions[]): Interactions {
  const findFirst = async <Found>(ask: (part: Interactions) => Promise<Found | null>): Promise<Found | null> => {
    for (const part of parts) {
      const found = await ask(part);
      if (found !== null) return found;
    }
    return null;
  };
  return {
    find: (processState) => findFirst((part) => part.find(processState)),
    findConsent: (processState, sessionId) => findFirst((part) => part.findConsent(processState, sessionId)),
    async allow(processState) {
      for (const part of parts) await part.allow(processState);
    },
    refuse: (processState) => findFirst((part) => part.refuse(processState)),
  };
}
