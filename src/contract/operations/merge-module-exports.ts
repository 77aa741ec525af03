import type { operationModules } from './operation-modules.ts';

type Modules = typeof operationModules;
type ModuleExport = 'operations' | 'responseSchemas' | 'requestBodySchemas' | 'errorCodes';
type ExportOf<Module, Name extends ModuleExport> = Module extends Readonly<Record<Name, infer Own>> ? Own : never;
export type UnionToIntersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;
type Collected<Name extends ModuleExport> =
  UnionToIntersection<ExportOf<Modules[keyof Modules], Name>> extends infer All
    ? { readonly [Key in keyof All]: All[Key] }
    : never;

/** Merges an export of all modules into one object. Throws if two modules use the same name. */
export function mergeModuleExports<Name extends ModuleExport>(
  part: Name,
  from: Readonly<Record<string, Readonly<Partial<Record<ModuleExport, object>>>>>,
): Collected<Name> {
  const parts = Object.entries(from).map(([module, own]) => [module, own[part] ?? {}] as const);
  return mergeDistinctKeys(part, parts) as Collected<Name>; // TypeScript cannot derive the merged type
}

/** Merges the named values of several owners into one object. Throws if two owners use the same name. */
export function mergeDistinctKeys<Value>(
  part: string,
  owners: readonly (readonly [owner: string, own: Readonly<Record<string, Value>>])[],
): Readonly<Record<string, Value>> {
  const found = new Map<string, string>();
  for (const [owner, own] of owners)
    for (const name of Object.keys(own)) {
      const other = found.get(name);
      if (other !== undefined)
        throw new Error(`${part}: '${name}' is of the modules ${other} and ${owner}. Give one of them another name.`);
      found.set(name, owner);
    }
  return Object.assign({}, ...owners.map(([, own]) => own));
}
