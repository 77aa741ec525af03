import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  adversarialTextGenerators,
  buildMinimalValidValue,
} from '../../src/engine/compiler/files/plugin-export-checks.ts';
import { flattenFields } from '../../src/engine/compiler/screen/schema-fields.ts';
import type { Json, JsonObject } from '../../src/engine/core/json.ts';
import type { PluginValidationRule, PluginRuleModule } from '../../src/engine/core/plugin-rule.ts';
import { measureMs, printTable } from './support/cost.ts';
import { productDefinitions } from '../definitions/support/product-definitions.ts';

const root = resolve(import.meta.dirname, '../..');
/** Maximum length of the tested texts, in characters. A field without a limit may be as long as the body, 64 kB. */
const longest = 16_384;
const maxMs = 20;

const definitions = await productDefinitions;
const schemas = [...definitions.screens].map((id) => definitions.schema(id)).filter((schema) => schema !== null);
const folders = (await readdir(join(root, 'plugins'))).filter((name) =>
  existsSync(join(root, 'plugins', name, 'rule.ts')),
);
const rows: string[][] = [];
afterAll(() => printTable(['plugin', 'costliest text', 'ms'], rows));

/** A function of a plugin that processes a text. */
interface PluginCheck {
  readonly name: string;
  readonly run: (text: string) => unknown;
}

async function listChecks(folder: string): Promise<readonly PluginCheck[]> {
  const module = (await import(join(root, 'plugins', folder, 'rule.ts'))) as PluginRuleModule; // a dynamic import is untyped; the compiler checks that the module is a `PluginRuleModule`
  const { rules = [], formats = {}, operators = {} } = module;
  return [
    ...rules.flatMap((rule) => parametersOf(rule).map((parameters) => createCheck(rule, parameters))),
    ...Object.entries(formats).map(([name, run]) => ({ name, run })),
    ...Object.entries(operators).map(([name, run]) => ({ name, run: (text: string) => run(text, text, text) })),
  ];
}

/**
 * Creates a check of a rule with the same costly text in its value, in the other fields that it reads and in the facts.
 */
function createCheck(rule: PluginValidationRule, parameters: Json): PluginCheck {
  const given = parameters as never; // the cast is safe, because a screen has these parameters, or they were generated from the rule's schema
  const [reads, facts, target] = [rule.reads?.(given) ?? [], rule.facts?.(given) ?? [], rule.target?.(given)];
  const names = [...reads, ...(target === undefined ? [] : [target])];
  return {
    name: `${rule.keyword} ${JSON.stringify(parameters)}`,
    run: (text) => {
      const form = Object.fromEntries(names.map((name) => [name, text]));
      const person = Object.fromEntries([...personFields, ...names].map((name) => [name, text]));
      const context = Object.fromEntries(facts.map((name) => [name, name === 'passwordPolicy' ? policy : person]));
      return rule.check({ value: rule.level === 'form' ? form : text, form, context, parameters: given });
    },
  };
}

const personFields = ['primer_nombre', 'segundo_nombre', 'primer_apellido', 'segundo_apellido', 'email'];
const policy = { pattern: '^(?=.*\\p{Lu})(?=.*\\d).{12,}$', text: '' };

/**
 * Returns the parameters with which the project's screens use a rule. If no screen uses it, returns the smallest valid
 * parameters.
 */
function parametersOf(rule: PluginValidationRule): readonly Json[] {
  const places = schemas.flatMap((schema): readonly JsonObject[] => [schema, ...Object.values(flattenFields(schema))]);
  const used = places.flatMap(({ [rule.keyword]: given }): Json[] => (given === undefined ? [] : [given]));
  const distinct = [...new Set(used.map((given) => JSON.stringify(given)))].map((text) => JSON.parse(text) as Json);
  return distinct.length > 0 ? distinct : [buildMinimalValidValue(rule.parameters)];
}

/**
 * Yields increasing sizes, each a quarter larger than the previous one, so that an exponential cost fails the test
 * before a run takes forever.
 */
function* listSizes(): Iterable<number> {
  for (let size = 16; size < longest; size = Math.ceil(size * 1.25)) yield size;
  yield longest;
}

describe('[SEG-04] CPU cost of plugins', () => {
  test.each(folders)('checks a text of up to 16,384 characters in at most 20 ms: plugins/%s', async (folder) => {
    const checks = await listChecks(folder);
    let worst: [text: string, ms: number] = ['', 0];
    const slow: string[] = [];
    for (const { name, run } of checks) {
      for (const [kind, make] of Object.entries(adversarialTextGenerators)) {
        for (const size of listSizes()) {
          const text = make(size);
          const ms = await measureMs(() => run(text), maxMs / 4, 8);
          if (ms > worst[1]) worst = [`${name}: ${kind}`, ms];
          if (ms <= maxMs) continue;
          slow.push(`plugins/${folder}: ${name} takes ${Math.round(ms)} ms for ${size} characters, ${kind}`);
          break;
        }
      }
    }
    rows.push([folder, worst[0], worst[1].toFixed(1)]);
    expect(slow).toEqual([]);
  });
});
