import type { Clock } from '../../../platform/base/clock.ts';
import { addRefusalLogFacts } from '../../../platform/base/errors.ts';
import { SamlError, samlClockSkewMs, nameIdFormats, samlNamespaces } from './saml-constants.ts';
import {
  decodeSamlPostMessage,
  decodeSamlRedirectMessage,
  parseSamlQuery,
  verifySamlQuerySignature,
  type SamlMessageName,
} from './bindings.ts';
import { isSignedElement, verifyXmlSignature } from './xml-signature.ts';
import type { ServiceProvider, ServiceProviderStore } from './service-providers.ts';
import { parseXml, readXmlAttribute, findXmlChild, readXmlText, readDateTimeAttribute } from './xml.ts';
import { isMetadataExpired } from './metadata.ts';

export type ReceivedSamlMessage = { readonly destination: string } & (
  | { readonly binding: 'redirect'; readonly query: string }
  | { readonly binding: 'post'; readonly fields: Readonly<Record<string, string | undefined>> }
);

export interface AuthenticatedSamlMessage {
  readonly provider: ServiceProvider;
  /** Root element. For a signed POST message, it has only the signed content. */
  readonly message: Element;
  readonly relayState: string | null;
  readonly hasSignature: boolean;
}

/** Maximum length of RelayState, in characters. The standard allows 80 bytes, but many implementations exceed that. */
const maxRelayStateLength = 2000;

/** `unsigned` accepts an unsigned message if the service provider may omit signatures. Use it only if the response goes to a URL in the metadata. */
export async function authenticateSamlMessage(
  { saml: { providers }, clock }: { saml: { providers: ServiceProviderStore }; clock: Clock },
  arrival: ReceivedSamlMessage,
  name: SamlMessageName,
  unsigned = false,
): Promise<AuthenticatedSamlMessage> {
  const query = arrival.binding === 'redirect' ? parseSamlQuery(arrival.query) : null;
  const value = (field: string): string | null =>
    query !== null ? query.value(field) : arrival.binding === 'post' ? (arrival.fields[field] ?? null) : null;
  const text = value(name);
  if (text === null) throw new SamlError(`there is no ${name}`);
  const xml = query !== null ? decodeSamlRedirectMessage(text) : decodeSamlPostMessage(text);
  const relayState = value('RelayState');
  if ((relayState?.length ?? 0) > maxRelayStateLength) throw new SamlError('the RelayState is too long');
  const root = parseXml(xml);
  const provider = await providers.byEntity(readSamlIssuer(root));
  if (provider === null) throw new SamlError('the service provider is not registered');
  return addProviderToSamlError(provider, () => {
    if (isMetadataExpired(provider.metadata, clock.now())) throw new SamlError('the metadata are out of date');
    const { signingCertificates } = provider.metadata;
    const hasSignature =
      query === null ? isSignedElement(root) : ['Signature', 'SigAlg'].some((name) => value(name) !== null);
    if (unsigned && !hasSignature && canOmitSamlSignature(provider))
      return { provider, message: root, relayState, hasSignature };
    if (query !== null) verifySamlQuerySignature(query, signingCertificates);
    const message = query === null ? verifyXmlSignature(xml, signingCertificates, root) : root;
    if (readSamlIssuer(message) !== provider.metadata.entityId)
      throw new SamlError('the signed message names another issuer');
    return { provider, message, relayState, hasSignature };
  });
}

/** Returns `false` if the metadata requires signed requests or, with the profile `id-uruguay`, has a signing key. */
export function canOmitSamlSignature({ registration, metadata }: ServiceProvider): boolean {
  return (
    metadata.requestsSigned !== true &&
    (registration.profile === 'saml2int' || metadata.signingCertificates.length === 0)
  );
}

export function addProviderToSamlError<Result>({ registration }: ServiceProvider, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof SamlError ? addRefusalLogFacts(error, { client: registration.id }) : error;
  }
}

/** Maximum age of a SAML message, in milliseconds. A request is stored for `samlClockSkewMs` longer, so that a replay is detected. */
export const maxSamlMessageAgeMs = 10 * 60_000;

export function readSamlIssuer(message: Element): string {
  const issuer = findXmlChild(message, samlNamespaces.assertion, 'Issuer');
  const name = readXmlText(issuer) ?? '';
  if (name === '' || (readXmlAttribute(issuer, 'Format') ?? nameIdFormats.entity) !== nameIdFormats.entity)
    throw new SamlError('the message has no issuer');
  return name;
}

/** Checks version, ID, age and destination, and returns the ID. `addressed` makes the destination mandatory. */
export function validateSamlMessage(
  message: Element,
  { destination, clock, addressed = false }: { destination: string; clock: Clock; addressed?: boolean },
): string {
  const id = readXmlAttribute(message, 'ID') ?? '';
  if (!/^[A-Za-z_][\w.-]{0,255}$/.test(id)) throw new SamlError('the message has no proper ID');
  if (readXmlAttribute(message, 'Version') !== '2.0') throw new SamlError('the version is not 2.0');
  const issued = readDateTimeAttribute(message, 'IssueInstant');
  const age = clock.now().getTime() - (issued?.getTime() ?? Number.NaN);
  if (!(age >= -samlClockSkewMs && age <= maxSamlMessageAgeMs)) throw new SamlError('the message is not of now');
  const meant = readXmlAttribute(message, 'Destination');
  if (meant === null ? addressed : meant !== destination)
    throw new SamlError('the message is meant for another address');
  return id;
}
