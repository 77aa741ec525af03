import type { Logic, Ui } from '../../core/definition.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { listVariables } from '../../core/logic.ts';
import { namesRead, flattenFields } from './fields-of-schema.ts';
import { visibleRules } from './fields-of-ui.ts';

/** Length of `form.` and of `item.`. */
const rootLength = 5;

export function listComputedRules({ computed }: JsonObject): Readonly<Record<string, Logic>> {
  return isObject(computed) ? (computed as JsonObject) : {};
}

export function fieldsReadBy(rules: readonly Logic[], names: readonly string[]): readonly string[] {
  const paths = rules.flatMap(listVariables).filter((path) => /^(form|item)\./.test(path));
  return [...new Set(paths.flatMap((path) => namesRead(path.slice(rootLength), names)))];
}

/** Returns the computed fields in dependency order. Visibility counts as a dependency. */
export function computedOrder(schema: JsonObject, ui: Ui): readonly string[] {
  const reads = createDependencyLookup(schema, ui);
  const ordered = new Set<string>();
  const seen = new Set<string>();
  const take = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    reads(name).forEach(take);
    if (Object.hasOwn(listComputedRules(schema), name)) ordered.add(name);
  };
  Object.keys(listComputedRules(schema)).forEach(take);
  return [...ordered];
}

/** Returns the shortest dependency cycle through a computed field, or `null`. Visibility counts as a dependency. */
export function findDependencyCycle(schema: JsonObject, ui: Ui, name: string): readonly string[] | null {
  const reads = createDependencyLookup(schema, ui);
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

// Includes visibility rules, since a hidden field has no value.
function createDependencyLookup(schema: JsonObject, ui: Ui): (name: string) => readonly string[] {
  const names = Object.keys(flattenFields(schema));
  const rules = listComputedRules(schema);
  return (name) => {
    const own = Object.hasOwn(rules, name) ? [rules[name] ?? null] : [];
    return fieldsReadBy([...own, ...visibleRules(ui, name)], names);
  };
}
