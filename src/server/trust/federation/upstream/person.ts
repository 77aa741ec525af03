import { constants } from '../../../../contract/constants.ts';
import { render } from '../../../../engine/core/logic.ts';
import type { Template } from '../../../../engine/core/definition.ts';
import { readDocument, type Document } from '../../../platform/base/document.ts';
import type { IdentityProvider } from '../../../platform/config/identity-providers.ts';
import { unplainField } from '../../../platform/http/plain-text.ts';
import type { Person } from '../../identity/registry/agree.ts';
import type { Assertion, Kept } from './adapter.ts';
import { UpstreamRefused, UpstreamStale } from './adapter.ts';
import { after, type Clock } from '../../../platform/base/clock.ts';
import { providerSkewS } from '../../sessions/sessions.ts';

/** The person who signed in at an identity provider, converted from its claims. */
export interface Arrived {
  /** Identifier of the provider in the configuration. */
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  /** Level of the sign-in, 0 to 3. */
  readonly nid: number;
  /** Time of the sign-in at the provider, in ISO 8601. `null` if it is not reported. */
  readonly signedInAt: string | null;
  readonly document: Document;
  readonly person: Person;
}

/** Maximum length of names and document numbers, in characters. */
const longest = 100;

/** Characters that change the display order of a name. Agents read names aloud and compare them. */
const bidi = /\p{Bidi_Control}/u;

/** Maximum length of a subject (OpenID Connect Core 1.0, section 2). SAML allows 256 characters with a qualifier. */
const longestSubject = 255;

/** Converts claims with the rules of the configuration. Throws an `UpstreamRefused` if they name no person with a document, or are not plain text. */
export function readArrived(
  entry: IdentityProvider,
  { issuer, subject, context, signedInAt, claims }: Assertion,
): Arrived {
  const { claims: rules, levels, maxLevel } = entry;
  const read = (name: keyof typeof rules): string => {
    const rule = rules[name];
    return rule === undefined ? '' : written(render(rule as Template, claims)); // validated when the file was read
  };
  const country = read('country') || (entry.federated === false ? constants.defaultCountry : entry.identificador);
  const document = readDocument(country, read('type'), read('number'));
  const person = {
    firstName: read('firstName'),
    secondName: read('secondName'),
    firstSurname: read('firstSurname'),
    secondSurname: read('secondSurname'),
  };
  if (subject === '' || document.number === '' || person.firstName === '')
    throw new UpstreamRefused('the claims name no person with a document');
  if (
    subject.length > longestSubject ||
    [document.number, ...Object.values(person)].some((part) => part.length > longest)
  )
    throw new UpstreamRefused('a claim is too long');
  if (unplainField([subject, document, person]) !== null || Object.values(person).some((part) => bidi.test(part)))
    throw new UpstreamRefused('a claim is no plain text');
  return {
    provider: entry.identificador,
    issuer,
    subject,
    nid: mapLevel(context, levels, maxLevel),
    signedInAt: signedInAt?.toISOString() ?? null,
    document,
    person,
  };
}

/** A claim as text. Returns an empty string for an array, an object or a boolean, whose string form would be an invented name or number. */
function written(claim: unknown): string {
  return typeof claim === 'string' ? claim.trim() : Number.isSafeInteger(claim) ? String(claim) : '';
}

/** Level that the configuration assigns to the context, up to the maximum for this provider. An unknown context is level 0. */
function mapLevel(context: string | null, levels: IdentityProvider['levels'], most: number): number {
  const said = context !== null && Object.hasOwn(levels, context) ? Number(levels[context]) : 0;
  return Math.min(said, most);
}

/** Stores the earliest acceptable time of the sign-in, for `assertFresh`. Empty if any age will do. */
export function keptDemand(maxAgeS: number | null, now: Date): Kept {
  return maxAgeS === null ? {} : { since: after(now, -maxAgeS).toISOString() };
}

/** Removes an invalid or future time. It would count as a new sign-in, also as a proof of identity, for as long as the session exists. */
export function withPastTime(assertion: Assertion, clock: Clock): Assertion {
  const { signedInAt } = assertion;
  const isPast = signedInAt !== null && after(signedInAt, -providerSkewS) <= clock.now(); // false for an invalid Date as well
  return isPast ? assertion : { ...assertion, signedInAt: null };
}

/** Throws an `UpstreamStale` if the sign-in is older than requested. Providers may ignore the requested age. */
export function assertFresh({ signedInAt }: Assertion, { since }: Kept): void {
  if (since === undefined) return;
  if (signedInAt === null) throw new UpstreamStale('the provider tells no past time at which the person signed in');
  if (after(signedInAt, providerSkewS) < new Date(since)) throw new UpstreamStale('the person signed in there before');
}
