import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  DefinitionError,
  type DefinitionProblem,
  type LoadDefinitionsOptions,
} from '../../src/engine/compiler/definitions.ts';
import type { LintOptions } from '../../src/engine/compiler/lint/lint-options.ts';
import type { WordingRules } from '../../src/engine/compiler/lint/wording/wording-faults.ts';
import { loadDefinitions } from '../../src/engine/compiler/load-definitions.ts';
import { DefinitionLoadCache, type StoredCacheResults } from '../../src/engine/compiler/sources/load-cache.ts';
import { contract } from '../engine/support/find-findings.ts';
import { breakFile, createRandom } from '../engine/support/break-file.ts';
import { copyFlow } from '../engine/support/flow-copy.ts';
import { sampleProject, writeProject, type Files } from '../engine/support/project.ts';

/** Seed of the random edits. A failed test prints it. */
const seed = Number(process.env['FUZZ_SEED'] ?? 20261125);
const rounds = Number(process.env['LOAD_ROUNDS'] ?? 10);
const part = await copyFlow('flows/registro.json');
afterAll(part.remove);
const { files, options } = part;
const names = Object.keys(files);
const own = names.filter((file) => !file.startsWith('schemas/_'));
const shared = names.filter((file) => file.startsWith('schemas/_'));

type Texts = ReadonlyMap<string, string | null>;

const trials: StoredCacheResults = new Map();

/** Returns an empty cache that knows the results of trying the plugins, which no test changes. */
const createFreshCache = () => new DefinitionLoadCache(new Map(trials));

beforeAll(async () => {
  const results: StoredCacheResults = new Map();
  await loadDefinitions(options, new DefinitionLoadCache(results));
  for (const [key, result] of results) if (key.startsWith('trial of ')) trials.set(key, result);
});

