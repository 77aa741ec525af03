import type { Permission } from './call.ts';

/** What a citizen may do: resources with their actions, as the server grants them. */
export type Permisos = Readonly<Record<string, readonly string[]>>;

/** Whether any of some (resource, action) pairs is granted: the one rule of browser and server (section 6 of the specification). */
export function permits(permisos: Permisos, pairs: readonly Permission[]): boolean {
  return pairs.some(([resource, action]) => Object.hasOwn(permisos, resource) && (permisos[resource]?.includes(action) ?? false));
}

/** Identity providers of the country itself: who comes by them is no foreign user (section 9). */
const nonFederated: ReadonlySet<string> = new Set(['abitab', 'tuid_antel']);

/** Whether a session's identity provider is a foreign one; none (empty, null) is the portal's own account. */
export function isForeignProvider(idp: string | null): boolean {
  return idp !== null && idp !== '' && !nonFederated.has(idp);
}
