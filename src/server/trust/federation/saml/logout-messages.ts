import type { DatabaseStore, Tx } from '../../../platform/database/open-store.ts';
import type { Database } from '../../../platform/database/schema.ts';
import {
  type SamlNameId,
  writeNameId,
  generateSamlMessageId,
  writeSamlStatus,
  formatXmlTime,
} from './saml-response.ts';
import type { Clock } from '../../../platform/base/clock.ts';
import { validateSamlMessage } from './authenticate-saml-message.ts';
import { samlNamespaces, SamlError, samlClockSkewMs } from './saml-constants.ts';
import {
  readXmlAttribute,
  findXmlChild,
  listXmlChildren,
  escapeXml,
  hasXmlName,
  readXmlText,
  readDateTimeAttribute,
} from './xml.ts';

export interface SamlSessionParticipant {
  readonly provider: string;
  readonly nameId: SamlNameId;
  readonly sessionIndex: string;
}

export async function deleteSamlParticipantsOfSessions(
  tx: Tx,
  sessionIds: readonly string[],
): Promise<readonly SamlSessionParticipant[]> {
  if (sessionIds.length === 0) return [];
  const rows = await tx
    .deleteFrom('saml_participants')
    .where('session_id', 'in', sessionIds)
    .returning(participantColumns)
    .execute();
  return rows.map(toParticipant);
}

export async function listSamlParticipants(
  { db }: DatabaseStore,
  sessionId: string,
): Promise<readonly SamlSessionParticipant[]> {
  const rows = await db
    .selectFrom('saml_participants')
    .select(participantColumns)
    .where('session_id', '=', sessionId)
    .execute();
  return rows.map(toParticipant);
}

export async function moveSamlParticipants(tx: Tx, from: string, to: string): Promise<void> {
  await tx.updateTable('saml_participants').set({ session_id: to }).where('session_id', '=', from).execute();
}

export async function findSessionsBySamlNameId(
  { db }: DatabaseStore,
  { provider, name, indexes }: { provider: string; name: string; indexes: readonly string[] },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('saml_participants')
    .select('session_id')
    .where('provider', '=', provider)
    .where('name_id', '=', name)
    .$if(indexes.length > 0, (query) => query.where('session_index', 'in', indexes))
    .execute();
  return rows.map(({ session_id: id }) => id);
}

const participantColumns = ['provider', 'name_id', 'name_id_format', 'session_index'] as const;

function toParticipant(
  row: Pick<Database['saml_participants'], (typeof participantColumns)[number]>,
): SamlSessionParticipant {
  return {
    provider: row.provider,
    nameId: { value: row.name_id, format: row.name_id_format },
    sessionIndex: row.session_index,
  };
}

const logoutRequestLifeMs = 5 * 60_000;

interface LogoutResponse {
  readonly inResponseTo: string;
  readonly succeeded: boolean;
}

interface MessageChecks {
  readonly destination: string;
  readonly clock: Clock;
}

/** Reads a LogoutRequest whose signature has been verified. Throws a `SamlError` if the request is invalid. */
export function readLogoutRequest(message: Element, checks: MessageChecks) {
  if (!hasXmlName(message, samlNamespaces.protocol, 'LogoutRequest'))
    throw new SamlError('the message is not a LogoutRequest');
  const id = validateSamlMessage(message, { ...checks, addressed: true });
  const end = readDateTimeAttribute(message, 'NotOnOrAfter');
  if (end !== null && end.getTime() + samlClockSkewMs <= checks.clock.now().getTime())
    throw new SamlError('the request has expired');
  const name = readXmlText(findXmlChild(message, samlNamespaces.assertion, 'NameID'));
  if (name === null || name === '') throw new SamlError('the request has no NameID');
  return {
    id,
    name,
    indexes: listXmlChildren(message, samlNamespaces.protocol, 'SessionIndex').map((index) => readXmlText(index) ?? ''),
  };
}

/** Reads a LogoutResponse whose signature has been verified. Throws a `SamlError` if the response is invalid. */
export function readLogoutResponse(message: Element, checks: MessageChecks): LogoutResponse {
  if (!hasXmlName(message, samlNamespaces.protocol, 'LogoutResponse'))
    throw new SamlError('the message is not a LogoutResponse');
  validateSamlMessage(message, { ...checks, addressed: true });
  return readLogoutStatus(message);
}

/** Reads the status of a LogoutResponse. Checks neither its signature nor its addressee. */
export function readLogoutStatus(message: Element): LogoutResponse {
  const code = findXmlChild(message, samlNamespaces.protocol, 'Status', 'StatusCode');
  const isPartial = listXmlChildren(code, samlNamespaces.protocol, 'StatusCode').length > 0;
  return {
    inResponseTo: readXmlAttribute(message, 'InResponseTo') ?? '',
    succeeded: readXmlAttribute(code, 'Value')?.endsWith(':Success') === true && !isPartial,
  };
}

export interface SamlLogoutEnvelope {
  readonly issuer: string;
  readonly audience: string;
  readonly destination: string;
  readonly now: Date;
}

export function writeLogoutRequest(frame: SamlLogoutEnvelope, { nameId, sessionIndex }: SamlSessionParticipant) {
  const id = generateSamlMessageId();
  const end = formatXmlTime(new Date(frame.now.getTime() + logoutRequestLifeMs));
  const content = `${writeNameId(nameId, frame)}<samlp:SessionIndex>${escapeXml(sessionIndex)}</samlp:SessionIndex>`;
  return { id, xml: writeLogoutMessage('LogoutRequest', frame, { ID: id, NotOnOrAfter: end }, content) };
}

export function writeLogoutResponse(
  frame: SamlLogoutEnvelope,
  { inResponseTo, status }: { inResponseTo: string; status: readonly string[] },
): { readonly id: string; readonly xml: string } {
  const id = generateSamlMessageId();
  return {
    id,
    xml: writeLogoutMessage('LogoutResponse', frame, { ID: id, InResponseTo: inResponseTo }, writeSamlStatus(status)),
  };
}

function writeLogoutMessage(
  name: string,
  { issuer, destination, now }: SamlLogoutEnvelope,
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
  return `<samlp:${name} xmlns:samlp="${samlNamespaces.protocol}" xmlns:saml="${samlNamespaces.assertion}"${attributes}><saml:Issuer>${escapeXml(issuer)}</saml:Issuer>${content}</samlp:${name}>`;
}
