import { hashForUrl } from '../sources/hash-for-url.ts';

const moduleUrlPattern = /^\/definitions\/[\w%.-]{1,200}\.([A-Za-z0-9]{16})\.js$/;

export function buildModuleUrl(name: string, source: string): string {
  return `/definitions/${name}.${hashForUrl(source)}.js`;
}

export function isModuleUrl(url: string): boolean {
  return moduleUrlPattern.test(url);
}

export function matchesContentHash(url: string, source: string): boolean {
  return moduleUrlPattern.exec(url)?.[1] === hashForUrl(source);
}
