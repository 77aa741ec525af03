import { createPrivateKey } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseXml } from '../../../../src/server/trust/federation/saml/xml.ts';
import { createLocalSigner } from '../../../../src/server/platform/keys/jws-signer.ts';
import { signXmlElement, verifyXmlSignature } from '../../../../src/server/trust/federation/saml/xml-signature.ts';
import {
  xmlMessageLimits,
  findXmlProblem,
  type XmlLimits,
} from '../../../../src/server/trust/federation/xml/xml-limits.ts';
import { issueCertificate, encodePem, encodePrivateKey } from '../../support/certificates.ts';
import { wrapInMessage } from '../../support/worst-xml.ts';

const few: XmlLimits = { length: 1_000, nodes: 10, depth: 3, names: 4, attributes: 2, namespaces: 2 };

describe('[FED-01] findXmlProblem', () => {
  test.each([
    ['an element', '<a/>'],
    ['the maximum number of nodes', '<a><b c="1">x</b><b d=\'2\'/><!-- < --><?p <?></a>'],
    ['a CDATA section with tags', '<a><![CDATA[<b><c><d><e>]]></a>'],
    ['a declaration, prefixes and white space', '<?xml version="1.0"?>\n<p:a xmlns:p = "u" >\n</p:a >'],
    ['non-ASCII names', '<año/>'],
    ['character references', '<a>&#9;&#x1F600;&amp;&#xe1;</a>'],
  ])('accepts %s', (_, xml) => {
    expect(findXmlProblem(xml, few)).toBeNull();
  });

  test.each([
    ['a text that is too long', `<a>${'x'.repeat(1_000)}</a>`, 'too long'],
    ['too many elements', `<a>${'<b/>'.repeat(10)}</a>`, 'too many nodes'],
    ['too many text nodes', `<a>${'<b/>x'.repeat(5)}</a>`, 'too many nodes'],
    ['too many comments', `<a>${'<!---->'.repeat(10)}</a>`, 'too many nodes'],
    ['too many attributes in total', `<a>${'<b c="" d=""/>'.repeat(4)}</a>`, 'too many nodes'],
    ['too many attributes of one element', '<a b="" c="" d=""/>', 'too many attributes'],
    ['too many levels', '<a><a><a><a></a></a></a></a>', 'too many levels'],
    ['too many names', '<a><b/><c/><d/><e/></a>', 'too many names'],
    ['too many namespaces', '<a xmlns="u" xmlns:b="u"><c xmlns:d="u"/></a>', 'too many namespaces'],
    ['a document type', '<!DOCTYPE a><a/>', 'document type'],
    ['an entity declaration inside an element', '<a><!ENTITY b "c"></a>', 'document type'],
    ['an end tag of another element', '<a><b></a></b>', 'malformed'],
    ['an end tag without a start tag', '</a>', 'malformed'],
    ['an unclosed element', '<a><b/>', 'malformed'],
    ['an unclosed tag', '<a b="c"', 'malformed'],
    ['an attribute without quotes', '<a b=c/>', 'malformed'],
    ['an unclosed comment', '<a><!-- </a>', 'malformed'],
    ['an unescaped bracket', '<a>1 < 2</a>', 'malformed'],
    ['a control character', '<a>\u0001</a>', 'a character that XML does not allow'],
    ['an unpaired surrogate', '<a>\ud800</a>', 'a character that XML does not allow'],
    ...[
      '&#0;',
      '&#x0;',
      '&#x1;',
      '&#xD800;',
      '&#xFFFE;',
      '&#x110000;',
      '&#99999999999;',
      '&#X41;',
      '&#1a;',
      '&#b1;',
    ].map((text): [string, string, string] => [
      `the reference ${text}`,
      `<a>${text}</a>`,
      'a character that XML does not allow',
    ]),
  ])('rejects %s', (_, xml, reason) => {
    expect(findXmlProblem(xml, few)).toContain(reason);
  });

  test('rejects unclosed texts of 100,000 characters', () => {
    for (const unit of ['<', ' ', '<a ', '<a b', '"', '<!', '</a', '<a b="', '&', '&#', '&#1'])
      expect(findXmlProblem(`<a ${unit.repeat(100_000 / unit.length)}`, xmlMessageLimits), unit).not.toBeNull();
  });
});

