import { DOMParser } from '@xmldom/xmldom';
import { forbiddenXmlCharacters, xmlMessageLimits, findXmlProblem, type XmlLimits } from '../xml/xml-limits.ts';
import { secondsPerDay, secondsPerHour } from '../../../platform/base/fixed-periods.ts';
import { SamlError } from './saml-constants.ts';

/** Checks the limits before parsing. Throws a `SamlError` if the XML is malformed, has a DTD or exceeds a limit. */
export function parseXml(text: string, bounds: XmlLimits = xmlMessageLimits): Element {
  const problem = findXmlProblem(text, bounds);
  if (problem !== null) throw new SamlError(problem);
  const refuse = (): never => {
    throw new SamlError('the XML is malformed'); // replaces the parser's message, which contains the document, because errors are logged
  };
  const document = new DOMParser({
    locator: {},
    errorHandler: { warning: refuse, error: refuse, fatalError: refuse },
  }).parseFromString(text, 'text/xml');
  const root: Element | null = document.documentElement;
  if (root === null) throw new SamlError('the XML is empty');
  return root;
}

export function listXmlChildren(parent: Element | null, namespace: string, name: string): readonly Element[] {
  return listXmlChildElements(parent).filter((child) => child.namespaceURI === namespace && child.localName === name);
}

/** Finds a descendant by the names on its path, children first. Throws a `SamlError` if several elements match a name. */
export function findXmlChild(parent: Element | null, namespace: string, ...names: readonly string[]): Element | null {
  return names.reduce((element, name) => {
    const [first, second] = listXmlChildren(element, namespace, name);
    if (second) throw new SamlError(`there is more than one ${name}`);
    return first ?? null;
  }, parent);
}

export function hasXmlName(element: Element, namespace: string, name: string): boolean {
  return element.namespaceURI === namespace && element.localName === name;
}

export function readXmlText(element: Element | null): string | null {
  return element === null ? null : (element.textContent ?? '').trim();
}

/** Returns the value of an attribute, which may be empty. Returns `null` if the attribute is missing. */
export function readXmlAttribute(element: Element | null | undefined, name: string): string | null {
  return element?.hasAttribute(name) ? element.getAttribute(name) : null;
}

export function readBooleanAttribute(element: Element, name: string): boolean | null {
  const value = readXmlAttribute(element, name);
  if (value === null) return null;
  if (!/^(true|false|1|0)$/.test(value)) throw new SamlError(`${name} is no boolean`);
  return value === 'true' || value === '1';
}

export function readDateTimeAttribute(element: Element, name: string): Date | null {
  const value = readXmlAttribute(element, name);
  if (value === null) return null;
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) ? new Date(value) : null;
  if (time === null || Number.isNaN(time.getTime())) throw new SamlError(`${name} is no time`);
  return time;
}

/** Returns a duration in seconds. Counts a year as 365 days and a month as 30 days. */
export function readDurationAttribute(element: Element, name: string): number | null {
  const value = readXmlAttribute(element, name);
  if (value === null) return null;
  const parts = /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.]\d+)?S)?)?$/.exec(
    value,
  );
  if (parts === null) throw new SamlError(`${name} is no duration`);
  const units = [365 * secondsPerDay, 30 * secondsPerDay, secondsPerDay, secondsPerHour, 60, 1];
  return units.reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0);
}

/** Escapes text for element content and double-quoted attributes. Removes characters that XML does not allow. */
export function escapeXml(text: string): string {
  return text
    .replace(forbiddenXmlCharacters, '')
    .replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function listXmlChildElements(parent: Element | null): readonly Element[] {
  return Array.from(parent?.childNodes ?? []).filter((node): node is Element => node.nodeType === 1);
}
