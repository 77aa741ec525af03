// @vitest-environment happy-dom
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadPluginRules, loadPluginWidgets } from '../../src/portal/navigation/load-screen.ts';

const folder = resolve(import.meta.dirname, '../../plugins');
const withFile = (file: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(join(folder, entry.name)).includes(file))
    .map(({ name }) => name);

describe('[PLUG-01] plugin loading', () => {
  test('finds the rules of every plugin folder', async () => {
    const names = withFile('rule.ts');
    const { rules, formats } = await loadPluginRules(names);
    expect(names.length).toBeGreaterThan(3);
    expect(rules.size + Object.keys(formats).length).toBeGreaterThanOrEqual(names.length);
    for (const [keyword, rule] of rules) expect(rule.keyword).toBe(keyword);
  });

  test('finds the widget of every plugin folder', async () => {
    const names = withFile('widget.tsx');
    expect(Object.keys(await loadPluginWidgets(names)).sort()).toEqual([...names].sort());
  });

  test('rejects an unknown rule, so that no form accepts input that the server rejects', async () => {
    await expect(loadPluginRules(['matches', 'unknown'])).rejects.toThrow('unknown');
    await expect(loadPluginRules(['../src/portal/main'])).rejects.toThrow('main');
  });

  test('omits an unknown widget and returns the others', async () => {
    expect(Object.keys(await loadPluginWidgets(['password', 'unknown', '__proto__']))).toEqual(['password']);
  });

  test('returns the same rule when it is loaded twice', async () => {
    const [one, two] = [await loadPluginRules(['matches']), await loadPluginRules(['matches'])];
    expect(one.rules.get('matches')).toBeDefined();
    expect(one.rules.get('matches')).toBe(two.rules.get('matches'));
  });

  test('returns no rules without plugins', async () => {
    expect(await loadPluginRules([])).toEqual({ rules: new Map(), formats: {} });
  });
});