describe('[FED-01] verifyXmlSignature', () => {
  let signed: string;
  let certificate: string;
  beforeAll(async () => {
    const issued = await issueCertificate(new Date(), { algorithm: 'rsa2048', subject: 'CN=sp' });
    certificate = encodePem(issued);
    const key = createPrivateKey(await encodePrivateKey(issued));
    const credential = { signer: createLocalSigner(key), certificate };
    signed = await signXmlElement(wrapInMessage('<a/>', 'sp'), { id: '_a', hasIssuer: true }, credential);
  });
  const verify = (xml: string) => verifyXmlSignature(xml, [certificate]);

  test('accepts an unchanged signature, and reports another transform as a wrong key instead of a malformed signature', () => {
    expect(verify(signed).localName).toBe('AuthnRequest');
    const canonical = '<ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>';
    expect(signed).toContain(canonical);
    const prefixes = canonical.replace(
      '/>',
      '><ec:InclusiveNamespaces xmlns:ec="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="samlp"/></ds:Transform>',
    );
    expect(() => verify(signed.replace(canonical, prefixes))).toThrow('no trusted certificate'); // the signature is well-formed, but no longer matches the transformed element
  });

  test.each<[string, RegExp, string]>([
    ['two references', /(<ds:Reference .*<\/ds:Reference>)/, '$1$1'],
    ['two SignedInfo', /(<ds:SignedInfo>.*<\/ds:SignedInfo>)/, '$1$1'],
    ['three transforms', /(<ds:Transform [^>]*>)/, '$1$1'],
    ['two SignatureValue elements', /(<ds:SignatureValue>.*<\/ds:SignatureValue>)/, '$1$1'],
    ['an Object', /(<\/ds:Signature>)/, '<ds:Object/>$1'],
    ['an element in SignatureValue', /(<\/ds:SignatureValue>)/, '<ds:X/>$1'],
    [
      'an element in SignatureMethod',
      /(<ds:SignatureMethod [^>]*)\/>/,
      '$1><ds:HMACOutputLength>1</ds:HMACOutputLength></ds:SignatureMethod>',
    ],
    [
      'an XPath in a transform',
      /(<ds:Transform [^>]*enveloped-signature")\/>/,
      '$1><ds:XPath>1</ds:XPath></ds:Transform>',
    ],
    ['an unknown element', /(<ds:DigestValue>)/, '<x/>$1'],
  ])('rejects %s as malformed', (_, pattern, replacement) => {
    const changed = signed.replace(pattern, replacement);
    expect(changed).not.toBe(signed);
    expect(() => verify(changed)).toThrow('the signature is malformed');
  });

  test('rejects a signature of an unknown key, and accepts one of several known keys', async () => {
    const other = encodePem(await issueCertificate(new Date(), { algorithm: 'rsa2048', subject: 'CN=other' }));
    expect(() => verifyXmlSignature(signed, [other])).toThrow('no trusted certificate');
    expect(verifyXmlSignature(signed, [other, certificate]).localName).toBe('AuthnRequest');
  });
});

test.each(['<a>&secreto;</a>', '<a>secreto</a><secreto/>', '<secreto>'])(
  '[SES-02] parseXml rejects %o with a reason that does not quote it',
  (xml) => {
    let reason: unknown = null;
    try {
      parseXml(xml);
    } catch (error) {
      reason = error;
    }
    expect(String(reason)).toMatch(/^(Saml)?Error: the XML /);
    expect(String(reason)).not.toContain('secreto');
  },
);
