import { Ajv } from 'ajv';
import type { FromSchema } from 'json-schema-to-ts';
import { addSeconds } from '../../../platform/base/clock.ts';
import { secondsPerDay } from '../../../platform/base/fixed-periods.ts';
import { minRsaBits } from '../../../platform/keys/signing-keys.ts';
import {
  outboundRequestUrlSchema,
  registrationTextSchema,
  urlFormats,
  webUrlSchema,
} from '../clients/client-registration.ts';
import {
  isMetadataExpired,
  readServiceProviderMetadata,
  parsePemCertificates,
  type ServiceProviderMetadata,
} from './metadata.ts';
import { SamlError } from './saml-constants.ts';
import { findShortestRsaKeyBits, readCertificatePublicKey } from './xml-signature.ts';

export const serviceProviderRegistrationSchema = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'string', pattern: '^[0-9A-Za-z_-]{1,100}$' },
    name: registrationTextSchema,
    scopes: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { enum: ['personal_info', 'document', 'email', 'auth_info'] },
      default: ['personal_info', 'document', 'auth_info'],
    },
    consent: { type: 'boolean' },
    /** `saml2int`: the Kantara deployment profile, version 2.0. `id-uruguay` (the default): ID Uruguay's dialect. */
    profile: { enum: ['saml2int', 'id-uruguay'] },
    /** Whether RSA keys in the metadata may have from 2,048 to 3,071 bits. */
    rsa2048: { type: 'boolean' },
    /** Algorithm of the portal's signatures for this service provider. Defaults to ES256 with `saml2int`, otherwise to RS256. */
    signingAlg: { enum: ['RS256', 'ES256'] },
    metadataUrl: outboundRequestUrlSchema,
    /** PEM certificates, one of which must have signed the metadata. */
    metadataCertificate: { type: 'string', pattern: '^-----BEGIN CERTIFICATE-----', maxLength: 20_000 },
    website: webUrlSchema,
    terms: webUrlSchema,
    privacy: webUrlSchema,
    logo: webUrlSchema,
  },
  additionalProperties: false,
} as const;

/** The operator's part of a registration. The other values are in the metadata. */
export type ServiceProviderRegistration = FromSchema<typeof serviceProviderRegistrationSchema>;

const validate = new Ajv({
  allErrors: true,
  useDefaults: true,
  formats: urlFormats,
}).compile<ServiceProviderRegistration>(serviceProviderRegistrationSchema);

export function validateServiceProviderRegistration(value: unknown): ServiceProviderRegistration {
  if (validate(value)) {
    if (value.profile !== 'saml2int') return value;
    if (value.metadataCertificate === undefined && value.metadataUrl === undefined)
      throw new Error('saml2int requires metadata from a URL, or a certificate that their signature is checked with');
    return value;
  }
  throw new Error(
    (validate.errors ?? [])
      .map(({ instancePath, message }) => `${instancePath.slice(1) || 'the provider'} ${message ?? 'is invalid'}`)
      .join('; '),
  );
}

/** Maximum validity of metadata with saml2int, in seconds (SDP-MD03). A revoked key may stay in use for this long. */
const maxValidityS = 366 * secondsPerDay;

/** Throws a `SamlError` if the metadata has expired, violates the profile, or, outside loopback, has a short RSA key. */
export function readValidServiceProviderMetadata(
  registration: ServiceProviderRegistration,
  xml: string,
  { now, loopback }: { readonly now: Date; readonly loopback: boolean },
): ServiceProviderMetadata {
  const metadata = readServiceProviderMetadata(xml, registration.metadataCertificate);
  if (isMetadataExpired(metadata, now)) throw new SamlError('the metadata are out of date');
  assertSaml2intMetadata(registration, metadata, now);
  if (!loopback) assertSamlRsaKeySize(registration, metadata);
  return metadata;
}

export function assertSamlRsaKeySize(registration: ServiceProviderRegistration, metadata: ServiceProviderMetadata) {
  const shortKey = describeShortRsaKey({ registration, metadata });
  if (shortKey !== null) throw new SamlError(shortKey);
}

/**
 * Describes the shortest RSA key if it has less than 128 bits of security, otherwise returns `null`. Outside loopback, the broker refuses such a key,
 * even if an older version stored it.
 */
export function describeShortRsaKey({
  registration: { rsa2048, metadataCertificate = '' },
  metadata: { signingCertificates: signing, encryptionCertificate: encryption },
}: {
  readonly registration: ServiceProviderRegistration;
  readonly metadata: ServiceProviderMetadata;
}): string | null {
  if (rsa2048 === true) return null; // any key is long enough, because `readServiceProviderMetadata` has rejected keys of less than 2,048 bits
  const least = findShortestRsaKeyBits([signing, encryption ?? [], parsePemCertificates(metadataCertificate)].flat());
  return least >= minRsaBits
    ? null
    : `an RSA key of the metadata has ${least} bits: it needs ${minRsaBits}. rsa2048 (--rsa2048) allows it as an exception`;
}

/** Throws a `SamlError` if metadata violates saml2int (SDP-G04, SDP-MD02, SDP-MD03 and SDP-MD08). */
export function assertSaml2intMetadata(
  { profile, metadataCertificate = '' }: ServiceProviderRegistration,
  metadata: ServiceProviderMetadata,
  now: Date,
) {
  if (profile !== 'saml2int') return;
  const { entityId, validUntil, hasValidUntil, signingCertificates, encryptionCertificate: encryption } = metadata;
  if (!URL.canParse(entityId) || entityId.length > 256)
    throw new SamlError('the entityID is not a URI of at most 256 characters');
  if (!hasValidUntil || validUntil === null) throw new SamlError('the metadata have no validUntil');
  if (validUntil > addSeconds(now, maxValidityS)) throw new SamlError('the metadata are valid for more than a year');
  if (encryption === null) throw new SamlError('the metadata have no key for encryption');
  const [own, trusted] = [[...signingCertificates, encryption], parsePemCertificates(metadataCertificate)].map(
    (certificates) =>
      certificates.map((certificate) => readCertificatePublicKey(certificate).export({ type: 'spki', format: 'der' })),
  );
  if (own?.some((key) => trusted?.some((other) => other.equals(key))))
    throw new SamlError('the key that signs the metadata is also a key of the service provider');
}
