import type { Clock } from '../../../platform/base/clock.ts';
import { readContext, type RequestedContext } from './context-classes.ts';
import { bindings, nameIdFormats, ns, SamlError } from './names.ts';
import type { ServiceMetadata } from './metadata.ts';
import { attribute, findChild, flag, isElement, textIn, readTime } from './xml.ts';

export interface AuthnRequest {
  readonly id: string;
  /** URL of the assertion consumer service, from the metadata. */
  readonly consumer: string;
  readonly forceAuthn: boolean;
  readonly isPassive: boolean;
  readonly nameIdFormat: string;
  readonly context: RequestedContext;
  /** Requested attributes. `null` for all that are allowed. */
  readonly attributes: readonly string[] | null;
}

/** Tolerated clock difference, in milliseconds. */
export const skewMs = 60_000;

/** Maximum age of a message, in milliseconds. A request waits for the citizen, and its ID is remembered against replays, for `skewMs` longer. */
export const requestLifeMs = 10 * 60_000;

/** Entity ID of a message's issuer. Throws a `SamlError` if there is none. */
export function readIssuer(message: Element): string {
  const issuer = findChild(message, ns.assertion, 'Issuer');
  const format = issuer && attribute(issuer, 'Format');
  const name = textIn(issuer) ?? '';
  if (name === '' || (format ?? nameIdFormats.entity) !== nameIdFormats.entity)
    throw new SamlError('the message has no issuer');
  return name;
}

/** Checks version, ID, age and destination of a message, and returns its ID. `addressed` makes the destination mandatory. Throws a `SamlError`. */
export function checkMessage(
  message: Element,
  { destination, clock, addressed = false }: { destination: string; clock: Clock; addressed?: boolean },
): string {
  const id = attribute(message, 'ID') ?? '';
  if (!/^[A-Za-z_][\w.-]{0,255}$/.test(id)) throw new SamlError('the message has no proper ID');
  if (attribute(message, 'Version') !== '2.0') throw new SamlError('the version is not 2.0');
  const issued = readTime(message, 'IssueInstant');
  const age = clock.now().getTime() - (issued?.getTime() ?? Number.NaN);
  if (!(age >= -skewMs && age <= requestLifeMs)) throw new SamlError('the message is not of now');
  const meant = attribute(message, 'Destination');
  if (meant === null ? addressed : meant !== destination)
    throw new SamlError('the message is meant for another address');
  return id;
}

/** Reads an AuthnRequest whose signature has been verified. Throws a `SamlError`. */
export function readAuthnRequest(
  message: Element,
  metadata: ServiceMetadata,
  checks: { destination: string; clock: Clock; addressed: boolean },
): AuthnRequest {
  if (!isElement(message, ns.protocol, 'AuthnRequest')) throw new SamlError('the message is no AuthnRequest');
  const id = checkMessage(message, checks);
  const policy = findChild(message, ns.protocol, 'NameIDPolicy');
  if (findChild(message, ns.assertion, 'Subject')) throw new SamlError('a request for one subject is not known');
  return {
    id,
    consumer: selectConsumer(message, metadata),
    forceAuthn: flag(message, 'ForceAuthn') ?? false,
    isPassive: flag(message, 'IsPassive') ?? false,
    nameIdFormat: (policy && attribute(policy, 'Format')) ?? metadata.nameIdFormats[0] ?? nameIdFormats.unspecified,
    context: readContext(findChild(message, ns.protocol, 'RequestedAuthnContext')),
    attributes: selectAttributes(message, metadata),
  };
}

/** Finds the requested assertion consumer service by index or URL. It must be in the metadata in either case. */
function selectConsumer(message: Element, { consumers }: ServiceMetadata): string {
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

function selectAttributes(message: Element, { attributeSets }: ServiceMetadata): readonly string[] | null {
  const index = attribute(message, 'AttributeConsumingServiceIndex');
  if (index === null || attributeSets.length === 0) return attributeSets[0]?.names ?? null;
  const set = attributeSets.find((known) => String(known.index) === index);
  if (!set) throw new SamlError('the request names a set of attributes that is not in the metadata');
  return set.names;
}
