const ds = 'http://www.w3.org/2000/09/xmldsig#';
const repeatText = (count: number, text: (index: number) => string): string =>
  Array.from({ length: Math.max(0, Math.floor(count)) }, (_, index) => text(index)).join('');
/** Repeats a text up to about `size` characters. */
const repeatToSize = (size: number, text: (index: number) => string): string =>
  repeatText(size / text(10).length, text);

const reference = (children = ''): string =>
  `<ds:Reference URI="#_a">${children}<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>AA==</ds:DigestValue></ds:Reference>`;
const transforms = `<ds:Transforms><ds:Transform Algorithm="${ds}enveloped-signature"/><ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/></ds:Transforms>`;
const signature = (references: string, rest = ''): string =>
  `<ds:Signature xmlns:ds="${ds}"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>${references}</ds:SignedInfo><ds:SignatureValue>AA==</ds:SignatureValue>${rest}</ds:Signature>`;

/**
 * Message contents that are the most expensive for a parser, XPath or canonicalization, each of about `size`
 * characters.
 */
export const expensiveContents: Readonly<Record<string, (size: number) => string>> = {
  'empty elements': (size) => repeatToSize(size, () => '<a/>'),
  'elements of different names': (size) => repeatToSize(size, (index) => `<a${index}/>`),
  'a deep tree': (size) => repeatText(size / 7, () => '<a>') + repeatText(size / 7, () => '</a>'),
  'many attributes of one element': (size) => `<a ${repeatToSize(size, (index) => ` b${index}="c"`)}/>`,
  'elements of 20 attributes': (size) => repeatToSize(size, () => `<a${repeatText(20, (index) => ` b${index}="c"`)}/>`),
  'elements with an ID': (size) => repeatToSize(size, (index) => `<a ID="_${index}"/>`),
  'namespaces of one element': (size) => `<a ${repeatToSize(size, (index) => ` xmlns:n${index}="u"`)}/>`,
  'namespaces in scope': (size) =>
    repeatText(20, (level) => `<a${repeatText(6, (index) => ` xmlns:n${level}x${index}="u"`)}>`) +
    repeatToSize(size, () => '<b/>') +
    repeatText(20, () => '</a>'),
  'one long text': (size) => 'x'.repeat(size),
  'character references': (size) => repeatToSize(size, () => '&#38;'),
  'line breaks': (size) => repeatToSize(size, () => `<a/>${'\r\n'.repeat(80)}`),
  comments: (size) => repeatToSize(size, () => '<!---->'),
  'unclosed brackets': (size) => '<'.repeat(size),
  'many signatures': (size) => repeatToSize(size, () => signature(reference(transforms))),
  'a signature of many references': (size) => signature(repeatToSize(size, () => reference(transforms))),
  'a signature of many transforms': (size) =>
    signature(
      reference(`<ds:Transforms>${repeatToSize(size, () => `<ds:Transform Algorithm="${ds}x"/>`)}</ds:Transforms>`),
    ),
  'a signature with a large key': (size) =>
    signature(reference(transforms), `<ds:KeyInfo>${repeatToSize(size, () => '<a/>')}</ds:KeyInfo>`),
  'a signature before many elements': (size) => signature(reference(transforms)) + repeatToSize(size, () => '<a/>'),
};

/** Wraps the content in a message of a service provider. */
export function wrapInMessage(content: string, issuer: string, name = 'AuthnRequest'): string {
  return `<samlp:${name} xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a" Version="2.0" IssueInstant="${new Date().toISOString()}"><saml:Issuer>${issuer}</saml:Issuer>${content}</samlp:${name}>`;
}
