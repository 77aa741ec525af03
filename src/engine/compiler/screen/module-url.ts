import { hashForUrl } from '../sources/hash.ts';

/** Pattern of module URLs, which contain the hash of the source. */
const pattern = /^\/definitions\/[\w%.-]{1,200}\.([A-Za-z0-9]{16})\.js$/;

export function buildModuleUrl(name: string, source: string): string {
  return `/definitions/${name}.${hashForUrl(source)}.js`;
}

export function isModuleUrl(url: string): boolean {
  return pattern.test(url);
}

export function hasContentHash(url: string, source: string): boolean {
  return pattern.exec(url)?.[1] === hashForUrl(source);
}
