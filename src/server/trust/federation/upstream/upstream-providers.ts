import type { Clock } from '../../../platform/base/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { IdentityProvider } from '../../../platform/config/identity-providers.ts';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import {
  type UpstreamAdapter,
  buildIdentityProviderUrl,
  UpstreamFailedError,
  UpstreamRefusedError,
} from './upstream-adapter.ts';
import { createUpstreamOidcAdapter } from './oidc-adapter.ts';
import { StartError } from '../../../platform/base/errors.ts';
import type { SamlProvider } from '../saml/open-saml.ts';
import { SamlError, samlBindings, nameIdFormats, samlNamespaces } from '../saml/saml-constants.ts';
import {
  writeServiceProviderMetadata,
  isMetadataExpired,
  readIdentityProviderMetadata,
  type IdentityProviderMetadata,
} from '../saml/metadata.ts';
import { createProviderSignInStore } from './provider-sign-ins.ts';
import { generateSamlMessageId, formatXmlTime } from '../saml/saml-response.ts';
import { buildSamlRedirectUrl } from '../saml/bindings.ts';
import { escapeXml } from '../saml/xml.ts';
import { readSamlResponse, type ExpectedSamlResponse } from './read-saml-response.ts';

export interface UpstreamProvider {
  readonly entry: IdentityProvider;
  readonly adapter: UpstreamAdapter;
}

export type UpstreamProviders = ReturnType<typeof createUpstreamProviders>;

/** Creates the adapters of the configured identity providers. An adapter sends no request to its provider before the first sign-in. */
export function createUpstreamProviders(parts: {
  readonly config: Config;
  readonly clock: Clock;
  readonly store: DatabaseStore;
  readonly vault: Vault;
  readonly saml: Pick<SamlProvider, 'credentials' | 'decryption'>;
}) {
  const { config } = parts;
  assertDistinctProviders(config.identityProviders);
  const createAdapter = (entry: IdentityProvider): UpstreamAdapter => {
    const { identificador: id, saml: own } = entry;
    if (own === undefined) return createUpstreamOidcAdapter(entry, parts);
    const { entityId: audience, consumer } = buildServiceProviderNames(config, id);
    return createSamlAdapter({ ...parts, provider: parseMetadata(id, own), audience, consumer });
  };
  const known = new Map(
    config.identityProviders.map((entry) => [entry.identificador, { entry, adapter: createAdapter(entry) }]),
  );
  return {
    find: (id: string): UpstreamProvider | null => known.get(id) ?? null,
    /** Returns the portal's service provider metadata for a SAML identity provider. */
    metadata(id: string): string | null {
      if (known.get(id)?.entry.saml === undefined) return null;
      return writeServiceProviderMetadata(buildServiceProviderNames(config, id), {
        signing: parts.saml.credentials(),
        decryption: parts.saml.decryption.credentials()[0],
      });
    },
    signIns: createProviderSignInStore(parts),
  };
}

/** Throws a `StartError` if two entries have the same issuer or entity ID, because they would be the same provider with possibly different levels. */
function assertDistinctProviders(entries: readonly IdentityProvider[]): void {
  const known = new Map<string, string>();
  for (const { identificador: id, oidc, saml } of entries) {
    const name = (saml === undefined ? (oidc?.issuer ?? '') : parseMetadata(id, saml).entityId).replace(/\/+$/, '');
    const other = known.get(name);
    if (other !== undefined)
      throw new StartError(
        `${other} and ${id} of IDPS_FILE are one provider: both are ${name}. Leave one of them out.`,
      );
    known.set(name, id);
  }
}

function buildServiceProviderNames({ baseUrl }: Config, id: string) {
  return {
    entityId: buildIdentityProviderUrl('metadata', baseUrl, id),
    consumer: buildIdentityProviderUrl('consumer', baseUrl, id),
  };
}

function parseMetadata(id: string, { metadata }: { readonly metadata: string }): IdentityProviderMetadata {
  try {
    return readIdentityProviderMetadata(metadata);
  } catch (cause) {
    if (!(cause instanceof SamlError)) throw cause;
    throw new StartError(`The metadata of ${id} in IDPS_FILE cannot be used: ${cause.message}`, { cause });
  }
}

type SamlOptions = Omit<ExpectedSamlResponse, 'inResponseTo' | 'decryptionKeys'> & {
  readonly saml: Pick<SamlProvider, 'credentials' | 'decryption'>;
};

function createSamlAdapter(options: SamlOptions): UpstreamAdapter {
  const { provider, consumer, audience, saml, clock } = options;
  const checkMetadata = (): void => {
    if (isMetadataExpired(provider, clock.now())) throw new UpstreamFailedError('its metadata are out of date');
  };
  return {
    async beginSignIn(state, maxAgeS) {
      checkMetadata();
      const id = generateSamlMessageId();
      const xml = [
        `<samlp:AuthnRequest xmlns:samlp="${samlNamespaces.protocol}" xmlns:saml="${samlNamespaces.assertion}" ID="${id}" Version="2.0" IssueInstant="${formatXmlTime(clock.now())}"`,
        ` Destination="${escapeXml(provider.signOn)}" AssertionConsumerServiceURL="${escapeXml(consumer)}" ProtocolBinding="${samlBindings.post}"${maxAgeS === null ? '' : ' ForceAuthn="true"'}>`, // `ForceAuthn` requires a new sign-in for any `maxAgeS`, because SAML has no equivalent of `max_age`
        `<saml:Issuer>${escapeXml(audience)}</saml:Issuer>`,
        `<samlp:NameIDPolicy Format="${nameIdFormats.persistent}" AllowCreate="true"/>`,
        '</samlp:AuthnRequest>',
      ].join('');
      const message = { name: 'SAMLRequest', xml, relayState: state } as const;
      return { location: await buildSamlRedirectUrl(provider.signOn, message, saml.credentials()[0]), kept: { id } };
    },
    async finishSignIn(answer, { id = '' }) {
      checkMetadata();
      const message = answer.binding === 'form' ? answer.fields['SAMLResponse'] : undefined;
      if (message === undefined) throw new UpstreamRefusedError('the request has no SAMLResponse');
      try {
        const decryptionKeys = saml.decryption.keys();
        return await readSamlResponse(message, { ...options, decryptionKeys, inResponseTo: id });
      } catch (cause) {
        if (!(cause instanceof SamlError)) throw cause;
        throw new UpstreamRefusedError(cause.message, { cause });
      }
    },
  };
}
