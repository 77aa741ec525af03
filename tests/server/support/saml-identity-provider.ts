import { inflateRawSync } from 'node:zlib';
import { generateSamlCredential } from '../../../src/server/trust/federation/saml/open-saml.ts';
import {
  writeSamlResponse,
  type SamlResponseEnvelope,
  type AssertionStatement,
} from '../../../src/server/trust/federation/saml/saml-response.ts';

/** A SAML identity provider whose responses the test controls. */
export interface TestSamlProvider {
  readonly entityId: string;
  readonly metadata: string;
  readonly credential: Awaited<ReturnType<typeof generateSamlCredential>>;
  /** Returns the response to the authentication request in `location`, with its RelayState. */
  respond(
    location: string,
    changes?: { frame?: Partial<SamlResponseEnvelope>; statement?: Partial<AssertionStatement> },
  ): Promise<{ xml: string; action: string; relayState: string; requestId: string }>;
}

export async function createSamlProvider(entityId: string): Promise<TestSamlProvider> {
  const credential = await generateSamlCredential('idp.example');
  const base64 = credential.certificate.replace(/-----[A-Z ]+-----|\s/g, '');
  return {
    entityId,
    credential,
    metadata: `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example/sso"/></md:IDPSSODescriptor></md:EntityDescriptor>`,
    async respond(location, { frame = {}, statement = {} } = {}) {
      const { searchParams } = new URL(location);
      const request = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
      const read = (pattern: RegExp): string => pattern.exec(request)?.[1] ?? '';
      const action = read(/AssertionConsumerServiceURL="([^"]*)"/);
      const requestId = read(/ ID="([^"]*)"/);
      const now = new Date();
      const xml = await writeSamlResponse(
        {
          issuer: entityId,
          audience: read(/<saml:Issuer>([^<]*)</),
          consumer: action,
          inResponseTo: requestId,
          now,
          credential,
          encryption: null,
          ...frame,
        },
        {
          nameId: { value: 'p-1', format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' },
          sessionIndex: 's',
          contextClass: 'substantial',
          signedInAt: now,
          sessionEndsAt: new Date(now.getTime() + 3_600_000),
          attributes: [
            ['document', '45123784'],
            ['given_name', 'Ana'],
            ['family_name', 'Pereira'],
          ],
          ...statement,
        },
      );
      return { xml, action, relayState: searchParams.get('RelayState') ?? '', requestId };
    },
  };
}
