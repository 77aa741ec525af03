import { formatAcr, parseAcr } from '../../identity/levels.ts';
import { ns, SamlError } from './names.ts';
import { attribute, findChild, listChildren, textIn } from './xml.ts';

const classes = 'urn:oasis:names:tc:SAML:2.0:ac:classes:';
const card = `${classes}SmartcardPKI`;

/** Session level of each SAML authentication context class: 1 for one factor, 2 for two, 3 for the identity card. */
const levels: Readonly<Record<string, number>> = {
  [`${classes}unspecified`]: 0,
  [`${classes}Password`]: 1,
  [`${classes}PasswordProtectedTransport`]: 1,
  [`${classes}TimeSyncToken`]: 2,
  [`${classes}MobileTwoFactorContract`]: 2,
  [card]: 3,
};

export interface RequestedContext {
  /** Lowest session level that satisfies the request, 0 to 3. `null` if none does. */
  readonly nid: number | null;
  /** Classes of which the response must contain one. `null` if any class will do. */
  readonly exact: readonly string[] | null;
}

/** `null` requests nothing in particular. */
export function readContext(element: Element | null): RequestedContext {
  if (element === null) return { nid: 0, exact: null };
  const asked = listChildren(element, ns.assertion, 'AuthnContextClassRef')
    .map((reference) => textIn(reference) ?? '')
    .filter((name) => name !== ''); // some service providers send an empty element
  if (findChild(element, ns.assertion, 'AuthnContextDeclRef'))
    throw new SamlError('declarations of contexts are not known');
  if (asked.length === 0) return { nid: 0, exact: null };
  const known = asked.filter((name) => levelOfClass(name) !== null);
  const nids = known.map((name) => levelOfClass(name) ?? 0);
  switch (attribute(element, 'Comparison') ?? 'exact') {
    case 'exact':
      return { nid: known.length === 0 ? null : Math.min(...nids), exact: known };
    case 'minimum':
      return { nid: known.length === 0 ? null : Math.min(...nids), exact: null };
    case 'better':
      return { nid: known.length < asked.length || Math.max(...nids) > 2 ? null : Math.max(...nids) + 1, exact: null };
    case 'maximum':
      return { nid: 0, exact: known };
    default:
      throw new SamlError('the comparison of contexts is not known');
  }
}

/** The highest class in `exact` that the session reaches, or the class of its level if `exact` is `null`. Returns `null` if it reaches none. */
export function selectContextClass(
  { nid, card: byCard }: { nid: number; card: boolean },
  exact: readonly string[] | null,
): string | null {
  if (exact === null) return byCard ? card : nid === 1 ? `${classes}PasswordProtectedTransport` : formatAcr(nid);
  const reached = exact
    .filter((name) => (levelOfClass(name) ?? 0) <= nid && (name !== card || byCard))
    .toSorted((a, b) => (levelOfClass(b) ?? 0) - (levelOfClass(a) ?? 0));
  return reached[0] ?? null;
}

function levelOfClass(name: string): number | null {
  return parseAcr(name) ?? (Object.hasOwn(levels, name) ? (levels[name] ?? null) : null);
}
