import { DOMParser } from '@xmldom/xmldom';
import { messageBounds, xmlProblem, type XmlBounds } from '../xml/bound-xml.ts';
import { SamlError } from './saml-error.ts';

/** Parses a document without a DTD; throws a SamlError for whatever is not well-formed or exceeds the bounds, before a parser reads it. */
export function parseXml(text: string, bounds: XmlBounds = messageBounds): Element {
  const problem = xmlProblem(text, bounds);
  if (problem !== null) throw new SamlError(problem);
  const refuse = (): never => {
    throw new SamlError('the XML is malformed'); // the parser's message repeats the document, and this one is logged
  };
  const document = new DOMParser({
    locator: {},
    errorHandler: { warning: refuse, error: refuse, fatalError: refuse },
  }).parseFromString(text, 'text/xml');
  const root: Element | null = document.documentElement;
  if (root === null) throw new SamlError('the XML is empty');
  return root;
}

/** Children of a name. */
export function childrenOf(parent: Element, namespace: string, name: string): readonly Element[] {
  return elementsOf(parent).filter((child) => child.namespaceURI === namespace && child.localName === name);
}

/** The one child of a name; null: there is none. Throws a SamlError where there are more. */
export function childOf(parent: Element, namespace: string, name: string): Element | null {
  const [first, second] = childrenOf(parent, namespace, name);
  if (second) throw new SamlError(`there is more than one ${name}`);
  return first ?? null;
}

/** Whether an element is of a name. */
export function isElement(element: Element, namespace: string, name: string): boolean {
  return element.namespaceURI === namespace && element.localName === name;
}

/** All of an element's text, comments left out; null of no element. */
export function textIn(element: Element | null): string | null {
  return element === null ? null : (element.textContent ?? '').trim();
}

/** The value of an attribute; null where there is none. */
export function attribute(element: Element, name: string): string | null {
  return element.hasAttribute(name) ? element.getAttribute(name) : null;
}

/** Whether an attribute says true; null where it is absent. */
export function flag(element: Element, name: string): boolean | null {
  const value = attribute(element, name);
  if (value === null) return null;
  if (!/^(true|false|1|0)$/.test(value)) throw new SamlError(`${name} is no boolean`);
  return value === 'true' || value === '1';
}

/** The time of an attribute, which SAML writes in UTC; null where there is none. */
export function timeOf(element: Element, name: string): Date | null {
  const value = attribute(element, name);
  if (value === null) return null;
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) ? new Date(value) : null;
  if (time === null || Number.isNaN(time.getTime())) throw new SamlError(`${name} is no time`);
  return time;
}

/** Escapes a text for content and double-quoted attributes; characters that XML cannot write go. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The elements directly below an element. */
export function elementsOf(parent: Element): readonly Element[] {
  return Array.from(parent.childNodes).filter((node): node is Element => node.nodeType === 1);
}
