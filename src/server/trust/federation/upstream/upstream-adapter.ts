import { portalConstants } from '../../../../contract/constants.ts';
import { renderLogicTemplate } from '../../../../engine/core/json-logic.ts';
import type { LogicTemplate } from '../../../../engine/core/flow-and-screen-types.ts';
import { normalizeDocument, type IdentityDocument } from '../../../platform/base/identity-document.ts';
import type { IdentityProvider } from '../../../platform/config/identity-providers.ts';
import { findUnprintableText } from '../../../platform/http/printable-text.ts';
import type { PersonNames } from '../../identity/registry/compare-names.ts';
import { addSeconds, type Clock } from '../../../platform/base/clock.ts';
import { identityProviderSkewS } from '../../sessions/broker-sessions.ts';

/** Error for a response that is invalid or not authentic. The message is for the log. */
export class UpstreamRefusedError extends Error {}

/** Error for a provider that did not perform the requested new sign-in, or did not report its time. The message is for the log. */
export class StaleUpstreamSignInError extends Error {}

/** Error for a provider that is unreachable, sends an invalid response, or reports an error. The message is for the log. */
export class UpstreamFailedError extends Error {
  readonly description: string;

  constructor(message: string, { description = '', cause }: { description?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.description = providerFailures.find((known) => description.includes(known)) ?? 'GenericError';
  }
}

/** Reasons for which a provider does not confirm a mobile identity (section 2.3 of the specification). */
const providerFailures = ['UnregisteredSignIdentityException', 'BloquedUser', 'PlanTimedOut', 'GenericError'] as const;

/** Each provider has separate paths, so that a response of one provider is not accepted as another's (mix-up attack). */
export const identityProviderPaths = {
  callback: '/idp/:idp/callback',
  consumer: '/idp/:idp/acs',
  metadata: '/idp/:idp/metadata',
} as const;

export function buildIdentityProviderUrl(path: keyof typeof identityProviderPaths, baseUrl: string, idp: string) {
  return new URL(identityProviderPaths[path].replace(':idp', idp), baseUrl).href;
}

export interface UpstreamAssertion {
  /** Issuer (OpenID Connect) or entity ID (SAML) of the provider. */
  readonly issuer: string;
  readonly subject: string;
  /** The `acr` claim (OpenID Connect) or the authentication context class (SAML). */
  readonly context: string | null;
  /** Time of the sign-in at the provider. `null` if the provider does not report it. */
  readonly signedInAt: Date | null;
  /** Claims or SAML attributes by name. A SAML attribute with several values is an array. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Values with which the provider's response is checked. They are stored encrypted until the response arrives. */
export type UpstreamRequestState = Readonly<Record<string, string>>;

export type UpstreamResponse =
  { readonly binding: 'query'; readonly url: URL } | { readonly binding: 'form'; readonly fields: PostedFormFields };

export type PostedFormFields = Readonly<Record<string, string | undefined>>;

/**
 * `maxAgeS` is the maximum age of the sign-in in seconds: 0 requires a new sign-in, and `null` accepts any age. Check the result with
 * `assertFreshSignIn`, because the provider may ignore the age. Both methods throw an `UpstreamFailedError` if the provider fails. `finishSignIn`
 * throws an `UpstreamRefusedError` if the response is invalid or not authentic.
 */
export interface UpstreamAdapter {
  beginSignIn(
    state: string,
    maxAgeS: number | null,
  ): Promise<{ readonly location: string; readonly kept: UpstreamRequestState }>;
  finishSignIn(answer: UpstreamResponse, kept: UpstreamRequestState, state: string): Promise<UpstreamAssertion>;
}

export interface UpstreamUser {
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  readonly nid: number;
  /** Time of the sign-in at the provider (ISO 8601). `null` if the provider does not report it. */
  readonly signedInAt: string | null;
  readonly document: IdentityDocument;
  readonly person: PersonNames;
}

const maxFieldLength = 100;

/** Characters that change the display order of a name: agents read names aloud and compare them. */
const bidiControlPattern = /\p{Bidi_Control}/u;

/** Maximum length of a subject (OpenID Connect Core 1.0, section 2). SAML allows 256 characters with a qualifier. */
const maxSubjectLength = 255;

/** Throws an `UpstreamRefusedError` if the claims contain no person with a document, or are not plain text. */
export function readUpstreamUser(
  entry: IdentityProvider,
  { issuer, subject, context, signedInAt, claims }: UpstreamAssertion,
): UpstreamUser {
  const { claims: rules, levels, maxLevel } = entry;
  const read = (name: keyof typeof rules): string => {
    const rule = rules[name];
    return rule === undefined ? '' : claimToText(renderLogicTemplate(rule as LogicTemplate, claims)); // the cast is safe: the rule was validated when the file was read
  };
  const country = read('country') || (entry.federated === false ? portalConstants.defaultCountry : entry.identificador);
  const document = normalizeDocument(country, read('type'), read('number'));
  const person = {
    firstName: read('firstName'),
    secondName: read('secondName'),
    firstSurname: read('firstSurname'),
    secondSurname: read('secondSurname'),
  };
  if (subject === '' || document.number === '' || person.firstName === '')
    throw new UpstreamRefusedError('the claims name no person with a document');
  if (
    subject.length > maxSubjectLength ||
    [document.number, ...Object.values(person)].some((part) => part.length > maxFieldLength)
  )
    throw new UpstreamRefusedError('a claim is too long');
  if (
    findUnprintableText([subject, document, person]) !== null ||
    Object.values(person).some((part) => bidiControlPattern.test(part))
  )
    throw new UpstreamRefusedError('a claim is not plain text');
  return {
    provider: entry.identificador,
    issuer,
    subject,
    nid: Math.min(context !== null && Object.hasOwn(levels, context) ? Number(levels[context]) : 0, maxLevel),
    signedInAt: signedInAt?.toISOString() ?? null,
    document,
    person,
  };
}

/**
 * Converts a string or integer claim to text. Returns an empty string for any other claim, whose string form would be a meaningless name or number.
 */
function claimToText(claim: unknown): string {
  return typeof claim === 'string' ? claim.trim() : Number.isSafeInteger(claim) ? String(claim) : '';
}

/** Returns the earliest acceptable time of the sign-in, to be stored for `assertFreshSignIn`. Returns an empty object if any age is accepted. */
export function createMaxAgeState(maxAgeS: number | null, now: Date): UpstreamRequestState {
  return maxAgeS === null ? {} : { since: addSeconds(now, -maxAgeS).toISOString() };
}

/** Removes an invalid or future sign-in time, which would otherwise count as a new sign-in and as a proof of identity during the entire session. */
export function removeInvalidSignInTime(assertion: UpstreamAssertion, clock: Clock): UpstreamAssertion {
  const { signedInAt } = assertion;
  const isPast = signedInAt !== null && addSeconds(signedInAt, -identityProviderSkewS) <= clock.now(); // also `false` for an invalid `Date`
  return isPast ? assertion : { ...assertion, signedInAt: null };
}

export function assertFreshSignIn({ signedInAt }: UpstreamAssertion, { since }: UpstreamRequestState): void {
  if (since === undefined) return;
  if (signedInAt === null)
    throw new StaleUpstreamSignInError('the provider tells no past time at which the person signed in');
  if (addSeconds(signedInAt, identityProviderSkewS) < new Date(since))
    throw new StaleUpstreamSignInError('the person signed in there before');
}
