import { expect, test } from 'vitest';
import spanish from '../../schemas/_shared/texts/portal.json' with { type: 'json' };
import { createEngine } from '../../src/engine/react.ts';
import type { EngineText } from '../../src/engine/react.ts';

const engine = createEngine();
const keys = [
  'summary.title',
  'summary.one',
  'summary.none',
  'missing',
  'missing.one',
  'wrong',
  'wrong.one',
  'optional',
  'choose',
  'busy',
  'failed',
  'failed.title',
  'retry',
  'offline',
  'outdated',
  'loading',
  'dismiss',
  'newTab',
  'steps',
  'steps.here',
  'remaining',
  'remaining.one',
  'exceeded',
  'exceeded.one',
] as const satisfies readonly EngineText[];

test.each(keys)('[ENG-13] a page without sentences says "%s" in English, with the values of the portal\'s', (key) => {
  const placeholders = [...(spanish as Readonly<Record<string, string>>)[key]!.matchAll(/\{(\w+)\}/g)].map(
    ([, name]) => name!,
  );
  const said = engine.t(key, Object.fromEntries(placeholders.map((name) => [name, `<${name}>`])));
  expect(said).toMatch(/^\W*[A-Z(o<]/);
  for (const name of placeholders) expect(said).toContain(`<${name}>`);
  expect(said).not.toContain('{');
});
