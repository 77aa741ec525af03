import { createHash } from 'node:crypto';

/** What the address of a module looks like: its name and the hash of its text. */
const pattern = /^\/definitions\/[\w%.-]{1,200}\.([A-Za-z0-9]{16})\.js$/;

/** Hash of a text, as it stands in addresses: 16 letters and digits. */
export function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16).replaceAll(/[-_]/g, 'x');
}

/** The address at which a module is served for ever. */
export function moduleAddress(name: string, source: string): string {
  return `/definitions/${name}.${hash(source)}.js`;
}

/** Whether an address can be one of a module. */
export function isModuleAddress(url: string): boolean {
  return pattern.test(url);
}

/** Whether a text is the module of an address. */
export function isModuleAt(url: string, source: string): boolean {
  return pattern.exec(url)?.[1] === hash(source);
}
