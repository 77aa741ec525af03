import { describe, expect, test } from 'vitest';
import { readServiceMetadata } from '../../../../src/server/trust/federation/saml/metadata.ts';
import { issue, pemOf } from '../../support/certificates.ts';

const post = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const consumer = (location: string, attributes = 'index="0"', binding = post): string =>
  `<AssertionConsumerService ${attributes} Binding="${binding}" Location="${location}"/>`;
const entity = (content: string, { attributes = 'entityID="https://sp.example/m"', role = '' } = {}): string =>
  `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" ${attributes}><SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" ${role}>${content}</SPSSODescriptor></EntityDescriptor>`;
const acs = consumer('https://sp.example/acs');
const key = (certificate: string, use = ''): string =>
  `<KeyDescriptor ${use}><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate.replace(/-----[A-Z ]+-----/g, '')}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`;
const certificate = async (algorithm: 'rsa2048' | 'rsa1024' | 'p256' = 'rsa2048'): Promise<string> =>
  pemOf(await issue(new Date(), { algorithm })).trim();

describe('[FED-01] metadata of service providers', () => {
  test('the least that there must be', () => {
    expect(readServiceMetadata(entity(acs))).toEqual({
      entityId: 'https://sp.example/m',
      consumers: [{ index: 0, location: 'https://sp.example/acs' }],
      logout: null,
      soapLogout: null,
      signing: [],
      encryption: null,
      nameIdFormats: [],
      attributeSets: [],
      validUntil: null,
    });
  });

  test('keys by their use: one that names none is for both', async () => {
    const [both, sign, seal] = await Promise.all([certificate(), certificate(), certificate()]);
    const content = key(both) + key(sign, 'use="signing"') + key(seal, 'use="encryption"') + acs;
    const { signing, encryption } = readServiceMetadata(entity(content));
    expect(signing.map((pem) => pem.trim())).toEqual([sign, both]);
    expect(encryption?.trim()).toBe(seal);
    expect(readServiceMetadata(entity(key(both) + acs)).encryption?.trim()).toBe(both);
  });

  test('the default address comes first: who says so, else who does not say no', () => {
    const content =
      consumer('https://sp.example/no', 'index="0" isDefault="false"') +
      consumer('https://sp.example/silent', 'index="1"') +
      consumer('https://sp.example/yes', 'index="2" isDefault="true"');
    expect(readServiceMetadata(entity(content)).consumers.map(({ index }) => index)).toEqual([2, 1, 0]);
  });

  test('a logout by redirect is preferred, and its answers may go elsewhere', () => {
    const slo = (binding: string, location: string) => `<SingleLogoutService Binding="${binding}" ${location}/>`;
    const byPost = slo(post, 'Location="https://sp.example/slo-post"');
    const byRedirect = slo(redirect, 'Location="https://sp.example/slo" ResponseLocation="https://sp.example/slo/fin"');
    expect(readServiceMetadata(entity(byPost + byRedirect + acs)).logout).toEqual({
      binding: 'redirect',
      location: 'https://sp.example/slo',
      responseLocation: 'https://sp.example/slo/fin',
    });
    expect(readServiceMetadata(entity(byPost + acs)).logout).toEqual({
      binding: 'post',
      location: 'https://sp.example/slo-post',
      responseLocation: 'https://sp.example/slo-post',
    });
  });

  test('sets of attributes, formats of names and the end of validity', () => {
    const content =
      '<NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</NameIDFormat>' +
      acs +
      '<AttributeConsumingService index="3"><ServiceName xml:lang="es">x</ServiceName><RequestedAttribute Name="uid"/><RequestedAttribute Name="rid"/></AttributeConsumingService>';
    expect(readServiceMetadata(entity(content, { role: 'validUntil="2030-01-02T03:04:05Z"' }))).toMatchObject({
      nameIdFormats: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
      attributeSets: [{ index: 3, names: ['uid', 'rid'] }],
      validUntil: new Date('2030-01-02T03:04:05Z'),
    });
  });

  test.each([
    ['the whole', '2030-01-02T03:04:05Z', '2031-01-02T03:04:05Z'],
    ['the role', '2031-01-02T03:04:05Z', '2030-01-02T03:04:05Z'],
  ])('end with %s, where that ends first', (_, whole, role) => {
    const xml = entity(acs, { role: `validUntil="${role}"` }).replace(
      '<EntityDescriptor',
      `<EntityDescriptor validUntil="${whole}"`,
    );
    expect(readServiceMetadata(xml).validUntil).toEqual(new Date('2030-01-02T03:04:05Z'));
  });

  test.each([
    ['nothing', '', /empty|malformed/],
    ['no XML', 'hola', /empty|malformed/],
    ['XML that does not end', entity(acs).slice(0, -5), /malformed/],
    ['a document type', `<!DOCTYPE x>${entity(acs)}`, /document type/],
    ['another element', '<a/>', /no EntityDescriptor/],
    ['no name', entity(acs, { attributes: '' }), /no entityID/],
    ['no service provider', entity(acs).replaceAll('SPSSODescriptor', 'IDPSSODescriptor'), /no service provider/],
    ['no address', entity(''), /takes a POST/],
    ['no address that takes a POST', entity(consumer('https://sp.example/', 'index="0"', redirect)), /takes a POST/],
    ['a script for an address', entity(consumer('javascript:alert(1)')), /no address of https/],
    ['an address without TLS', entity(consumer('http://sp.example/acs')), /no address of https/],
    ['an address with a password', entity(consumer('https://a:b@sp.example/')), /no address of https/],
    ['an address with a fragment', entity(consumer('https://sp.example/#x')), /no address of https/],
    ['no index', entity(consumer('https://sp.example/', '')), /no index/],
    ['one index twice', entity(acs + acs), /one index/],
    ['a default that is no boolean', entity(consumer('https://sp.example/', 'index="0" isDefault="si"')), /no boolean/],
    ['a malformed certificate', entity(key('AAAA') + acs), /certificate of the metadata/],
    ['an end of validity that is no time', entity(acs, { role: 'validUntil="mañana"' }), /no time/],
  ])('%s is refused with a sentence', (_, xml, sentence) => {
    expect(() => readServiceMetadata(xml)).toThrow(sentence);
  });

  test.each(['rsa1024', 'p256'] as const)('a key of %s is refused', async (algorithm) => {
    const weak = await certificate(algorithm);
    expect(() => readServiceMetadata(entity(key(weak) + acs))).toThrow(/2048 bits|no RSA key/);
  });

  test('plain http on this very machine is for those who develop', () => {
    expect(readServiceMetadata(entity(consumer('http://127.0.0.1:4000/acs'))).consumers[0].location).toBe(
      'http://127.0.0.1:4000/acs',
    );
  });
});