/** Loads the definitions. Returns the compiled modules, or the problems. */
async function loadResult(given: LoadDefinitionsOptions, cache = createFreshCache()): Promise<unknown> {
  try {
    const { version, modules, flows, descriptions, findings, languages, manifest, screens, schema, ui, plugins } =
      await loadDefinitions(given, cache);
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

/** Edits a random file. Half of the edits change only a text, so that the result compiles. */
function editRandomFile(texts: Texts, random: () => number): { readonly file: string; readonly texts: Texts } {
  const among = random() < 0.2 ? shared : own;
  const file = among[Math.floor(random() * among.length)] ?? '';
  const text = texts.get(file) ?? files[file] ?? '';
  const { content } = breakFile(text, random);
  const harmless = text.replace(/("(?:title|description|text)": ")/, '$1Otro ');
  const next = random() < 0.5 ? harmless : typeof content === 'string' ? content : null;
  return { file, texts: new Map([...texts, [file, next]]) };
}

test('[EST-09] loadDefinitions with a cache returns the same as a fresh load after random edits', async () => {
  const random = createRandom(seed);
  const cache = createFreshCache();
  let kept: Texts = new Map();
  let size = 0;
  const outcomes = { served: 0, refused: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const { file, texts } = editRandomFile(kept, random);
    const again = await loadResult({ ...options, texts }, cache);
    expect(again, `FUZZ_SEED=${seed}, round ${round}: ${file}`).toEqual(await loadResult({ ...options, texts }));
    const isServed = typeof again === 'object' && again !== null && 'version' in again;
    outcomes[isServed ? 'served' : 'refused'] += 1;
    if (isServed) kept = texts; // the next edit starts from the last valid texts
    size = Math.max(size, cache.size);
  }
  expect(outcomes.served).toBeGreaterThan(rounds / 4);
  expect(outcomes.refused).toBeGreaterThan(0);
  for (let load = 0; load < 10; load += 1) await loadResult({ ...options, texts: kept }, cache);
  expect(cache.size, 'the cache does not grow with each edit').toBeLessThanOrEqual(size);
}, 240_000);

test('[EST-09] loadDefinitions with a cache recompiles the screens that use an edited shared file', async () => {
  const cache = createFreshCache();
  const before = await loadDefinitions(options, cache);
  for (const name of ['person', 'person.pt', 'notices', 'messages', 'messages.pt']) {
    const file = `schemas/_shared/${name}.json`;
    const text = (files[file] ?? '').replaceAll(/": "([A-ZÁÉÍÓÚ][^"{}]* [^"{}]*)"/g, '": "$1 Otro"');
    const own = { ...options, texts: new Map([[file, text]]) };
    const again = await loadDefinitions(own, cache);
    expect(again.version, file).not.toBe(before.version);
    expect(again.modules, file).toEqual((await loadDefinitions(own, createFreshCache())).modules);
  }
}, 60_000);

test('[EST-03] loadDefinitions with a cache returns the same analysis as a fresh load after random edits', async () => {
  const random = createRandom(seed);
  const project = await writeProject(sampleProject);
  const cache = createFreshCache();
  const names = Object.keys(sampleProject).filter((name) => !name.includes('_shared'));
  for (let round = 0; round < 30; round += 1) {
    const name = names[Math.floor(random() * names.length)] ?? '';
    const { content, how } = breakFile(JSON.stringify(sampleProject[name], null, 2), random);
    const texts = new Map([[name, typeof content === 'string' ? content : null]]);
    const own = { ...project.options, analysis: contract, texts };
    const again = await loadResult(own, cache);
    expect(again, `FUZZ_SEED=${seed}, round ${round}: ${name}, ${how}`).toEqual(await loadResult(own));
  }
  await project.remove();
});

test('[EST-03] loadDefinitions with a cache returns the findings of a fresh load after edits of a shared file, a screen and another flow', async () => {
  const person = { $defs: { email: { type: 'string', maxLength: 20, pattern: '[a-z]+' } } };
  const other = { id: 'other', initial: 'start', states: { start: { path: '/other', screen: 'other' } } };
  const files = {
    ...sampleProject,
    'schemas/_shared/person.json': person,
    'schemas/other/ui.json': { title: 'Otra pantalla', links: [{ to: '/form', text: 'Volver' }] },
    'schemas/other/ui.pt.json': { title: 'Outra tela', links: { '/form': 'Voltar' } },
    'flows/other.json': other,
  };
  const project = await writeProject(files);
  const cache = new DefinitionLoadCache();
  const listFindings = async (file: string, content: unknown, indent?: number) => {
    const texts = new Map([[file, JSON.stringify(content, null, indent)]]);
    const own = { ...project.options, analysis: contract, texts };
    const again = await loadResult(own, cache);
    expect(again, file).toEqual(await loadResult(own));
    return JSON.stringify(again);
  };
  expect(await listFindings('schemas/_shared/person.json', person)).toContain('"rule":"rule/pattern"');
  expect(await listFindings('schemas/_shared/person.json', person, 2)).toContain('"line":6');
  const schema = structuredClone(sampleProject['schemas/form/schema.json']) as { properties: Record<string, object> }; // cast: the sample above
  schema.properties['kind'] = { type: 'string', enum: ['a', 'b'], default: 'c' };
  expect(await listFindings('schemas/form/schema.json', schema)).toContain('"rule":"rule/choice"');
  expect(await listFindings('flows/other.json', { ...other, context: { storage: ['unread'] } })).toContain(
    '"rule":"data/unread"',
  );
  await project.remove();
});

/** A project whose texts are correct only together with the other files and options. */
const dependentTexts: Files = {
  ...sampleProject,
  'schemas/other/ui.json': {
    title: 'Otra pantalla',
    intro: 'Tocá «Enviar» en 9 días, en 5 días o en /form/nuevo. Es el paso 1 de 2.',
    actions: [
      { event: 'go', text: 'Seguir', primary: true },
      { event: 'more', text: 'Terminar' },
    ],
  },
  'schemas/other/ui.pt.json': { title: 'Outra tela', intro: 'Espere.', actions: { go: 'Continuar', more: 'Acabar' } },
  'schemas/next/ui.json': { title: 'Fin' },
  'schemas/next/ui.pt.json': { title: 'Fim' },
  'flows/other.json': {
    id: 'other',
    initial: 'start',
    progress: [{ state: 'start' }, { state: 'next' }],
    states: {
      start: { path: '/other', screen: 'other', on: { go: 'next', more: 'last' } },
      next: { screen: 'next', type: 'final' },
      last: { screen: 'next', type: 'final' },
    },
  },
};
const [es, pt] = [contract.wording?.['es'], contract.wording?.['pt']];
const dependentContract = {
  ...contract,
  spans: { days: [9 * 24 * 60, 5 * 24 * 60], shorter: [] },
  wording: {
    es: { ...es, press: ['tocá'], spans: { días: 24 * 60 }, steps: ['paso'] },
    pt: { ...pt, same: ['portal'] },
  },
} as LintOptions;

/** Returns the text of a file after a change of its parsed content. */
// oxlint-disable-next-line typescript/no-explicit-any -- edits change parsed JSON files at any position
const change = (file: string, edit: (content: any) => void): Files => {
  const content = structuredClone(dependentTexts[file] ?? {});
  edit(content);
  return { [file]: content };
};
const [form, other] = ['schemas/form/ui.json', 'schemas/other/ui.json'];

test.each<[edit: string, rule: string, file: string, files: Files, options?: Partial<LintOptions>]>([
  ['its text', 'text/voice', form, change(form, (ui) => (ui.title = 'Si puedes, seguí'))],
  [
    'its translation',
    'text/plain',
    'schemas/form/ui.pt.json',
    change('schemas/form/ui.pt.json', (ui) => (ui.title = 'Token')),
  ],
  ['its original', 'text/pair', 'schemas/form/ui.pt.json', change(form, (ui) => (ui.title = 'Formulario 3'))],
  [
    'a text outside of screens',
    'text/plain',
    'schemas/_shared/texts/a.json',
    { 'schemas/_shared/texts/a.json': { a: 'Un token' } },
  ],
  ['a button', 'text/button', other, change(form, (ui) => (ui.actions[0].text = 'Mandar'))],
  [
    'the path of a state',
    'text/link',
    other,
    change('flows/main.json', (flow) => (flow.states.done.path = '/form/nuevo')),
  ],
  [
    'the steps of a flow',
    'text/number',
    other,
    change('flows/other.json', (flow) => flow.progress.push({ state: 'last' })),
  ],
  [
    'the words of the glossary for links',
    'text/link',
    other,
    {},
    { wording: { ...dependentContract.wording, es: { ...es, vague: ['seguir'] } as WordingRules } },
  ],
  [
    'the glossary',
    'text/plain',
    form,
    {},
    { wording: { ...dependentContract.wording, es: { ...es, plain: { formulario: '' } } as WordingRules } },
  ],
  ['the time limits', 'text/limit', other, {}, { spans: { days: [9 * 24 * 60], shorter: [] } }],
])(
  '[EST-03] loadDefinitions with a cache reports a text again after an edit of %s',
  async (_, rule, file, files, more = {}) => {
    const project = await writeProject(dependentTexts);
    const cache = createFreshCache();
    const load = async (own: LoadDefinitionsOptions, cache?: DefinitionLoadCache) =>
      (await loadResult(own, cache)) as { readonly findings: readonly DefinitionProblem[] };
    const has = ({ findings }: Awaited<ReturnType<typeof load>>) =>
      findings.some((own) => own.rule === rule && own.file === file);
    const original = { ...project.options, analysis: dependentContract };
    const texts = new Map(Object.entries(files).map(([path, content]) => [path, JSON.stringify(content)]));
    const edited = { ...original, texts, analysis: { ...dependentContract, ...more } };
    const before = await load(original, cache);
    expect(has(before)).toBe(false);
    const after = await load(edited, cache);
    expect(has(after)).toBe(true);
    expect(after).toEqual(await load(edited));
    expect(await load(original, cache)).toEqual(before);
    await project.remove();
  },
);

test('[EST-09] loadDefinitions with a cache recompiles only the edited screen', async () => {
  const cache = createFreshCache();
  const before = new Set((await loadDefinitions(options, cache)).modules);
  const file = 'schemas/registro-correo/ui.json';
  const texts = new Map([[file, (files[file] ?? '').replace(/"title": "/, '"title": "Otro ')]]);
  const { modules } = await loadDefinitions({ ...options, texts }, cache);
  const made = modules.filter((module) => !before.has(module)).map(({ url }) => url.split('.', 2).join('.'));
  expect(made.filter((url) => !url.includes('/flow-'))).toEqual([
    '/definitions/registro-correo.es',
    '/definitions/registro-correo.pt',
  ]);
});
