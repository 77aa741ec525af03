import type { Clock } from '../../../platform/base/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { IdentityProvider } from '../../../platform/config/identity-providers.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import { type Adapter, providerAddress, UpstreamFailed, UpstreamRefused } from './adapter.ts';
import { oidcAdapter } from './oidc-adapter.ts';
import { StartError } from '../../../platform/base/errors.ts';
import type { Saml } from '../saml/open-saml.ts';
import { SamlError, deflate, bindings, nameIdFormats, ns } from '../saml/names.ts';
import { consumerMetadata, isExpired, readProviderMetadata, type ProviderMetadata } from '../saml/metadata.ts';
import { createProviderSignIns } from './sign-ins.ts';
import { newId, timeText } from '../saml/response.ts';
import { signQuery } from '../saml/signature.ts';
import { escapeXml } from '../saml/xml.ts';
import { readResponse, type Expected } from './read-response.ts';

export interface Upstream {
  readonly entry: IdentityProvider;
  readonly adapter: Adapter;
}

export type Upstreams = ReturnType<typeof openUpstreams>;

/** Creates the adapters. They send no request to a provider before the first sign-in. */
export function openUpstreams(parts: {
  readonly config: Config;
  readonly clock: Clock;
  readonly store: Store;
  readonly vault: Vault;
  readonly saml: Pick<Saml, 'credentials' | 'decryption'>;
}) {
  const { config } = parts;
  assertDistinct(config.identityProviders);
  const known = new Map(
    config.identityProviders.map((entry) => [entry.identificador, { entry, adapter: createAdapter(entry, parts) }]),
  );
  return {
    find: (id: string): Upstream | null => known.get(id) ?? null,
    /** Returns our service provider metadata for a SAML identity provider. Returns `null` if there is no such provider. */
    metadata(id: string): string | null {
      if (known.get(id)?.entry.saml === undefined) return null;
      return consumerMetadata(ownNames(config, id), {
        signing: parts.saml.credentials(),
        decryption: parts.saml.decryption.credentials()[0],
      });
    },
    signIns: createProviderSignIns(parts),
  };
}

/** Throws a `StartError` if two entries have the same issuer or entity ID: they are the same provider, but could have different levels. */
function assertDistinct(entries: readonly IdentityProvider[]): void {
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

function ownNames({ baseUrl }: Config, id: string): { readonly entityId: string; readonly consumer: string } {
  return {
    entityId: providerAddress('metadata', baseUrl, id),
    consumer: providerAddress('consumer', baseUrl, id),
  };
}

function createAdapter(
  entry: IdentityProvider,
  { config, clock, saml }: { config: Config; clock: Clock; saml: Pick<Saml, 'credentials' | 'decryption'> },
): Adapter {
  const { identificador: id, saml: own } = entry;
  if (own === undefined) return oidcAdapter(entry, { config, clock });
  const { entityId: audience, consumer } = ownNames(config, id);
  return samlAdapter({ provider: parseMetadata(id, own), audience, consumer, saml, clock });
}

function parseMetadata(id: string, { metadata }: { readonly metadata: string }): ProviderMetadata {
  try {
    return readProviderMetadata(metadata);
  } catch (cause) {
    if (!(cause instanceof SamlError)) throw cause;
    throw new StartError(`The metadata of ${id} in IDPS_FILE cannot be used: ${cause.message}`, { cause });
  }
}

type SamlOptions = Omit<Expected, 'inResponseTo' | 'decryptionKeys'> & {
  readonly saml: Pick<Saml, 'credentials' | 'decryption'>;
};

/** Creates the adapter for SAML, with signed requests and signed responses. RelayState contains the state. */
function samlAdapter(options: SamlOptions): Adapter {
  const { provider, consumer, audience, saml, clock } = options;
  const checkMetadata = (): void => {
    if (isExpired(provider, clock.now())) throw new UpstreamFailed('its metadata are out of date');
  };
  return {
    async begin(state, maxAgeS) {
      checkMetadata();
      const id = newId();
      const xml = [
        `<samlp:AuthnRequest xmlns:samlp="${ns.protocol}" xmlns:saml="${ns.assertion}" ID="${id}" Version="2.0" IssueInstant="${timeText(clock.now())}"`,
        ` Destination="${escapeXml(provider.signOn)}" AssertionConsumerServiceURL="${escapeXml(consumer)}" ProtocolBinding="${bindings.post}"${maxAgeS === null ? '' : ' ForceAuthn="true"'}>`, // `ForceAuthn` requires a new sign-in for any `maxAgeS`, because SAML has no equivalent of `max_age`
        `<saml:Issuer>${escapeXml(audience)}</saml:Issuer>`,
        `<samlp:NameIDPolicy Format="${nameIdFormats.persistent}" AllowCreate="true"/>`,
        '</samlp:AuthnRequest>',
      ].join('');
      const query = await signQuery(
        { name: 'SAMLRequest', message: deflate(xml), relayState: state },
        saml.credentials()[0],
      );
      const separator = provider.signOn.includes('?') ? '&' : '?';
      return { location: `${provider.signOn}${separator}${query}`, kept: { id } };
    },
    async finish(answer, { id = '' }) {
      checkMetadata();
      const message = answer.binding === 'form' ? answer.fields['SAMLResponse'] : undefined;
      if (message === undefined) throw new UpstreamRefused('there is no SAMLResponse');
      try {
        const decryptionKeys = saml.decryption.keys();
        return await readResponse(message, { ...options, decryptionKeys, inResponseTo: id });
      } catch (cause) {
        if (!(cause instanceof SamlError)) throw cause;
        throw new UpstreamRefused(cause.message, { cause });
      }
    },
  };
}
