import type { Permisos } from '../../../contract/access.ts';

/** Reads `resource:action` pairs, separated by commas. */
export function readPermissions(text: string): Permisos {
  const permissions: Record<string, string[]> = {};
  for (const pair of text.split(',').map((one) => one.trim())) {
    if (pair === '') continue;
    const [, resource, action] = /^(\w+):(\w+)$/.exec(pair) ?? [];
    if (resource === undefined || action === undefined) throw new Error('pairs such as videollamada:crear');
    (permissions[resource] ??= []).push(action);
  }
  return permissions;
}
