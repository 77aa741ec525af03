import type { Clock } from '../../../platform/base/clock.ts';
import { deflate } from '../saml/bindings.ts';
import { bindings, nameIdFormats, ns } from '../saml/names.ts';
import { newId, timeText } from '../saml/response.ts';
import { SamlError } from '../saml/saml-error.ts';
import { signQuery, type Credentials } from '../saml/signature.ts';
import { escapeXml } from '../saml/xml.ts';
import type { Adapter } from './adapter.ts';
import { readResponse } from './read-response.ts';
import type { ProviderMetadata } from './saml-metadata.ts';
import { UpstreamFailed, UpstreamRefused } from './upstream-error.ts';

export interface SamlOptions {
  readonly provider: ProviderMetadata;
  readonly audience: string;
  readonly consumer: string;
  readonly credentials: Credentials;
  readonly clock: Clock;
}

/** Sign-in with signed requests and signed responses. RelayState carries the state. */
export function samlAdapter(options: SamlOptions): Adapter {
  const { provider, consumer, audience, credentials, clock } = options;
  const checkMetadata = (): void => {
    if (provider.validUntil !== null && provider.validUntil <= clock.now())
      throw new UpstreamFailed('its metadata are out of date');
  };
  return {
    async begin(state, maxAgeS) {
      checkMetadata();
      const id = newId();
      const xml = [
        `<samlp:AuthnRequest xmlns:samlp="${ns.protocol}" xmlns:saml="${ns.assertion}" ID="${id}" Version="2.0" IssueInstant="${timeText(clock.now())}"`,
        ` Destination="${escapeXml(provider.signOn)}" AssertionConsumerServiceURL="${escapeXml(consumer)}" ProtocolBinding="${bindings.post}"${maxAgeS === null ? '' : ' ForceAuthn="true"'}>`, // SAML has no equivalent of `max_age`
        `<saml:Issuer>${escapeXml(audience)}</saml:Issuer>`,
        `<samlp:NameIDPolicy Format="${nameIdFormats.persistent}" AllowCreate="true"/>`,
        '</samlp:AuthnRequest>',
      ].join('');
      const query = signQuery({ name: 'SAMLRequest', message: deflate(xml), relayState: state }, credentials()[0]);
      const separator = provider.signOn.includes('?') ? '&' : '?';
      return { location: `${provider.signOn}${separator}${query}`, kept: { id } };
    },
    async finish(answer, { id = '' }) {
      checkMetadata();
      const message = answer.binding === 'form' ? answer.fields['SAMLResponse'] : undefined;
      if (message === undefined) throw new UpstreamRefused('there is no SAMLResponse');
      try {
        return await readResponse(message, { ...options, credentials: credentials(), inResponseTo: id });
      } catch (cause) {
        if (!(cause instanceof SamlError)) throw cause;
        throw new UpstreamRefused(cause.message, { cause });
      }
    },
  };
}
