import type { Clock } from '../../../platform/base/clock.ts';
import { checkMessage, skewMs } from './authn-request.ts';
import { ns, SamlError } from './names.ts';
import type { Participant } from './participants.ts';
import { nameIdXml, newId, statusXml, timeText } from './response.ts';
import { attribute, findChild, listChildren, escapeXml, isElement, textIn, readTime } from './xml.ts';

/** How long a LogoutRequest is valid, in milliseconds. */
const lifeMs = 5 * 60_000;

export interface LogoutRequest {
  readonly id: string;
  readonly name: string;
  readonly indexes: readonly string[];
}

export interface LogoutAnswer {
  readonly inResponseTo: string;
  readonly succeeded: boolean;
}

interface Checks {
  readonly destination: string;
  readonly clock: Clock;
}

/** Reads a LogoutRequest whose signature has been verified. Throws a `SamlError`. */
export function readLogoutRequest(message: Element, checks: Checks): LogoutRequest {
  if (!isElement(message, ns.protocol, 'LogoutRequest')) throw new SamlError('the message is no LogoutRequest');
  const id = checkMessage(message, { ...checks, addressed: true });
  const end = readTime(message, 'NotOnOrAfter');
  if (end !== null && end.getTime() + skewMs <= checks.clock.now().getTime())
    throw new SamlError('the request holds no longer');
  const name = textIn(findChild(message, ns.assertion, 'NameID'));
  if (name === null || name === '') throw new SamlError('the request names nobody');
  return {
    id,
    name,
    indexes: listChildren(message, ns.protocol, 'SessionIndex').map((index) => textIn(index) ?? ''),
  };
}

/** Reads a LogoutResponse whose signature has been verified. Throws a `SamlError`. */
export function readLogoutAnswer(message: Element, checks: Checks): LogoutAnswer {
  if (!isElement(message, ns.protocol, 'LogoutResponse')) throw new SamlError('the message is no LogoutResponse');
  checkMessage(message, { ...checks, addressed: true });
  return readStatus(message);
}

/** Reads the result of a LogoutResponse without checking anything else in it. */
export function readStatus(message: Element): LogoutAnswer {
  const status = findChild(message, ns.protocol, 'Status');
  const code = status && findChild(status, ns.protocol, 'StatusCode');
  const value = (code && attribute(code, 'Value')) ?? '';
  const partial = code === null ? [] : listChildren(code, ns.protocol, 'StatusCode');
  return {
    inResponseTo: attribute(message, 'InResponseTo') ?? '',
    succeeded: value.endsWith(':Success') && partial.length === 0,
  };
}

export interface LogoutFrame {
  readonly issuer: string;
  readonly audience: string;
  readonly destination: string;
  readonly now: Date;
}

/** The XML is not signed yet. */
export function writeLogoutRequest(
  frame: LogoutFrame,
  { nameId, sessionIndex }: Participant,
): { readonly id: string; readonly xml: string } {
  const id = newId();
  const end = timeText(new Date(frame.now.getTime() + lifeMs));
  const content = `${nameIdXml(nameId, frame)}<samlp:SessionIndex>${escapeXml(sessionIndex)}</samlp:SessionIndex>`;
  return { id, xml: element('LogoutRequest', frame, { ID: id, NotOnOrAfter: end }, content) };
}

/** The XML is not signed yet. */
export function writeLogoutAnswer(
  frame: LogoutFrame,
  { inResponseTo, status }: { inResponseTo: string; status: readonly string[] },
): { readonly id: string; readonly xml: string } {
  const id = newId();
  return { id, xml: element('LogoutResponse', frame, { ID: id, InResponseTo: inResponseTo }, statusXml(status)) };
}

function element(
  name: string,
  { issuer, destination, now }: LogoutFrame,
  own: Readonly<Record<string, string>>,
  content: string,
): string {
  const attributes = Object.entries({
    ...own,
    Version: '2.0',
    IssueInstant: timeText(now),
    Destination: destination,
  })
    .map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
    .join('');
  return `<samlp:${name} xmlns:samlp="${ns.protocol}" xmlns:saml="${ns.assertion}"${attributes}><saml:Issuer>${escapeXml(issuer)}</saml:Issuer>${content}</samlp:${name}>`;
}
