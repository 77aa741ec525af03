import { isHttpUrl } from '../../engine/core/values/http-url.ts';
import { readFile } from 'node:fs/promises';
import { minRsaBits } from '../../server/platform/keys/signing-keys.ts';
import type { ClientStore } from '../../server/trust/federation/clients/client-store.ts';
import type { LogoStore } from '../../server/trust/federation/clients/logo-store.ts';
import { canOmitSamlSignature } from '../../server/trust/federation/saml/authenticate-saml-message.ts';
import {
  readServiceProviderMetadata,
  type ServiceProviderMetadata,
} from '../../server/trust/federation/saml/metadata.ts';
import { fetchSamlMetadata, type ServiceProviderStore } from '../../server/trust/federation/saml/service-providers.ts';
import {
  readValidServiceProviderMetadata,
  validateServiceProviderRegistration,
} from '../../server/trust/federation/saml/service-provider-registration.ts';
import { findShortestRsaKeyBits } from '../../server/trust/federation/saml/xml-signature.ts';
import { CommandError, convertToUsageError, UsageError, type CliInvocation } from '../command.ts';
import { describeError } from '../../server/platform/base/errors.ts';

const textOption = { type: 'string' } as const;

export const serviceProviderOptions = {
  ...{
    metadata: textOption,
    id: textOption,
    name: textOption,
    website: textOption,
    terms: textOption,
    privacy: textOption,
    logo: textOption,
  },
  'metadata-certificate': textOption,
  profile: textOption,
  alg: textOption,
  scope: { type: 'string', multiple: true },
  consent: { type: 'boolean' },
  rsa2048: { type: 'boolean' },
} as const;

export interface ApplicationCommandDependencies {
  readonly clients: ClientStore;
  readonly providers: ServiceProviderStore;
  readonly logos: LogoStore;
  readonly allowsPrivateAddresses: boolean;
  readonly loopback: boolean;
}

/** Returns a message for the operator. Throws a CommandError if the metadata is invalid. */
export async function addServiceProvider(
  { clients, providers, logos, allowsPrivateAddresses: privateToo, loopback }: ApplicationCommandDependencies,
  given: CliInvocation<typeof serviceProviderOptions>['options'],
  now: Date,
): Promise<string> {
  const { metadata: source, 'metadata-certificate': signers, scope: scopes, alg: signingAlg, ...named } = given;
  if (source === undefined) throw new UsageError('Missing option: --metadata FILE or --metadata URL.');
  const metadataUrl = isHttpUrl(source) ? source : undefined;
  const read = (display: object, metadataCertificate?: string) =>
    convertToUsageError(() => {
      const options = { ...named, scopes, signingAlg, metadataUrl, metadataCertificate };
      const set = Object.entries(options).filter(([, value]) => value !== undefined);
      return validateServiceProviderRegistration({ ...display, ...Object.fromEntries(set) });
    });
  try {
    const certificate = signers === undefined ? undefined : await readFile(signers, 'utf8');
    read({ name: '-' }, certificate); // validates the options before the request; `name` is a placeholder, because the metadata may contain the name
    const xml =
      metadataUrl === undefined ? await readFile(source, 'utf8') : await fetchSamlMetadata(source, privateToo);
    const { display } = readServiceProviderMetadata(xml, certificate);
    const { logo = named.logo, ...registration } = read(display, certificate);
    const metadata = readValidServiceProviderMetadata(registration, xml, { now, loopback });
    const { entityId, assertionConsumers, signingCertificates: signing, encryptionCertificate: encryption } = metadata;
    if ((await clients.find(registration.id)) !== null)
      throw new Error(`${registration.id} is an application of OIDC: choose another id`);
    const logoProblem = await storeApplicationLogo(logos, logo).then(
      () => null,
      (error: unknown) => {
        if (named.logo !== undefined) throw error;
        return describeError(error);
      },
    );
    const shown = logo === undefined || logoProblem !== null ? registration : { ...registration, logo };
    await providers.add(shown, xml, now);
    return [
      `${registration.id} is registered: ${entityId}`,
      `answers go to ${assertionConsumers.map(({ location }) => location).join(' ')}`,
      canOmitSamlSignature({ registration: shown, metadata })
        ? 'its requests may be unsigned'
        : 'its requests must be signed',
      encryption === null ? 'assertions are not encrypted' : 'assertions are encrypted',
      ...(logoProblem === null ? [] : [`warning: ${logoProblem}`]),
      ...(registration.profile === 'saml2int' ? listMetadataWarnings(metadata) : []),
      ...listKeyWarnings([...signing, ...(encryption === null ? [] : [encryption])]),
    ].join('; ');
  } catch (cause) {
    throw cause instanceof UsageError ? cause : new CommandError(describeError(cause), { cause });
  }
}

/** Warns if the metadata lacks a name, a logo, a privacy link or a technical contact (saml2int, SDP-MD09, SDP-MD11). */
function listMetadataWarnings({ display, contact }: ServiceProviderMetadata): readonly string[] {
  const gaps = (['name', 'logo', 'privacy'] as const).filter((key) => display[key] === undefined);
  const all = [...gaps, ...(contact === null ? ['technical contact'] : [])];
  return all.length === 0 ? [] : [`warning: saml2int requires more of its metadata: ${all.join(', ')}`];
}

/** Warns if a key is shorter than the recommended `minRsaBits`. Keys below 2,048 bits have already been rejected. */
function listKeyWarnings(certificates: readonly string[]): readonly string[] {
  const least = findShortestRsaKeyBits(certificates);
  return least < minRsaBits ? [`warning: a key has ${least} bits, ask for one of ${minRsaBits}`] : [];
}

export async function storeApplicationLogo(logos: LogoStore, logo: string | undefined): Promise<void> {
  if (logo === undefined) return;
  await logos.take(logo).catch((cause: unknown) => {
    throw new CommandError(`The logo at ${logo} cannot be used: ${describeError(cause)}.`, { cause });
  });
}
