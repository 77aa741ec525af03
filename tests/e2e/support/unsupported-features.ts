import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { parseAst } from 'vite';
import { oldestSupportedBrowsers } from '../../../src/contract/constants.ts';
import { isObject } from '../../../src/engine/core/json.ts';

/** Feature in @mdn/browser-compat-data, with the properties that this file reads. */
interface Feature {
  readonly __compat?: { readonly support: Readonly<Record<string, Support | readonly Support[]>> };
  readonly [name: string]: unknown;
}

interface Support {
  readonly version_added: string | boolean | null;
  readonly version_removed?: string;
  readonly flags?: unknown;
  readonly prefix?: string;
}

const data = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('@mdn/browser-compat-data'), 'utf8')) as {
  readonly api: Readonly<Record<string, Feature>>;
  readonly javascript: { readonly builtins: Readonly<Record<string, Feature>> };
};

const oldest: Readonly<Record<string, string>> = {
  ...oldestSupportedBrowsers,
  safari_ios: oldestSupportedBrowsers.safari,
};

/**
 * Builtins whose methods have names too common to search for. Their use is detected by the name of the builtin, because
 * a browser without the methods also lacks the builtin.
 */
const ownNames = /^(Temporal|Intl|Iterator|DisposableStack|AsyncDisposableStack|Atomics|WebAssembly|Symbol)$/;

/**
 * Features that a supported browser lacks: global objects, static methods such as `URL.canParse`, and methods of
 * builtins.
 */
const missing = indexNames();

/**
 * Finds features in a source that a supported browser lacks, such as `toSpliced`, `URL.canParse`, `new Temporal` or
 * `(?<=`.
 */
export function findUnsupportedFeatures(source: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (!isObject(node) || Array.isArray(node)) return;
    const use = findUse(node);
    if (use !== null) found.add(use);
    Object.values(node).forEach(visit);
  };
  visit(parseAst(source).body);
  return found;
}

function findUse(node: Readonly<Record<string, unknown>>): string | null {
  const nameOf = (part: unknown): string => (isObject(part) && typeof part['name'] === 'string' ? part['name'] : '');
  if (node['type'] === 'MemberExpression' && node['computed'] === false) {
    const name = nameOf(node['property']);
    const path = `${nameOf(node['object'])}.${name}`;
    return missing.statics.has(path) ? path : missing.methods.has(name) ? name : null;
  }
  if (node['type'] === 'NewExpression' || node['type'] === 'CallExpression') {
    const name = nameOf(node['callee']);
    return name.length > 3 && missing.globals.has(name) ? name : null; // skips shorter names, which the minifier generates
  }
  const { regex } = node;
  return isObject(regex) && /\(\?<[=!]/.test(String(regex['pattern'])) ? '(?<=' : null;
}

function indexNames() {
  const globals = new Set<string>();
  const statics = new Set<string>();
  const old = new Set<string>();
  const newer = new Set<string>();
  for (const [group, features] of [
    ['api', data.api],
    ['builtins', data.javascript.builtins],
  ] as const)
    for (const [name, feature] of Object.entries(features)) {
      if (name.startsWith('__') || name.startsWith('RTC')) continue;
      if (feature.__compat && !isSupported(feature)) globals.add(name);
      for (const [member, part] of Object.entries(feature)) {
        if (!isObject(part) || !('__compat' in part)) continue;
        const plain = member.replace(/_static$/, '');
        if ((part as Feature).__compat && !isSupported(part as Feature)) {
          if (isSupported(feature)) statics.add(`${name}.${plain}`);
          if (group === 'builtins' && !ownNames.test(name)) newer.add(plain);
        } else old.add(plain);
      }
    }
  return { globals, statics, methods: new Set([...newer].filter((name) => !old.has(name))) };
}

function isSupported({ __compat }: Feature): boolean {
  return Object.entries(oldest).every(([browser, version]) =>
    [__compat?.support[browser] ?? []]
      .flat()
      .some(
        ({ version_added: added, version_removed: removed, flags, prefix }) =>
          typeof added === 'string' &&
          added !== 'preview' &&
          removed === undefined &&
          flags === undefined &&
          prefix === undefined &&
          compare(added.replace('≤', ''), version) <= 0,
      ),
  );
}

function compare(one: string, other: string): number {
  const [[major = 0, minor = 0] = [], [otherMajor = 0, otherMinor = 0] = []] = [one, other].map((version) =>
    version.split('.').map(Number),
  );
  return major - otherMajor || minor - otherMinor;
}
