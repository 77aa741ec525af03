import type { Logic } from '../../core/definition.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import { notes } from '../screen/fields-of-schema.ts';
import type { Report } from '../sources/report.ts';
import { explain } from '../sources/say.ts';
import { joinWithOr, isPresent } from './conditions.ts';

/** Supported keywords of an array with fixed items. */
const ownWords = ['type', 'items', 'prefixItems', 'additionalItems', 'minItems', 'maxItems', 'default', ...notes];

/** An array with fixed items as an object of fields, and additional conditions under which they are required. */
interface FixedItems {
  readonly field: JsonObject;
  readonly requiredWhen: Readonly<Record<string, Logic>>;
}

/**
 * Converts an array with fixed items to an object whose fields are named by their index. It is still sent as an array. An item is required as soon as
 * a later one is filled in, because arrays have no gaps. Booleans become choices, because an unticked box would be a gap. Returns `undefined` for
 * other fields.
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
    (place: Json, index) => [String(index), buildItemSchema(place as JsonObject, values[index])] as const,
  );
  const names = properties.map(([step]) => `${name}.${step}`);
  const required = properties.map(([step]) => step).slice(0, Math.max(Number(minItems), 1));
  const later = names.flatMap((own, index) => {
    const rule = joinWithOr(names.slice(index + 1).map(isPresent));
    return required.includes(String(index)) || rule === null ? [] : [[own, rule] as const];
  });
  return {
    field: { ...rest, type: 'object', required, properties: Object.fromEntries(properties) },
    requiredWhen: Object.fromEntries(later),
  };
}

function isSingle(item: Json): boolean {
  return isObject(item) && item.properties === undefined && item.type !== 'array' && item.type !== 'object';
}

function buildItemSchema(item: JsonObject, given: Json | undefined): JsonObject {
  const choices: JsonObject = item.type === 'boolean' && item.enum === undefined ? { enum: [true, false] } : {};
  return { ...item, ...choices, ...(given === undefined ? {} : { default: given }) };
}

/** Refuses field names that are numbers, which are reserved for fixed items. */
export function checkPlaces(report: Report, node: Json, at = ''): void {
  if (!isObject(node) && !Array.isArray(node)) return;
  for (const [key, part] of Object.entries(node as JsonObject)) {
    const place = `${at}/${escapePointer(key)}`;
    if (/\/properties$/.test(at) && /^\d+$/.test(key))
      report(place)(explain`"${key}" is no field name.
        Begin it with a letter: digits are the places of an array, each of which "prefixItems" says.`);
    checkPlaces(report, part, place);
  }
}
