import { constants } from '../../../../contract/constants.ts';
import { render } from '../../../../engine/core/logic.ts';
import type { Template } from '../../../../engine/core/definition.ts';
import { readDocument, type Document } from '../../../platform/base/document.ts';
import type { IdentityProvider } from '../../../platform/config/identity-providers.ts';
import { unplainField } from '../../../platform/http/plain-text.ts';
import type { Person } from '../../identity/registry/agree.ts';
import type { Assertion } from './adapter.ts';
import { UpstreamRefused } from './upstream-error.ts';

/** Whom a provider means, in our words. */
export interface Arrived {
  /** The provider's entry of the configuration. */
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  /** Level of the sign-in, 0 to 3. */
  readonly nid: number;
  /** When the person signed in there, in ISO 8601; null: the provider does not say. */
  readonly signedInAt: string | null;
  readonly document: Document;
  readonly person: Person;
}

/** Longest name and number that are read, in characters. */
const longest = 100;

/** What shows a name in another order than it is written: agents read names aloud and compare them. */
const bidi = /\p{Bidi_Control}/u;

/** Longest name of a person at a provider (OpenID Connect Core 1.0, section 2; SAML takes 256 with a qualifier). */
const longestSubject = 255;

/** Reads a provider's claims by its entry of the configuration; throws an UpstreamRefused where they name no document or nobody. */
export function readArrived(
  entry: IdentityProvider,
  { issuer, subject, context, signedInAt, claims }: Assertion,
): Arrived {
  const { claims: rules, levels, maxLevel } = entry;
  const read = (name: keyof typeof rules): string => {
    const rule = rules[name];
    return rule === undefined ? '' : written(render(rule as Template, claims)); // checked when the file was read
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

/** A claim as text; nothing for a list, an object or a truth, whose text would be a name or a number that nobody has. */
function written(claim: unknown): string {
  return typeof claim === 'string' ? claim.trim() : Number.isSafeInteger(claim) ? String(claim) : '';
}

/** The lower of what the provider says and what its entry lets it say; nothing that is known is the lowest. */
function levelOf(context: string | null, levels: IdentityProvider['levels'], most: number): number {
  const said = context !== null && Object.hasOwn(levels, context) ? Number(levels[context]) : 0;
  return Math.min(said, most);
}
