import * as regexpp from '@eslint-community/regexpp';
import * as analysis from 'regexp-ast-analysis';
import * as scslre from 'scslre';

const packages: Readonly<Record<string, object>> = {
  scslre,
  '@eslint-community/regexpp': regexpp,
  'regexp-ast-analysis': analysis,
};

/** Replaces Node's `createRequire`, with which the compiler loads packages lazily. The playground bundles these packages. */
export function createRequire(): (name: string) => object | undefined {
  return (name) => packages[name];
}
