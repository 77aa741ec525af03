import { isObject } from '../../../engine/core/json.ts';
import { pointerSteps } from '../../../engine/core/json-pointer.ts';

/** A part of a format: JSON Schema. */
type Format = Readonly<Record<string, unknown>>;

/** A key that may stand in an object, or a value that may stand at a place. */
export interface Offer {
  readonly label: string;
  readonly detail?: string;
}

/** What a format says of a place, by the keys that lead to it: every part that may hold there. */
export function formatAt(format: Format, path: readonly (string | number)[]): readonly Format[] {
  return path.reduce<readonly Format[]>(
    (parts, step) => parts.flatMap((part) => stepInto(part, step)).flatMap((part) => whole(format, part)),
    whole(format, format),
  );
}

/** The keys that an object may have there. */
export function keysOf(root: Format, parts: readonly Format[]): readonly Offer[] {
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

/** The values that the format itself lists for a place, as JSON. */
export function valuesOf(parts: readonly Format[]): readonly Offer[] {
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

// A part with all that it refers to, and with what holds there in one case or another.
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
