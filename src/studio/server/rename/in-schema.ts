import { pointerSteps } from '../../../engine/core/json-pointer.ts';
import type { FieldName } from './field-name.ts';
import { pointerOf } from './in-flow.ts';
import type { JsonString } from './replace-strings.ts';

type Path = JsonString['path'];

/** JSON Schema keywords that apply to the same fields: with one subschema, and with a list of them. */
const applied: ReadonlySet<string> = new Set(['if', 'then', 'else', 'not']);
const listed: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
/** Keywords whose keys are fields. */
const dependent: ReadonlySet<string> = new Set(['dependentRequired', 'dependentSchemas', 'dependencies']);

/** Returns the field or object that a place in a schema belongs to. Returns `null` inside any other keyword. */
function fieldAt(path: Path): string | null {
  const names: string[] = [];
  for (let at = 0; at < path.length;) {
    const word = String(path[at]);
    if (applied.has(word)) at += 1;
    else if (listed.has(word) || word === 'dependentSchemas' || word === 'dependencies') at += 2;
    else if (word === 'items') {
      names.push(word);
      at += 1;
    } else if (word === 'properties' && at + 1 < path.length) {
      names.push(String(path[at + 1]));
      at += 2;
    } else return null;
  }
  return names.join('.');
}

/** Returns the new key if it is the field, otherwise the key itself. */
export function keyInSchema(field: FieldName, path: Path): string {
  const key = String(path.at(-1));
  const holder = path.slice(0, -2);
  const names = path.at(-2) === 'properties' || dependent.has(String(path.at(-2)));
  return names && key === field.step && fieldAt(holder) === field.holder ? field.nextStep : key;
}

/** Whether a text of a schema refers to a sibling of the field. */
export function namesBeside(field: FieldName, path: Path): boolean {
  const isRequired = path.at(-2) === 'required' && fieldAt(path.slice(0, -2)) === field.holder;
  return isRequired || (dependent.has(String(path.at(-3))) && fieldAt(path.slice(0, -3)) === field.holder);
}

export function pointerInSchema(field: FieldName, pointer: string): string {
  const steps = pointerSteps(pointer);
  return pointerOf(steps.map((_, at) => keyInSchema(field, steps.slice(0, at + 1))));
}

/** Whether a place in a schema is inside the items of the field's list. */
export function isInItems({ list }: FieldName, path: Path): boolean {
  return list !== null && path.some((_, at) => fieldAt(path.slice(0, at + 1)) === `${list}.items`);
}
