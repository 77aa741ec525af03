import * as regexpp from '@eslint-community/regexpp';
import * as analysis from 'regexp-ast-analysis';
import * as scslre from 'scslre';

const packages: Readonly<Record<string, object>> = {
  scslre,
  '@eslint-community/regexpp': regexpp,
  'regexp-ast-analysis': analysis,
};

/** What the compiler loads in Node.js when it first needs it, and a page has from the start. */
export function createRequire(): (name: string) => object | undefined {
  return (name) => packages[name];
}
