import type { Store, Tx } from '../../../platform/database/open-store.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { type NameId, writeNameId, generateMessageId, writeStatus, formatXmlTime } from './response.ts';
import type { Clock } from '../../../platform/base/clock.ts';
import { checkMessage } from './authn-request.ts';
import { namespaces, SamlError, skewMs } from './saml-names.ts';
import {
  readAttribute,
  findChild,
  listChildren,
  escapeXml,
  hasQualifiedName,
  readElementText,
  readDateTimeAttribute,
} from './xml.ts';

/** A service provider in a session, with its identifiers for the citizen and the session. */
export interface Participant {
  readonly provider: string;
  readonly nameId: NameId;
  readonly sessionIndex: string;
}

/** Deletes the SAML participants of sessions, in the transaction that ends these sessions. Returns the participants, so that they can be notified. */
export async function deleteParticipantsOfSessions(
  tx: Tx,
  sessionIds: readonly string[],
): Promise<readonly Participant[]> {
  if (sessionIds.length === 0) return [];
  const rows = await tx
    .deleteFrom('saml_participants')
    .where('session_id', 'in', sessionIds)
    .returning(['provider', 'name_id', 'name_id_format', 'session_index'])
    .execute();
  return rows.map(toParticipant);
}

export async function listParticipants({ db }: Store, sessionId: string): Promise<readonly Participant[]> {
  const rows = await db
    .selectFrom('saml_participants')
    .select(['provider', 'name_id', 'name_id_format', 'session_index'])
    .where('session_id', '=', sessionId)
    .execute();
  return rows.map(toParticipant);
}

export async function deleteParticipants({ db }: Store, sessionId: string): Promise<void> {
  await db.deleteFrom('saml_participants').where('session_id', '=', sessionId).execute();
}

/** Moves the participants to a new session of the same citizen in the same browser. */
export async function moveParticipants(tx: Tx, from: string, to: string): Promise<void> {
  await tx.updateTable('saml_participants').set({ session_id: to }).where('session_id', '=', from).execute();
}

/** Finds the sessions that match a NameID. If `indexes` is not empty, a session must also match one of the session indexes. */
export async function findSessionsByNameId(
  { db }: Store,
  { provider, name, indexes }: { provider: string; name: string; indexes: readonly string[] },
): Promise<readonly string[]> {
  let query = db
    .selectFrom('saml_participants')
    .select('session_id')
    .where('provider', '=', provider)
    .where('name_id', '=', name);
  if (indexes.length > 0) query = query.where('session_index', 'in', indexes);
  return (await query.execute()).map(({ session_id: id }) => id);
}

type ParticipantRow = Pick<Database['saml_participants'], 'provider' | 'name_id' | 'name_id_format' | 'session_index'>;

function toParticipant({ provider, name_id: value, name_id_format: format, ...row }: ParticipantRow): Participant {
  return { provider, nameId: { value, format }, sessionIndex: row.session_index };
}

const requestLifeMs = 5 * 60_000;

interface LogoutResponse {
  readonly inResponseTo: string;
  readonly succeeded: boolean;
}

interface MessageChecks {
  readonly destination: string;
  readonly clock: Clock;
}

/** Reads a LogoutRequest whose signature has been verified. Throws a `SamlError` if the request is invalid. */
export function readLogoutRequest(
  message: Element,
  checks: MessageChecks,
): { readonly id: string; readonly name: string; readonly indexes: readonly string[] } {
  if (!hasQualifiedName(message, namespaces.protocol, 'LogoutRequest'))
    throw new SamlError('the message is not a LogoutRequest');
  const id = checkMessage(message, { ...checks, addressed: true });
  const end = readDateTimeAttribute(message, 'NotOnOrAfter');
  if (end !== null && end.getTime() + skewMs <= checks.clock.now().getTime())
    throw new SamlError('the request has expired');
  const name = readElementText(findChild(message, namespaces.assertion, 'NameID'));
  if (name === null || name === '') throw new SamlError('the request has no NameID');
  return {
    id,
    name,
    indexes: listChildren(message, namespaces.protocol, 'SessionIndex').map((index) => readElementText(index) ?? ''),
  };
}

/** Reads a LogoutResponse whose signature has been verified. Throws a `SamlError` if the response is invalid. */
export function readLogoutResponse(message: Element, checks: MessageChecks): LogoutResponse {
  if (!hasQualifiedName(message, namespaces.protocol, 'LogoutResponse'))
    throw new SamlError('the message is not a LogoutResponse');
  checkMessage(message, { ...checks, addressed: true });
  return readLogoutStatus(message);
}

/** Reads the result of a LogoutResponse without any other check. */
export function readLogoutStatus(message: Element): LogoutResponse {
  const status = findChild(message, namespaces.protocol, 'Status');
  const code = status && findChild(status, namespaces.protocol, 'StatusCode');
  const value = (code && readAttribute(code, 'Value')) ?? '';
  const partial = code === null ? [] : listChildren(code, namespaces.protocol, 'StatusCode');
  return {
    inResponseTo: readAttribute(message, 'InResponseTo') ?? '',
    succeeded: value.endsWith(':Success') && partial.length === 0,
  };
}

export interface LogoutEnvelope {
  readonly issuer: string;
  readonly audience: string;
  readonly destination: string;
  readonly now: Date;
}

export function writeLogoutRequest(
  frame: LogoutEnvelope,
  { nameId, sessionIndex }: Participant,
): { readonly id: string; readonly xml: string } {
  const id = generateMessageId();
  const end = formatXmlTime(new Date(frame.now.getTime() + requestLifeMs));
  const content = `${writeNameId(nameId, frame)}<samlp:SessionIndex>${escapeXml(sessionIndex)}</samlp:SessionIndex>`;
  return { id, xml: writeMessage('LogoutRequest', frame, { ID: id, NotOnOrAfter: end }, content) };
}

export function writeLogoutResponse(
  frame: LogoutEnvelope,
  { inResponseTo, status }: { inResponseTo: string; status: readonly string[] },
): { readonly id: string; readonly xml: string } {
  const id = generateMessageId();
  return {
    id,
    xml: writeMessage('LogoutResponse', frame, { ID: id, InResponseTo: inResponseTo }, writeStatus(status)),
  };
}

function writeMessage(
  name: string,
  { issuer, destination, now }: LogoutEnvelope,
  own: Readonly<Record<string, string>>,
  content: string,
): string {
  const attributes = Object.entries({
    ...own,
    Version: '2.0',
    IssueInstant: formatXmlTime(now),
    Destination: destination,
  })
    .map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
    .join('');
  return `<samlp:${name} xmlns:samlp="${namespaces.protocol}" xmlns:saml="${namespaces.assertion}"${attributes}><saml:Issuer>${escapeXml(issuer)}</saml:Issuer>${content}</samlp:${name}>`;
}
