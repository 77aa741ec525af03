import { isWithin } from '../../../engine/core/field-path.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';

/** The places of a field in the cases of its screen: values, expected messages, and what a case leaves out. */
export function placesInCases(cases: Json | undefined, field: string): readonly string[] {
  if (!isObject(cases)) return [];
  const { cases: named, data } = cases as JsonObject;
  const ofCases = Object.entries(isObject(named) ? (named as JsonObject) : {}).flatMap(([name, own]) => {
    const at = `/cases/${escapePointer(name)}`;
    if (!isObject(own)) return [];
    if (isAbout(own as JsonObject, field)) return [at];
    const { without, errors, ...values } = own as JsonObject;
    const place = Array.isArray(without) ? without.indexOf(field) : -1;
    return [
      ...['data', 'with'].flatMap((part) => valuePlaces(values[part], field.split('.'), `${at}/${part}`)),
      ...keysOf(errors).flatMap((key) => (isOf(key, field) ? [`${at}/errors/${escapePointer(key)}`] : [])),
      ...(place < 0 ? [] : [`${at}/without/${place}`]),
    ];
  });
  return [...valuePlaces(data, field.split('.'), '/data'), ...ofCases];
}

/** Where values hold a field: in each item of a list that it stands in. */
function valuePlaces(values: Json | undefined, [step, ...rest]: readonly string[], at: string): readonly string[] {
  if (step === undefined) return [at];
  if (Array.isArray(values)) return values.flatMap((item: Json, index) => valuePlaces(item, rest, `${at}/${index}`));
  if (!isObject(values) || !Object.hasOwn(values, step)) return [];
  return valuePlaces((values as JsonObject)[step], rest, `${at}/${escapePointer(step)}`);
}

/** Whether a case differs from the right one in this field alone. */
function isAbout({ note: _, with: given = {}, errors = {}, ...others }: JsonObject, field: string): boolean {
  const [top, ...rest] = field.split('.');
  const [values, messages] = [keysOf(given), keysOf(errors)];
  const isSaid = rest.length > 0 ? messages.length > 0 : values.length + messages.length > 0;
  const isAlone = values.every((name) => name === top) && messages.every((name) => isOf(name, field));
  return isSaid && isAlone && Object.keys(others).length === 0;
}

/** Whether the name of a value, which counts the items of lists, is of a field or of what it holds. */
function isOf(name: string, field: string): boolean {
  return isWithin(name.replaceAll(/\.\d+(?=\.|$)/g, '.items'), field);
}

function keysOf(value: Json | undefined): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}
