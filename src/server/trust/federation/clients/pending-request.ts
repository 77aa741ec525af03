import { secondsPerHour } from '../../../platform/base/fixed-periods.ts';
import { defineAttemptLimits } from '../../../platform/modules/attempt-limits.ts';

export const federationAttemptLimits = defineAttemptLimits({
  /** Limit of pending authorization requests. Ended requests do not count. */
  request: { address: { free: 1_000, windowS: secondsPerHour } },
  logoutMessage: { address: { free: 1_000, windowS: secondsPerHour } },
});

export interface PendingAuthenticationRequest {
  readonly clientId: string;
  readonly clientName: string;
  /** Minimum session level that the application requires, 0 to 3. */
  readonly requiredNid: number;
  /** Maximum age of the sign-in in seconds. 0 requires a new sign-in. `null` accepts any age. */
  readonly maxAgeS: number | null;
  readonly resumePath: string;
  /** Whether the application was written for ID Uruguay, and may therefore perform the sign-in without a browser. */
  readonly legacy: boolean;
}

export interface PendingConsentRequest extends PendingAuthenticationRequest {
  readonly scopes: readonly string[];
}

export interface PendingRequestStore {
  findRequest(processState: string): Promise<PendingAuthenticationRequest | null>;
  findRequestAwaitingConsent(processState: string, sessionId: string): Promise<PendingConsentRequest | null>;
  recordConsent(processState: string): Promise<void>;
  recordRefusal(processState: string): Promise<PendingAuthenticationRequest | null>;
}

export function combinePendingRequestStores(parts: readonly PendingRequestStore[]): PendingRequestStore {
  const findFirst = async <Found>(ask: (part: PendingRequestStore) => Promise<Found | null>): Promise<Found | null> => {
    for (const part of parts) {
      const found = await ask(part);
      if (found !== null) return found;
    }
    return null;
  };
  return {
    findRequest: (processState) => findFirst((part) => part.findRequest(processState)),
    findRequestAwaitingConsent: (processState, sessionId) =>
      findFirst((part) => part.findRequestAwaitingConsent(processState, sessionId)),
    async recordConsent(processState) {
      for (const part of parts) await part.recordConsent(processState);
    },
    recordRefusal: (processState) => findFirst((part) => part.recordRefusal(processState)),
  };
}
