const ds = 'http://www.w3.org/2000/09/xmldsig#';
const repeated = (count: number, text: (index: number) => string): string =>
  Array.from({ length: Math.max(0, Math.floor(count)) }, (_, index) => text(index)).join('');
/** Repeats a text up to about `size` characters. */
const filled = (size: number, text: (index: number) => string): string => repeated(size / text(10).length, text);

const reference = (children = ''): string =>
  `<ds:Reference URI="#_a">${children}<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>AA==</ds:DigestValue></ds:Reference>`;
const transforms = `<ds:Transforms><ds:Transform Algorithm="${ds}enveloped-signature"/><ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/></ds:Transforms>`;
const signature = (references: string, rest = ''): string =>
  `<ds:Signature xmlns:ds="${ds}"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>${references}</ds:SignedInfo><ds:SignatureValue>AA==</ds:SignatureValue>${rest}</ds:Signature>`;

/** Message contents that are the most expensive for a parser, XPath or canonicalization, each of about `size` characters. */
export const worstContents: Readonly<Record<string, (size: number) => string>> = {
  'empty elements': (size) => filled(size, () => '<a/>'),
  'elements of different names': (size) => filled(size, (index) => `<a${index}/>`),
  'a deep tree': (size) => repeated(size / 7, () => '<a>') + repeated(size / 7, () => '</a>'),
  'many attributes of one element': (size) => `<a ${filled(size, (index) => ` b${index}="c"`)}/>`,
  'elements of 20 attributes': (size) => filled(size, () => `<a${repeated(20, (index) => ` b${index}="c"`)}/>`),
  'elements with an ID': (size) => filled(size, (index) => `<a ID="_${index}"/>`),
  'namespaces of one element': (size) => `<a ${filled(size, (index) => ` xmlns:n${index}="u"`)}/>`,
  'namespaces in scope': (size) =>
    repeated(20, (level) => `<a${repeated(6, (index) => ` xmlns:n${level}x${index}="u"`)}>`) +
    filled(size, () => '<b/>') +
    repeated(20, () => '</a>'),
  'one long text': (size) => 'x'.repeat(size),
  'character references': (size) => filled(size, () => '&#38;'),
  'line breaks': (size) => filled(size, () => `<a/>${'\r\n'.repeat(80)}`),
  comments: (size) => filled(size, () => '<!---->'),
  'unclosed brackets': (size) => '<'.repeat(size),
  'many signatures': (size) => filled(size, () => signature(reference(transforms))),
  'a signature of many references': (size) => signature(filled(size, () => reference(transforms))),
  'a signature of many transforms': (size) =>
    signature(reference(`<ds:Transforms>${filled(size, () => `<ds:Transform Algorithm="${ds}x"/>`)}</ds:Transforms>`)),
  'a signature with a large key': (size) =>
    signature(reference(transforms), `<ds:KeyInfo>${filled(size, () => '<a/>')}</ds:KeyInfo>`),
  'a signature before many elements': (size) => signature(reference(transforms)) + filled(size, () => '<a/>'),
};

/** Wraps the content in a message of a service provider. */
export function messageAround(content: string, issuer: string, name = 'AuthnRequest'): string {
  return `<samlp:${name} xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a" Version="2.0" IssueInstant="${new Date().toISOString()}"><saml:Issuer>${issuer}</saml:Issuer>${content}</samlp:${name}>`;
}
