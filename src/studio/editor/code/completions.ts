import { getLocation, parse } from 'jsonc-parser';
import type { PlaceInFile } from './known-names.ts';
import { isObject } from '../../../engine/core/json.ts';
import { pointerSteps } from '../../../engine/core/json-pointer.ts';

/** Completions at a position, and the range of the text that they replace. */
export interface Completions {
  readonly from: number;
  readonly to: number;
  readonly offers: readonly (Offer & { readonly insert: string })[];
}

/** Returns the keys or values that fit at the caret, from the format and from the names of the definitions. Omits keys that already exist. */
export function completionsAt(
  text: string,
  caret: number,
  {
    file,
    format,
    names,
  }: { file: string; format: Readonly<Record<string, unknown>>; names: (place: PlaceInFile) => readonly string[] },
): Completions | null {
  const { path, isAtPropertyKey: isKey, previousNode: node } = getLocation(text, caret);
  const isInside = node !== undefined && node.offset < caret && caret <= node.offset + node.length;
  const isText = isInside && text[node.offset] === '"';
  const isClosed = isText && node.length > 1 && text[node.offset + node.length - 1] === '"';
  if (isClosed && caret === node.offset + node.length) return null; // after the closing quote
  const content: unknown = parse(text);
  const own = names({ file, path, isKey, content }).map((name): Offer => ({
    label: isKey ? name : JSON.stringify(name),
  }));
  const parts = formatAt(format, isKey ? path.slice(0, -1) : path);
  const there = isKey ? keysIn(content, path.slice(0, -1)) : [];
  const offers = [...own, ...(isKey ? keysOf(format, parts) : valuesOf(parts))].filter(
    ({ label }, index, all) =>
      (!there.includes(label) || label === path.at(-1)) && all.findIndex((other) => other.label === label) === index,
  );
  if (offers.length === 0) return null;
  const from = isInside ? node.offset : caret;
  const to = isInside ? (isText && !isClosed ? caret : node.offset + node.length) : caret;
  return {
    from,
    to,
    offers: offers.map((offer) => {
      const written = isKey ? JSON.stringify(offer.label) : offer.label;
      const isNew = isKey && !/^\s*:/.test(text.slice(to));
      return { ...offer, label: written, insert: isNew ? `${written}: ` : written };
    }),
  };
}

function keysIn(content: unknown, path: readonly (string | number)[]): readonly string[] {
  const object = path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string | number, unknown>)[step] : undefined,
    content,
  );
  return typeof object === 'object' && object !== null && !Array.isArray(object) ? Object.keys(object) : [];
}

type Format = Readonly<Record<string, unknown>>;

interface Offer {
  readonly label: string;
  readonly detail?: string;
}

/** Returns the parts of a JSON Schema that may apply at a path. */
function formatAt(format: Format, path: readonly (string | number)[]): readonly Format[] {
  return path.reduce<readonly Format[]>(
    (parts, step) => parts.flatMap((part) => stepInto(part, step)).flatMap((part) => whole(format, part)),
    whole(format, format),
  );
}

function keysOf(root: Format, parts: readonly Format[]): readonly Offer[] {
  return distinct(
    parts.flatMap(({ properties }) =>
      isObject(properties)
        ? Object.entries(properties).map(([label, part]) => {
            const detail = whole(root, part).flatMap(({ description }) =>
              typeof description === 'string' ? description : [],
            )[0];
            return detail === undefined ? { label } : { label, detail };
          })
        : [],
    ),
  );
}

function valuesOf(parts: readonly Format[]): readonly Offer[] {
  return distinct(
    parts.flatMap((part) => {
      const listed = [
        ...(Array.isArray(part['enum']) ? (part['enum'] as readonly unknown[]) : []),
        ...('const' in part ? [part['const']] : []),
      ];
      const isTruth = part['type'] === 'boolean' && listed.length === 0;
      return (isTruth ? [true, false] : listed).map((value) => ({ label: JSON.stringify(value) }));
    }),
  );
}

// Returns a schema with the schemas that it refers to and its alternatives.
function whole(root: Format, part: unknown, depth = 0): readonly Format[] {
  if (!isObject(part) || depth > 12) return [];
  const { $ref, anyOf, oneOf, allOf, then, else: otherwise } = part;
  const named = typeof $ref === 'string' && $ref.startsWith('#') ? [partAt(root, $ref.slice(1))] : [];
  const cases = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? (list as readonly unknown[]) : []));
  return [part, ...[...named, ...cases, then, otherwise].flatMap((inner) => whole(root, inner, depth + 1))];
}

function stepInto(
  { properties, patternProperties, additionalProperties, items }: Format,
  step: string | number,
): readonly unknown[] {
  if (typeof step === 'number') return [items];
  if (isObject(properties) && Object.hasOwn(properties, step)) return [properties[step]];
  const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : [];
  return [
    ...patterns.flatMap(([pattern, part]) => (new RegExp(pattern, 'u').test(step) ? [part] : [])),
    additionalProperties,
  ];
}

function partAt(root: Format, pointer: string): unknown {
  return pointerSteps(pointer).reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), root);
}

function distinct(offers: readonly Offer[]): readonly Offer[] {
  return [...new Map(offers.map((offer) => [offer.label, offer])).values()];
}
