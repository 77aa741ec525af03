import type { Clock } from '../../../platform/base/clock.ts';
import { readContext, type RequestedContext } from './context-classes.ts';
import { bindings, nameIdFormats, ns } from './names.ts';
import { SamlError } from './saml-error.ts';
import type { ServiceMetadata } from './metadata.ts';
import { attribute, childOf, flag, isElement, textIn, timeOf } from './xml.ts';

/** A request for a sign-in, as far as it can be answered. */
export interface AuthnRequest {
  readonly id: string;
  /** Where the response goes: an address of the metadata. */
  readonly consumer: string;
  readonly forceAuthn: boolean;
  readonly isPassive: boolean;
  readonly nameIdFormat: string;
  readonly context: RequestedContext;
  /** The attributes asked for; null: all that are allowed. */
  readonly attributes: readonly string[] | null;
}

/** How far clocks may differ, in milliseconds. */
export const skewMs = 60_000;

/** How old a request may be, in milliseconds; as long it waits for the citizen, and is not taken a second time. */
export const requestLifeMs = 10 * 60_000;

/** The service provider that a message names. Throws a SamlError where it names none. */
export function issuerOf(message: Element): string {
  const issuer = childOf(message, ns.assertion, 'Issuer');
  const format = issuer && attribute(issuer, 'Format');
  const name = textIn(issuer) ?? '';
  if (name === '' || (format ?? nameIdFormats.entity) !== nameIdFormats.entity)
    throw new SamlError('the message has no issuer');
  return name;
}

/**
 * What every message says of itself is checked: version, ID, time, where it was meant for, which `addressed` ones must say. Answers its ID.
 */
export function checkMessage(
  message: Element,
  { destination, clock, addressed = false }: { destination: string; clock: Clock; addressed?: boolean },
): string {
  const id = attribute(message, 'ID') ?? '';
  if (!/^[A-Za-z_][\w.-]{0,255}$/.test(id)) throw new SamlError('the message has no proper ID');
  if (attribute(message, 'Version') !== '2.0') throw new SamlError('the version is not 2.0');
  const issued = timeOf(message, 'IssueInstant');
  const age = clock.now().getTime() - (issued?.getTime() ?? Number.NaN);
  if (!(age >= -skewMs && age <= requestLifeMs)) throw new SamlError('the message is not of now');
  const meant = attribute(message, 'Destination');
  if (meant === null ? addressed : meant !== destination)
    throw new SamlError('the message is meant for another address');
  return id;
}

/** Reads a request whose signature was checked; throws a SamlError. */
export function readAuthnRequest(
  message: Element,
  metadata: ServiceMetadata,
  checks: { destination: string; clock: Clock; addressed: boolean },
): AuthnRequest {
  if (!isElement(message, ns.protocol, 'AuthnRequest')) throw new SamlError('the message is no AuthnRequest');
  const id = checkMessage(message, checks);
  const policy = childOf(message, ns.protocol, 'NameIDPolicy');
  if (childOf(message, ns.assertion, 'Subject')) throw new SamlError('a request for one subject is not known');
  return {
    id,
    consumer: consumerOf(message, metadata),
    forceAuthn: flag(message, 'ForceAuthn') ?? false,
    isPassive: flag(message, 'IsPassive') ?? false,
    nameIdFormat: (policy && attribute(policy, 'Format')) ?? metadata.nameIdFormats[0] ?? nameIdFormats.unspecified,
    context: readContext(childOf(message, ns.protocol, 'RequestedAuthnContext')),
    attributes: attributesOf(message, metadata),
  };
}

/** By index or by address, and of the metadata in either case. */
function consumerOf(message: Element, { consumers }: ServiceMetadata): string {
  const index = attribute(message, 'AssertionConsumerServiceIndex');
  const url = attribute(message, 'AssertionConsumerServiceURL');
  const binding = attribute(message, 'ProtocolBinding');
  if (index !== null && (url !== null || binding !== null)) throw new SamlError('the request names its address twice');
  if (binding !== null && binding !== bindings.post) throw new SamlError('responses go by POST alone');
  const consumer =
    index !== null
      ? consumers.find((known) => String(known.index) === index)
      : url !== null
        ? consumers.find(({ location }) => location === url)
        : consumers[0];
  if (!consumer) throw new SamlError('the request names an address that is not in the metadata');
  return consumer.location;
}

function attributesOf(message: Element, { attributeSets }: ServiceMetadata): readonly string[] | null {
  const index = attribute(message, 'AttributeConsumingServiceIndex');
  if (index === null || attributeSets.length === 0) return attributeSets[0]?.names ?? null;
  const set = attributeSets.find((known) => String(known.index) === index);
  if (!set) throw new SamlError('the request names a set of attributes that is not in the metadata');
  return set.names;
}
