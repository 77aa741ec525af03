export interface XmlLimits {
  readonly length: number;
  /** Elements, attributes, texts, comments, CDATA sections and processing instructions, as XPath counts nodes. */
  readonly nodes: number;
  readonly depth: number;
  /** Maximum number of different element names. The parser searches the whole text once for each name. */
  readonly names: number;
  readonly attributes: number;
  /** Maximum number of namespace declarations in the whole document. At each declaration, the parser copies all namespaces in scope. */
  readonly namespaces: number;
}

/** Limits for SAML messages: several times the size of an encrypted assertion with many attributes and its certificates. */
export const xmlMessageLimits: XmlLimits = {
  length: 100 * 1024,
  nodes: 1_000,
  depth: 24,
  names: 64,
  attributes: 24,
  namespaces: 128,
};

/** Limits for the metadata of one entity. They are higher than `xmlMessageLimits`, because an operator registers the entity. */
export const xmlMetadataLimits: XmlLimits = { ...xmlMessageLimits, length: 200_000, nodes: 5_000, names: 128 };

/** Characters that are not allowed in a document (XML 1.0, section 2.2). xmldom accepts them, and PostgreSQL cannot store some of them. */
export const forbiddenXmlCharacters = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const nameStart = 'A-Za-z_\\u00c0-\\uffff';
const namePattern = `[${nameStart}][${nameStart}\\w.\\u00b7-]{0,99}`;
const qualifiedNamePattern = `${namePattern}(?::${namePattern})?`;
const startTagPattern = new RegExp(`<(${qualifiedNamePattern})`, 'y');
const attributePattern = new RegExp(
  `[ \\t\\r\\n]+(${qualifiedNamePattern})[ \\t\\r\\n]*=[ \\t\\r\\n]*(?:"[^"<]*"|'[^'<]*')`,
  'y',
);
const tagEndPattern = /[ \t\r\n]*(\/?)>/y;
const endTagPattern = new RegExp(`</(${qualifiedNamePattern})[ \\t\\r\\n]*>`, 'y');
const sectionDelimiters = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/** Returns why an XML text must not be parsed. Takes time linear in the length of the text, unlike xmldom and XPath. */
export function findXmlProblem(text: string, limits: XmlLimits): string | null {
  if (text.length > limits.length) return 'the XML is too long';
  if (hasForbiddenCharacter(text)) return 'the XML has a character that XML does not allow';
  const open: string[] = [];
  const names = new Set<string>();
  let nodes = 0;
  let namespaces = 0;
  for (let at = 0; at < text.length;) {
    const next = text.indexOf('<', at);
    if (next === -1) break;
    nodes += next === at ? 1 : 2; // counts the tag, and the text before it if there is any
    const read = readSection(text, next) ?? readEndTag(text, next, open) ?? readStartTag(text, next, limits.attributes);
    if (typeof read === 'string') return read;
    at = read.end;
    if (read.name === undefined) continue;
    if (!read.empty) open.push(read.name);
    names.add(read.name);
    nodes += read.attributes;
    namespaces += read.namespaces;
    const exceeded = [
      nodes > limits.nodes && 'nodes',
      names.size > limits.names && 'names',
      open.length > limits.depth && 'levels',
      namespaces > limits.namespaces && 'namespaces',
    ].find((kind) => kind !== false);
    if (exceeded !== undefined) return `the XML has too many ${exceeded}`;
  }
  if (nodes > limits.nodes) return 'the XML has too many nodes';
  return open.length === 0 ? null : 'the XML is malformed: an element does not end';
}

/** Also finds character references. A malformed reference counts as forbidden, because xmldom would replace it with an arbitrary character. */
function hasForbiddenCharacter(text: string): boolean {
  if (text.search(forbiddenXmlCharacters) !== -1) return true;
  return Array.from(text.matchAll(/&#(\w+);/g)).some(([, digits = '']) => {
    const code = /^(x[\dA-Fa-f]+|\d+)$/.test(digits) ? Number(`0${digits}`) : Number.NaN;
    return !(code <= 0x10ffff) || String.fromCodePoint(code).search(forbiddenXmlCharacters) !== -1;
  });
}

/** A section or tag that ends at the offset `end`. Only a start tag has a name. */
type Markup =
  | { readonly name?: undefined; readonly end: number }
  | {
      readonly name: string;
      readonly empty: boolean;
      readonly attributes: number;
      readonly namespaces: number;
      readonly end: number;
    };

function readSection(text: string, from: number): Markup | string | null {
  const [begin, close] = sectionDelimiters.find(([mark]) => text.startsWith(mark, from)) ?? [];
  if (begin === undefined || close === undefined)
    return text.startsWith('<!', from) ? 'the XML declares a document type' : null;
  const end = text.indexOf(close, from + begin.length);
  return end === -1 ? 'the XML is malformed: a section does not end' : { end: end + close.length };
}

function readEndTag(text: string, from: number, open: string[]): Markup | string | null {
  const found = matchAt(endTagPattern, text, from);
  if (found === null) return null;
  if (open.pop() !== found[1]) return 'the XML is malformed: an end tag ends another element';
  return { end: from + found[0].length };
}

function readStartTag(text: string, from: number, maxAttributes: number): Markup | string {
  const [start, element] = matchAt(startTagPattern, text, from) ?? [];
  if (start === undefined || element === undefined) return 'the XML is malformed: a tag has no name';
  let attributes = 0;
  let namespaces = 0;
  let at = from + start.length;
  for (let found = matchAt(attributePattern, text, at); found !== null; found = matchAt(attributePattern, text, at)) {
    attributes += 1;
    if (attributes > maxAttributes) return 'an element of the XML has too many attributes';
    if (/^xmlns(:|$)/.test(found[1] ?? '')) namespaces += 1;
    at += found[0].length;
  }
  const end = matchAt(tagEndPattern, text, at);
  if (end === null) return 'the XML is malformed: a tag does not end';
  return { name: element, empty: end[1] === '/', attributes, namespaces, end: at + end[0].length };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
