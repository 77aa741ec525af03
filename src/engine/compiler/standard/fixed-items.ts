import type { Logic } from '../../core/definition.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import { notes } from '../screen/fields-of-schema.ts';
import type { Report } from '../sources/report.ts';
import { say } from '../sources/say.ts';
import { anyOf, isPresent } from './conditions.ts';

/** Words of an array of fixed items beside these. */
const ownWords = ['type', 'items', 'prefixItems', 'additionalItems', 'minItems', 'maxItems', 'default', ...notes];

/** An array of fixed items as an object of fields, and when each of these is required beside what that object says. */
interface FixedItems {
  readonly field: JsonObject;
  readonly requiredWhen: Readonly<Record<string, Logic>>;
}

/**
 * Says an array whose items stand each for another thing as an object whose fields are called by their places: what has such fields is sent as an array. An item is
 * required as soon as one behind it is filled in, since an array has no gaps. A yes and a no are chosen, since a box that is not ticked would be a gap. Undefined
 * of any other field.
 */
export function fixedItems(name: string, field: JsonObject): FixedItems | undefined {
  const { items, prefixItems, additionalItems = false, minItems = 0, maxItems, default: given, ...rest } = field;
  const places = Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : [];
  const isClosed =
    additionalItems === false && (Array.isArray(items) || [undefined, false].includes(items as undefined));
  const isPlain = Object.keys(field).every((word) => ownWords.includes(word)) && places.every(isSingle);
  const isWhole = maxItems === undefined || maxItems === places.length;
  if (field.type !== 'array' || places.length === 0 || !isClosed || !isPlain || !isWhole) return undefined;
  const values: readonly Json[] = Array.isArray(given) ? given : [];
  const properties = places.map(
    (place: Json, index) => [String(index), itemOf(place as JsonObject, values[index])] as const,
  );
  const names = properties.map(([step]) => `${name}.${step}`);
  const required = properties.map(([step]) => step).slice(0, Math.max(Number(minItems), 1));
  const later = names.flatMap((own, index) => {
    const rule = anyOf(names.slice(index + 1).map(isPresent));
    return required.includes(String(index)) || rule === null ? [] : [[own, rule] as const];
  });
  return {
    field: { ...rest, type: 'object', required, properties: Object.fromEntries(properties) },
    requiredWhen: Object.fromEntries(later),
  };
}

// An item that has no fields of its own.
function isSingle(item: Json): boolean {
  return isObject(item) && item.properties === undefined && item.type !== 'array' && item.type !== 'object';
}

function itemOf(item: JsonObject, given: Json | undefined): JsonObject {
  const choices: JsonObject = item.type === 'boolean' && item.enum === undefined ? { enum: [true, false] } : {};
  return { ...item, ...choices, ...(given === undefined ? {} : { default: given }) };
}

/** Refuses fields that are called by digits, as the places of an array are. */
export function checkPlaces(report: Report, node: Json, at = ''): void {
  if (!isObject(node) && !Array.isArray(node)) return;
  for (const [key, part] of Object.entries(node as JsonObject)) {
    const place = `${at}/${escapePointer(key)}`;
    if (/\/properties$/.test(at) && /^\d+$/.test(key))
      report(
        place,
        say`"${key}" is no field name.`,
        say`Begin it with a letter: digits are the places of an array, each of which "prefixItems" says.`,
      );
    checkPlaces(report, part, place);
  }
}
