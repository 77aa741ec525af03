/** A response that is invalid or not authentic. The message is for the log. */
export class UpstreamRefused extends Error {}

/** The provider did not perform the new sign-in that was requested, or did not report its time. The message is for the log. */
export class UpstreamStale extends Error {}

/** The provider is unreachable, sends an invalid response, or reports an error. The message is for the log. */
export class UpstreamFailed extends Error {
  /** One of `failures`: the one that the provider's error description contains, or `GenericError`. */
  readonly description: string;

  constructor(message: string, { description = '', cause }: { description?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.description = failures.find((known) => description.includes(known)) ?? 'GenericError';
  }
}

/** Reasons why a mobile identity was not confirmed (section 2.3 of the specification). */
const failures = ['UnregisteredSignIdentityException', 'BloquedUser', 'PlanTimedOut', 'GenericError'] as const;
