import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DefinitionError } from '../../src/engine/compiler/definitions.ts';
import { loadDefinitions } from '../../src/engine/compiler/load-definitions.ts';
import { LoadCache } from '../../src/engine/compiler/sources/load-cache.ts';
import { definitionOptions } from '../../src/server/app/definition-options.ts';
import { mutate, seeded } from '../engine/support/mutate.ts';
import { root } from './support/fixtures.ts';

/** Another seed tries other edits; the failing round says which one it was. */
const seed = Number(process.env['FUZZ_SEED'] ?? 20261125);
const rounds = Number(process.env['LOAD_ROUNDS'] ?? 16);
const options = definitionOptions(root);

const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${folder}/${name}`)
    .sort();
const own = [...filesIn('schemas'), ...filesIn('flows')].filter((file) => !file.startsWith('schemas/_'));
const shared = filesIn('schemas/_shared');

type Texts = ReadonlyMap<string, string | null>;

/** All that a load says: what it serves, or what is wrong. */
async function said(texts: Texts, cache?: LoadCache): Promise<unknown> {
  try {
    const { version, modules, flows, descriptions, findings, languages, manifest, screens, schema, ui, plugins } =
      await loadDefinitions({ ...options, texts }, cache);
    const known = [...screens];
    return {
      ...{ version, modules, flows, descriptions, findings, languages, known },
      manifests: languages.map(manifest),
      parts: known.map((id) => [schema(id), plugins(id), languages.map((language) => ui(id, language))]),
    };
  } catch (error) {
    if (error instanceof DefinitionError) return { problems: error.problems, partial: error.partial };
    throw error;
  }
}

/** Edits one file at random: half of the edits only change a text, which the compiler takes. */
function edited(texts: Texts, random: () => number): { readonly file: string; readonly texts: Texts } {
  const names = random() < 0.2 ? shared : own;
  const file = names[Math.floor(random() * names.length)] ?? '';
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
  const { content } = mutate(text, random);
  const harmless = text.replace(/("(?:title|description|text)": ")/, '$1Otro ');
  const next = random() < 0.5 ? harmless : typeof content === 'string' ? content : null;
  return { file, texts: new Map([...texts, [file, next]]) };
}

test('[EST-09] after any edit a load with what earlier loads worked out says the same as a fresh one', async () => {
  const random = seeded(seed);
  const cache = new LoadCache();
  let kept: Texts = new Map();
  let size = 0;
  const outcomes = { served: 0, refused: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const { file, texts } = edited(kept, random);
    const again = await said(texts, cache);
    expect(again, `FUZZ_SEED=${seed}, round ${round}: ${file}`).toEqual(await said(texts));
    const isServed = typeof again === 'object' && again !== null && 'version' in again;
    outcomes[isServed ? 'served' : 'refused'] += 1;
    if (isServed) kept = texts; // what is broken is mended by the next edit
    size = Math.max(size, cache.size);
  }
  expect(outcomes.served).toBeGreaterThan(rounds / 4);
  expect(outcomes.refused).toBeGreaterThan(0);
  for (let load = 0; load < 10; load += 1) await said(kept, cache);
  expect(cache.size, 'it holds what the set holds, and nothing of each edit').toBeLessThanOrEqual(size);
}, 240_000);

test('[EST-09] after an edit of a screen the others are not compiled again', async () => {
  const cache = new LoadCache();
  const before = new Set((await loadDefinitions(options, cache)).modules);
  const file = 'schemas/contacto/ui.json';
  const texts = new Map([[file, readFileSync(join(root, file), 'utf8').replace('"Contacto"', '"Escribinos"')]]);
  const { modules } = await loadDefinitions({ ...options, texts }, cache);
  const made = modules.filter((module) => !before.has(module)).map(({ url }) => url.split('.', 2).join('.'));
  expect(made.filter((url) => !url.includes('/flow-'))).toEqual([
    '/definitions/contacto.es',
    '/definitions/contacto.pt',
  ]);
});
