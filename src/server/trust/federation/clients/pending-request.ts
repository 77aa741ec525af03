/** A request of an application that waits for the citizen. */
export interface PendingRequest {
  readonly clientId: string;
  readonly clientName: string;
  /** The least level that the application asks for, 0 to 3. */
  readonly requiredNid: number;
  /** How long ago the citizen may have signed in, in seconds; 0: a new sign-in is asked for; null: it does not matter. */
  readonly maxAgeS: number | null;
  /** Path of the broker that goes on with the request: where the finished sign-in leads. */
  readonly next: string;
  /** Whether the application was written for ID Uruguay and may drive the sign-in without a browser. */
  readonly legacy: boolean;
}

/** A request that waits for the citizen's consent. */
export interface PendingConsent extends PendingRequest {
  readonly scopes: readonly string[];
}

/** The requests of applications that wait for the citizen, by `process_state`. */
export interface Interactions {
  /** Null: unknown, expired, or already gone on. */
  find(processState: string): Promise<PendingRequest | null>;
  /** The consent that an application waits for, if it is asked of this very session. */
  findConsent(processState: string, sessionId: string): Promise<PendingConsent | null>;
  /** Notes that the citizen allowed what was asked; going on at `next` then needs no prompt. */
  allow(processState: string): Promise<void>;
  /** Notes that the citizen refused, which the application hears. */
  refuse(processState: string): Promise<PendingRequest | null>;
}

/** The requests of several protocols as one. */
export function allInteractions(parts: readonly Interactions[]): Interactions {
  const first = async <Found>(ask: (part: Interactions) => Promise<Found | null>): Promise<Found | null> => {
    for (const part of parts) {
      const found = await ask(part);
      if (found !== null) return found;
    }
    return null;
  };
  return {
    find: (processState) => first((part) => part.find(processState)),
    findConsent: (processState, sessionId) => first((part) => part.findConsent(processState, sessionId)),
    async allow(processState) {
      for (const part of parts) await part.allow(processState);
    },
    refuse: (processState) => first((part) => part.refuse(processState)),
  };
}
