import { pointerSteps } from '../../../engine/core/json-pointer.ts';
import type { FieldName } from './field-name.ts';
import { pointerOf } from './in-flow.ts';
import type { JsonString } from './replace-strings.ts';

type Path = JsonString['path'];

/** Words of JSON Schema whose parts say something of the same fields, alone or by their place in a list. */
const applied: ReadonlySet<string> = new Set(['if', 'then', 'else', 'not']);
const listed: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
/** Those whose keys are fields. */
const dependent: ReadonlySet<string> = new Set(['dependentRequired', 'dependentSchemas', 'dependencies']);

/** The field, or what holds fields, that a place in a schema is of; null where the place is within something else that a field says. */
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

/** A key of a schema that becomes another where it names the field. */
export function keyInSchema(field: FieldName, path: Path): string {
  const key = String(path.at(-1));
  const holder = path.slice(0, -2);
  const names = path.at(-2) === 'properties' || dependent.has(String(path.at(-2)));
  return names && key === field.step && fieldAt(holder) === field.holder ? field.nextStep : key;
}

/** Whether a text of a schema names a field that stands beside what its place is of. */
export function namesBeside(field: FieldName, path: Path): boolean {
  const isRequired = path.at(-2) === 'required' && fieldAt(path.slice(0, -2)) === field.holder;
  return isRequired || (dependent.has(String(path.at(-3))) && fieldAt(path.slice(0, -3)) === field.holder);
}

/** A pointer into a schema, with the other name in each step that names the field. */
export function pointerInSchema(field: FieldName, pointer: string): string {
  const steps = pointerSteps(pointer);
  return pointerOf(steps.map((_, at) => keyInSchema(field, steps.slice(0, at + 1))));
}

/** Whether a place of a schema is within the items of the list of a field. */
export function isInItems({ list }: FieldName, path: Path): boolean {
  return list !== null && path.some((_, at) => fieldAt(path.slice(0, at + 1)) === `${list}.items`);
}
