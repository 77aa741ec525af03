import { isObject } from '../engine/core/json.ts';
import type { OperationDeclaration } from './operation.ts';

/** Converts a form to a request body: moves each field that `groups` lists into the object of its group (section 3 of the specification). */
export function groupBodyFields({ groups = {} }: Pick<OperationDeclaration, 'groups'>, form: unknown): unknown {
  if (!isObject(form)) return form;
  return Object.entries(groups).reduce((body, [group, names]) => {
    const inside = Object.entries(body).filter(([name]) => names.includes(name));
    const outside = Object.entries(body).filter(([name]) => !names.includes(name));
    return inside.length === 0 ? body : { ...Object.fromEntries(outside), [group]: Object.fromEntries(inside) };
  }, form);
}

/** Renames aliases in a body to the names of their fields. If a body has both, keeps the alias, which validation rejects as an unknown field. */
export function resolveBodyFieldAliases({ aliases }: Pick<OperationDeclaration, 'aliases'>, body: unknown): unknown {
  if (!isObject(body) || !aliases) return body;
  const resolveAlias = (sent: string) => {
    const name = Object.hasOwn(aliases, sent) ? (aliases[sent] ?? sent) : sent;
    return Object.hasOwn(body, name) ? sent : name;
  };
  return Object.fromEntries(Object.entries(body).map(([sent, value]) => [resolveAlias(sent), value]));
}

/** Reverses `groupBodyFields`. Keeps an ungrouped body, which an older page sends, and unknown fields, which validation rejects. */
export function ungroupBodyFields({ groups = {} }: Pick<OperationDeclaration, 'groups'>, body: unknown): unknown {
  if (!isObject(body)) return body;
  return Object.entries(groups).reduce((form, [group, names]) => {
    const { [group]: given, ...outside } = form;
    if (!isObject(given)) return form;
    const inside = Object.entries(given).filter(([name]) => names.includes(name));
    const unknown = Object.entries(given).filter(([name]) => !names.includes(name));
    return {
      ...outside,
      ...Object.fromEntries(inside),
      ...(unknown.length > 0 && { [group]: Object.fromEntries(unknown) }),
    };
  }, body);
}
