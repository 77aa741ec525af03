import { constants } from '../../../../contract/constants.ts';
import { render } from '../../../../engine/core/logic.ts';
import type { Template } from '../../../../engine/core/definition.ts';
import { readDocument, type Document } from '../../../platform/base/document.ts';
import type { IdentityProvider } from '../../../platform/config/identity-providers.ts';
import { unplainField } from '../../../platform/http/plain-text.ts';
import type { Person } from '../../identity/registry/agree.ts';
import type { Assertion } from './adapter.ts';
import { UpstreamRefused } from './upstream-error.ts';

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
    nid: levelOf(context, levels, maxLevel),
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
function levelOf(context: string | null, levels: IdentityProvider['levels'], most: number): number {
  const said = context !== null && Object.hasOwn(levels, context) ? Number(levels[context]) : 0;
  return Math.min(said, most);
}
