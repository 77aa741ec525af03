import { href } from '../../contract/href.ts';
import type { PortalConfig } from '../../contract/portal-config.ts';
import { isObject } from '../../engine/core/json.ts';

export interface LeaveAddress {
  /** Not validated yet. */
  readonly address: unknown;
  /** Whether to reload even if the address is a route of the portal. */
  readonly fresh: boolean;
}

/**
 * Reads the `leave` property of a flow: an address, or `{ to, query, host, fresh }` with `host` as `broker` or `backend`, or `{ address, query }` to
 * add parameters to an external address. Empty parameters are dropped.
 */
export function readLeave(leave: unknown, hosts: PortalConfig['hosts']): LeaveAddress {
  if (!isObject(leave)) return { address: leave, fresh: false };
  const query = Object.entries(isObject(leave.query) ? leave.query : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  if (typeof leave.address === 'string')
    return { address: extend(leave.address, new URLSearchParams(query)), fresh: false };
  if (typeof leave.to !== 'string') return { address: leave, fresh: false };
  const host = leave.host === 'broker' || leave.host === 'backend' ? hosts[leave.host] : '';
  return { address: href(leave.to, Object.fromEntries(query), host), fresh: leave.fresh === true };
}

function extend(address: string, query: URLSearchParams): string {
  if (query.size === 0) return address;
  const [page = '', ...fragment] = address.split('#');
  return [`${page}${page.includes('?') ? '&' : '?'}${query}`, ...fragment].join('#');
}
