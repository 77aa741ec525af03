import { describe, expect, test } from 'vitest';
import { readServiceProviderMetadata } from '../../../../src/server/trust/federation/saml/metadata.ts';
import { issueCertificate, encodePem, type algorithms } from '../../support/certificates.ts';

const post = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const consumer = (location: string, attributes = 'index="0"', binding = post): string =>
  `<AssertionConsumerService ${attributes} Binding="${binding}" Location="${location}"/>`;
const entity = (content: string, { attributes = 'entityID="https://sp.example/m"', role = '' } = {}): string =>
  `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" ${attributes}><SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" ${role}>${content}</SPSSODescriptor></EntityDescriptor>`;
const acs = consumer('https://sp.example/acs');
const key = (certificate: string, use = ''): string =>
  `<KeyDescriptor ${use}><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate.replace(/-----[A-Z ]+-----/g, '')}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`;
const certificate = async (algorithm: keyof typeof algorithms = 'rsa2048'): Promise<string> =>
  encodePem(await issueCertificate(new Date(), { algorithm })).trim();

describe('[FED-01] readServiceProviderMetadata', () => {
  test('reads minimal metadata with default values', () => {
    expect(readServiceProviderMetadata(entity(acs))).toEqual({
      entityId: 'https://sp.example/m',
      assertionConsumers: [{ index: 0, location: 'https://sp.example/acs' }],
      logout: null,
      soapLogout: null,
      requestsSigned: null,
      signingCertificates: [],
      encryptionCertificate: null,
      nameIdFormats: [],
      attributeSets: [],
      subjectId: null,
      validUntil: null,
      hasValidUntil: false,
      cacheS: null,
      display: {},
      contact: null,
    });
  });

  test('reads keys by their use, and uses a key without a use for both', async () => {
    const [both, sign, seal] = await Promise.all([certificate(), certificate(), certificate()]);
    const content = key(both) + key(sign, 'use="signing"') + key(seal, 'use="encryption"') + acs;
    const { signingCertificates: signing, encryptionCertificate: encryption } = readServiceProviderMetadata(
      entity(content),
    );
    expect(signing.map((pem) => pem.trim())).toEqual([sign, both]);
    expect(encryption?.trim()).toBe(seal);
    expect(readServiceProviderMetadata(entity(key(both) + acs)).encryptionCertificate?.trim()).toBe(both);
  });

  test('orders consumers: the default, then those without isDefault, then those with isDefault="false"', () => {
    const content =
      consumer('https://sp.example/no', 'index="0" isDefault="false"') +
      consumer('https://sp.example/silent', 'index="1"') +
      consumer('https://sp.example/yes', 'index="2" isDefault="true"');
    expect(readServiceProviderMetadata(entity(content)).assertionConsumers.map(({ index }) => index)).toEqual([
      2, 1, 0,
    ]);
  });

  test('prefers logout by redirect, and reads its ResponseLocation', () => {
    const slo = (binding: string, location: string) => `<SingleLogoutService Binding="${binding}" ${location}/>`;
    const byPost = slo(post, 'Location="https://sp.example/slo-post"');
    const byRedirect = slo(redirect, 'Location="https://sp.example/slo" ResponseLocation="https://sp.example/slo/fin"');
    expect(readServiceProviderMetadata(entity(byPost + byRedirect + acs)).logout).toEqual({
      binding: 'redirect',
      location: 'https://sp.example/slo',
      responseLocation: 'https://sp.example/slo/fin',
    });
    expect(readServiceProviderMetadata(entity(byPost + acs)).logout).toEqual({
      binding: 'post',
      location: 'https://sp.example/slo-post',
      responseLocation: 'https://sp.example/slo-post',
    });
  });

  test('reads attribute sets, NameID formats and validUntil', () => {
    const content =
      '<NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</NameIDFormat>' +
      acs +
      '<AttributeConsumingService index="3"><ServiceName xml:lang="es">x</ServiceName><RequestedAttribute Name="uid"/><RequestedAttribute Name="rid"/></AttributeConsumingService>';
    expect(readServiceProviderMetadata(entity(content, { role: 'validUntil="2030-01-02T03:04:05Z"' }))).toMatchObject({
      nameIdFormats: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
      attributeSets: [{ index: 3, names: ['uid', 'rid'] }],
      validUntil: new Date('2030-01-02T03:04:05Z'),
    });
  });

  test.each([
    ['EntityDescriptor', '2030-01-02T03:04:05Z', '2031-01-02T03:04:05Z'],
    ['SPSSODescriptor', '2031-01-02T03:04:05Z', '2030-01-02T03:04:05Z'],
  ])('uses the validUntil of the %s if it is earlier', (_, whole, role) => {
    const xml = entity(acs, { role: `validUntil="${role}"` }).replace(
      '<EntityDescriptor',
      `<EntityDescriptor validUntil="${whole}"`,
    );
    expect(readServiceProviderMetadata(xml).validUntil).toEqual(new Date('2030-01-02T03:04:05Z'));
  });

  test.each([
    ['an empty text', '', /empty|malformed/],
    ['a text that is not XML', 'hola', /empty|malformed/],
    ['truncated XML', entity(acs).slice(0, -5), /malformed/],
    ['a document type', `<!DOCTYPE x>${entity(acs)}`, /document type/],
    ['another root element', '<a/>', /not an EntityDescriptor/],
    ['no entityID', entity(acs, { attributes: '' }), /no entityID/],
    ['no SPSSODescriptor', entity(acs).replaceAll('SPSSODescriptor', 'IDPSSODescriptor'), /no service provider/],
    ['no consumer URL', entity(''), /takes a POST/],
    [
      'no consumer URL with the POST binding',
      entity(consumer('https://sp.example/', 'index="0"', redirect)),
      /takes a POST/,
    ],
    ['a javascript consumer URL', entity(consumer('javascript:alert(1)')), /no address of https/],
    ['a consumer URL without TLS', entity(consumer('http://sp.example/acs')), /no address of https/],
    ['a consumer URL with a password', entity(consumer('https://a:b@sp.example/')), /no address of https/],
    ['a consumer URL with a fragment', entity(consumer('https://sp.example/#x')), /no address of https/],
    ...['&#13;&#10;X: 1', '&#9;', ' ', 'ñ'].map((text): [string, string, RegExp] => [
      `a consumer URL with ${text}`,
      entity(consumer(`https://sp.example/${text}`)),
      /no address of https/,
    ]),
    ['a consumer without an index', entity(consumer('https://sp.example/', '')), /no index/],
    ['two consumers with the same index', entity(acs + acs), /one index/],
    [
      'an isDefault that is not a boolean',
      entity(consumer('https://sp.example/', 'index="0" isDefault="si"')),
      /no boolean/,
    ],
    ['a malformed certificate', entity(key('AAAA') + acs), /certificate of the metadata/],
    ...['P', 'PT', '-PT1H', 'PT1H1D', '3600'].map((text): [string, string, RegExp] => [
      `a cacheDuration of ${text}`,
      entity(acs, { attributes: `entityID="https://sp.example/m" cacheDuration="${text}"` }),
      /no duration/,
    ]),
    ['an invalid validUntil', entity(acs, { role: 'validUntil="mañana"' }), /no time/],
  ])('rejects %s with an explanation', (_, xml, sentence) => {
    expect(() => readServiceProviderMetadata(xml)).toThrow(sentence);
  });

  test('rejects an RSA key of 1024 bits', async () => {
    const weak = await certificate('rsa1024');
    expect(() => readServiceProviderMetadata(entity(key(weak) + acs))).toThrow('2048 bits');
  });

  test('[SEC-07] accepts a NIST curve key for signing, and not for encryption', async () => {
    const [ec, rsa] = await Promise.all([certificate('p256'), certificate()]);
    const { signingCertificates: signing, encryptionCertificate: encryption } = readServiceProviderMetadata(
      entity(key(ec) + key(rsa) + acs),
    );
    expect([signing.map((pem) => pem.trim()), encryption?.trim()]).toEqual([[ec, rsa], rsa]);
    expect(readServiceProviderMetadata(entity(key(ec) + acs)).encryptionCertificate).toBeNull();
    const only = key(rsa, 'use="signing"') + key(ec, 'use="encryption"') + acs;
    expect(() => readServiceProviderMetadata(entity(only)), 'encryption only with RSA keys').toThrow(
      'no RSA key for encryption',
    );
    const odd = key(encodePem(await issueCertificate(new Date(), { algorithm: 'ed25519' })));
    expect(() => readServiceProviderMetadata(entity(odd + acs))).toThrow('nor a key on a NIST curve');
  });

  test('[SEC-07] reads the Spanish name, an https logo, links and the technical contact', () => {
    const ui = (content: string): string =>
      `<Extensions><mdui:UIInfo xmlns:mdui="urn:oasis:names:tc:SAML:metadata:ui">${content}</mdui:UIInfo></Extensions>`;
    const info = ui(
      '<mdui:DisplayName xml:lang="en">Taxes</mdui:DisplayName><mdui:DisplayName xml:lang="es">Impuestos</mdui:DisplayName>' +
        '<mdui:Logo height="1" width="1">data:image/png;base64,AA</mdui:Logo><mdui:Logo height="1" width="1">https://sp.example/l.png</mdui:Logo>' +
        '<mdui:PrivacyStatementURL xml:lang="pt">https://sp.example/p</mdui:PrivacyStatementURL>',
    );
    const organization =
      '<Organization><OrganizationName xml:lang="es">DGI</OrganizationName><OrganizationDisplayName xml:lang="es">DGI</OrganizationDisplayName><OrganizationURL xml:lang="es">https://dgi.example/</OrganizationURL></Organization>';
    const person = (type: string, address: string): string =>
      `<ContactPerson contactType="${type}"><EmailAddress>${address}</EmailAddress></ContactPerson>`;
    const end = `</SPSSODescriptor>${organization}${person('support', 'mailto:s@sp.example')}${person('technical', 'mailto:t@sp.example')}`;
    expect(readServiceProviderMetadata(entity(info + acs).replace('</SPSSODescriptor>', end))).toMatchObject({
      display: {
        name: 'Impuestos',
        logo: 'https://sp.example/l.png',
        privacy: 'https://sp.example/p',
        website: 'https://dgi.example/',
      },
      contact: 't@sp.example',
    });
  });

  test.each([
    ['PT1H', 3_600],
    ['P1DT0.5S', 86_400],
    ['P1Y2M3DT4H5M6S', 36_993_906],
  ])('[SEC-07] reads the cacheDuration %s', (text, seconds) => {
    const xml = entity(acs, { attributes: `entityID="https://sp.example/m" cacheDuration="${text}"` });
    expect(readServiceProviderMetadata(xml).cacheS).toBe(seconds);
  });

  test('accepts plain http on a loopback address', () => {
    expect(
      readServiceProviderMetadata(entity(consumer('http://127.0.0.1:4000/acs'))).assertionConsumers[0].location,
    ).toBe('http://127.0.0.1:4000/acs');
  });
});
