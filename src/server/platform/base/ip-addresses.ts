import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { splitList } from './normalize-input.ts';

/** Returns the canonical form of an IP address, with IPv4-mapped IPv6 as IPv4. Returns `null` for any other text. */
export function normalizeIpAddress(text: string | undefined): string | null {
  const [bare = ''] = (text ?? '').split('%', 1); // the zone of a link-local address is valid only on its own machine
  return isIP(bare) === 0 ? null : ipaddr.process(bare).toString();
}

/** Matches an element of X-Forwarded-For with quotation marks, a port, or both: `192.0.2.7:5555`, `"[2001:db8::7]:5555"`. */
const forwardedElementPattern = /^(?<quote>"?)(?:(?<bare>[^[\]"]*?)|\[(?<bracketed>[^[\]"]*)\])(?::\d{1,5})?\k<quote>$/;

/**
 * Parses one element of X-Forwarded-For like `normalizeIpAddress`. Some proxies append the port of the connection (Azure Application Gateway, IIS) or
 * quote the element as in `Forwarded` (RFC 7239, section 6). Returns `null` for an address with a zone, which is valid only on its own machine.
 */
export function parseForwardedIpAddress(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.includes('%')) return null;
  const plain = normalizeIpAddress(trimmed);
  if (plain !== null) return plain;
  const { bare, bracketed } = forwardedElementPattern.exec(trimmed)?.groups ?? {};
  if (bracketed !== undefined) return bracketed.includes(':') ? normalizeIpAddress(bracketed) : null;
  return normalizeIpAddress(bare);
}

/** Returns the /64 network of an IPv6 address, or the IPv4 address itself. */
export function toIpRateLimitKey(address: string): string {
  const read = normalizeIpAddress(address);
  return read === null ? address : (toIpv6Network(read, 64) ?? read);
}

/** Returns the /48 network of an IPv6 address, the largest that one site gets (RFC 6177). Returns `null` for IPv4 and any other text. */
export function findIpv6SiteNetwork(address: string): string | null {
  const read = normalizeIpAddress(address);
  return read === null ? null : toIpv6Network(read, 48);
}

function toIpv6Network(address: string, bits: number): string | null {
  if (!ipaddr.IPv6.isValid(address)) return null;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`;
}

/** Masks an IP address: `190.64.x.x`, or the first three groups of IPv6. Returns an empty string for any other text. */
export function maskIpAddress(address: string): string {
  const read = normalizeIpAddress(address);
  if (read === null) return '';
  const parsed = ipaddr.parse(read);
  if (parsed instanceof ipaddr.IPv6)
    return `${parsed.parts
      .slice(0, 3)
      .map((group) => group.toString(16))
      .join(':')}:x`;
  return `${parsed.octets.slice(0, 2).join('.')}.x.x`;
}

/** Trusted proxies: their networks, or the number of hops that append to X-Forwarded-For. */
export type TrustedProxies = readonly string[] | number;

const namedNetworks = ['loopback', 'linklocal', 'uniquelocal'];
const maxHops = 10;

/** Parses TRUST_PROXY. Returns `null` if it is `off`. Throws an `Error` that lists the valid values. */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  if (/^(off|false|0)?$/i.test(text)) return null;
  if (/^\d+$/.test(text) && Number(text) <= maxHops) return Number(text);
  const networks = splitList(text);
  if (networks.length > 0 && networks.every(isIpNetwork)) return networks;
  throw new Error(
    `off, the addresses or networks of your own proxies separated by commas (10.0.0.5, 10.1.0.0/16, loopback), or their number (1 to ${maxHops})`,
  );
}

/** Whether an IP address belongs to this machine or to a private network (RFC 1918, RFC 4193). */
export function isPrivateIpAddress(address: string): boolean {
  const read = normalizeIpAddress(address);
  return read !== null && ['loopback', 'private', 'linkLocal', 'uniqueLocal'].includes(ipaddr.parse(read).range());
}

export function isIpInNetworks(address: string | undefined, networks: readonly string[]): boolean {
  const read = normalizeIpAddress(address);
  if (read === null) return false;
  const parsed = ipaddr.parse(read);
  return networks.some((network) => {
    if (namedNetworks.includes(network)) return parsed.range().toLowerCase() === network;
    const [base, bits] = ipaddr.isValidCIDR(network) ? ipaddr.parseCIDR(network) : [ipaddr.process(network), null];
    if (base.kind() !== parsed.kind()) return false;
    return parsed.match(base, bits ?? (base.kind() === 'ipv4' ? 32 : 128));
  });
}

/** Parses a comma-separated list of IP addresses and networks. Unlike `parseTrustedProxies`, rejects a number of hops. */
export function parseIpNetworks(text: string): readonly string[] {
  if (text === '') return [];
  const proxies = parseTrustedProxies(text);
  if (Array.isArray(proxies)) return proxies as readonly string[];
  throw new Error('addresses or networks separated by commas (10.0.0.5, 10.1.0.0/16, loopback)');
}

function isIpNetwork(text: string): boolean {
  if (namedNetworks.includes(text) || isIP(text) !== 0) return true;
  return ipaddr.isValidCIDR(text) && ipaddr.parseCIDR(text)[1] > 0;
}
