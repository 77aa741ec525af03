import { acrOf, nidOf } from '../../identity/levels.ts';
import { ns } from './names.ts';
import { SamlError } from './saml-error.ts';
import { attribute, childOf, childrenOf, textIn } from './xml.ts';

const classes = 'urn:oasis:names:tc:SAML:2.0:ac:classes:';
const card = `${classes}SmartcardPKI`;

/** The level of the session that a class of SAML stands for: one factor, two, and the card. */
const levels: Readonly<Record<string, number>> = {
  [`${classes}unspecified`]: 0,
  [`${classes}Password`]: 1,
  [`${classes}PasswordProtectedTransport`]: 1,
  [`${classes}TimeSyncToken`]: 2,
  [`${classes}MobileTwoFactorContract`]: 2,
  [card]: 3,
};

/** What a service provider asks of the sign-in. */
export interface RequestedContext {
  /** The least level that satisfies it, 0 to 3; null: nothing does. */
  readonly nid: number | null;
  /** The classes that the answer must be one of; null: that of the session. */
  readonly exact: readonly string[] | null;
}

/** Reads a RequestedAuthnContext; null asks for nothing. */
export function readContext(element: Element | null): RequestedContext {
  if (element === null) return { nid: 0, exact: null };
  const asked = childrenOf(element, ns.assertion, 'AuthnContextClassRef')
    .map((reference) => textIn(reference) ?? '')
    .filter((name) => name !== ''); // some service providers send an empty one
  if (childOf(element, ns.assertion, 'AuthnContextDeclRef'))
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

/** The class of a session for its answer: of the classes asked for, the highest that it reaches; else that of its level. Null: none fits. */
export function classOf(
  { nid, card: byCard }: { nid: number; card: boolean },
  exact: readonly string[] | null,
): string | null {
  if (exact === null) return byCard ? card : nid === 1 ? `${classes}PasswordProtectedTransport` : acrOf(nid);
  const reached = exact
    .filter((name) => (levelOfClass(name) ?? 0) <= nid && (name !== card || byCard))
    .toSorted((a, b) => (levelOfClass(b) ?? 0) - (levelOfClass(a) ?? 0));
  return reached[0] ?? null;
}

function levelOfClass(name: string): number | null {
  return nidOf(name) ?? (Object.hasOwn(levels, name) ? (levels[name] ?? null) : null);
}
