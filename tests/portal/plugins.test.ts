// @vitest-environment happy-dom
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadRules, loadWidgets } from '../../src/portal/navigation/load-screen.ts';

const folder = resolve(import.meta.dirname, '../../plugins');
const withFile = (file: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(join(folder, entry.name)).includes(file))
    .map(({ name }) => name);

describe('[PLUG-01] plugins are found by being there', () => {
  test('every one with rules', async () => {
    const names = withFile('rule.ts');
    const { rules, formats } = await loadRules(names);
    expect(names.length).toBeGreaterThan(3);
    expect(rules.size + Object.keys(formats).length).toBeGreaterThanOrEqual(names.length);
    for (const [keyword, rule] of rules) expect(rule.keyword).toBe(keyword);
  });

  test('every one with a widget', async () => {
    const names = withFile('widget.tsx');
    expect(Object.keys(await loadWidgets(names)).sort()).toEqual([...names].sort());
  });

  test('a screen whose rule is unknown is not opened: it would accept what the server refuses', async () => {
    await expect(loadRules(['matches', 'unknown'])).rejects.toThrow('unknown');
    await expect(loadRules(['../src/portal/main'])).rejects.toThrow('main');
  });

  test('a widget that is unknown is left out, and the others are there', async () => {
    expect(Object.keys(await loadWidgets(['password', 'unknown', '__proto__']))).toEqual(['password']);
  });

  test('loading twice is loading once', async () => {
    const [one, two] = [await loadRules(['matches']), await loadRules(['matches'])];
    expect(one.rules.get('matches')).toBeDefined();
    expect(one.rules.get('matches')).toBe(two.rules.get('matches'));
  });

  test('no plugin, no rules', async () => {
    expect(await loadRules([])).toEqual({ rules: new Map(), formats: {} });
  });
});
