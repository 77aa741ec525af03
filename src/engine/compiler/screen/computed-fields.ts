import type { Logic, Ui } from '../../core/definition.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { variablesOf } from '../../core/logic.ts';
import { namesRead, propertiesOf } from './fields-of-schema.ts';
import { visibleRules } from './fields-of-ui.ts';

/** Of `form.`, and of `item.` in the rules of a list's items. */
const rootLength = 5;

/** The rules by which fields are computed, by their names. */
export function computedOf({ computed }: JsonObject): Readonly<Record<string, Logic>> {
  return isObject(computed) ? (computed as JsonObject) : {};
}

/** The fields whose values rules read. */
export function fieldsReadBy(rules: readonly Logic[], names: readonly string[]): readonly string[] {
  const paths = rules.flatMap(variablesOf).filter((path) => /^(form|item)\./.test(path));
  return [...new Set(paths.flatMap((path) => namesRead(path.slice(rootLength), names)))];
}

/** The computed fields, each behind those that it reads or is shown by. */
export function computedOrder(schema: JsonObject, ui: Ui): readonly string[] {
  const reads = readsOf(schema, ui);
  const ordered = new Set<string>();
  const seen = new Set<string>();
  const take = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    reads(name).forEach(take);
    if (Object.hasOwn(computedOf(schema), name)) ordered.add(name);
  };
  Object.keys(computedOf(schema)).forEach(take);
  return [...ordered];
}

/** The shortest way from a computed field back to itself, by what is computed or shown of what; null where there is none. */
export function circleOf(schema: JsonObject, ui: Ui, name: string): readonly string[] | null {
  const reads = readsOf(schema, ui);
  const seen = new Set<string>();
  let ways: readonly (readonly string[])[] = [[name]];
  while (ways.length > 0) {
    const longer: (readonly string[])[] = [];
    for (const way of ways)
      for (const read of reads(way.at(-1) ?? '')) {
        if (read === name) return [...way, name];
        if (!seen.has(read)) longer.push([...way, read]);
        seen.add(read);
      }
    ways = longer;
  }
  return null;
}

// A field that is hidden is worth nothing: what shows it counts as well.
function readsOf(schema: JsonObject, ui: Ui): (name: string) => readonly string[] {
  const names = Object.keys(propertiesOf(schema));
  const rules = computedOf(schema);
  return (name) => {
    const own = Object.hasOwn(rules, name) ? [rules[name] ?? null] : [];
    return fieldsReadBy([...own, ...visibleRules(ui, name)], names);
  };
}
