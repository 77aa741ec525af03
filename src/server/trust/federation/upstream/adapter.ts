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

/** Paths of the broker for identity providers. Each provider has its own, so that a response of one cannot pass for another's. */
export const providerPaths = {
  callback: '/idp/:idp/callback',
  consumer: '/idp/:idp/acs',
  metadata: '/idp/:idp/metadata',
} as const;

export function providerAddress(path: keyof typeof providerPaths, baseUrl: string, idp: string): string {
  return new URL(providerPaths[path].replace(':idp', idp), baseUrl).href;
}

/** Authenticated result of a sign-in at an identity provider. */
export interface Assertion {
  /** Issuer (OpenID Connect) or entity ID (SAML). */
  readonly issuer: string;
  /** Persistent identifier of the person at this issuer. */
  readonly subject: string;
  /** `acr` (OpenID Connect) or authentication context class (SAML). */
  readonly context: string | null;
  /** Time of the sign-in at the provider. `null` if it is not reported. */
  readonly signedInAt: Date | null;
  /** Claims or SAML attributes by name. A SAML attribute with several values is an array. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Values that the response is checked against. They are stored encrypted until it arrives. */
export type Kept = Readonly<Record<string, string>>;

/** A started sign-in: the URL of the provider, and the values to store. */
export interface Begun {
  readonly location: string;
  readonly kept: Kept;
}

export type ProviderAnswer =
  { readonly binding: 'query'; readonly url: URL } | { readonly binding: 'form'; readonly fields: Fields };

export type Fields = Readonly<Record<string, string | undefined>>;

/**
 * The protocol of one identity provider. `maxAgeS` is the maximum age of the sign-in in seconds: 0 requires a new sign-in, `null` accepts any. The
 * provider may ignore it, so check the result. Both methods throw an `UpstreamFailed`. `finish` throws an `UpstreamRefused` if the response is
 * invalid or not authentic.
 */
export interface Adapter {
  begin(state: string, maxAgeS: number | null): Promise<Begun>;
  finish(answer: ProviderAnswer, kept: Kept, state: string): Promise<Assertion>;
}
