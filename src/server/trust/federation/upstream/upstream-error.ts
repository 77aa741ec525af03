/** An answer that is not believed; its message is for the log. */
export class UpstreamRefused extends Error {}

/** A provider that was asked for a new sign-in and answers by an old one, or does not say when it was; its message is for the log. */
export class UpstreamStale extends Error {}

/** A provider that cannot be asked, answers nonsense, or says no; its message is for the log. */
export class UpstreamFailed extends Error {
  /** What the provider says of it, where that is one of the specification's words. */
  readonly description: string;

  constructor(message: string, { description = '', cause }: { description?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.description = failures.find((known) => description.includes(known)) ?? 'GenericError';
  }
}

/** Why a mobile identity was not confirmed (section 2.3 of the specification). */
const failures = ['UnregisteredSignIdentityException', 'BloquedUser', 'PlanTimedOut', 'GenericError'] as const;
