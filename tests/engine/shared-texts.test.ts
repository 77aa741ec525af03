import { describe, expect, test } from 'vitest';
import { sampleProject, loadProject } from './support/project.ts';

const es = 'schemas/_shared/texts/portal.json';
const pt = 'schemas/_shared/texts/portal.pt.json';
const texts = { [es]: { hello: 'Hola, {name}', bye: 'Chau' }, [pt]: { hello: 'Olá, {name}', bye: 'Tchau' } };

const problemsWith = async (changes: Readonly<Record<string, unknown>>) =>
  (await loadProject({ ...sampleProject, ...texts, ...changes })).problems;

describe('[ANA-01] shared texts in schemas/_shared/texts', () => {
  test('are valid in both languages, or only in the base language', async () => {
    expect(await problemsWith({})).toEqual([]);
    expect((await loadProject({ ...sampleProject, [es]: texts[es] })).problems).toEqual([]);
  });

  test.each([
    ['a missing text', pt, { hello: 'Olá, {name}' }, '/bye', 'The text of /bye is missing.'],
    ['a missing placeholder', pt, { ...texts[pt], hello: 'Olá' }, '/hello', '{name} is missing here.'],
    ['an unknown placeholder', pt, { ...texts[pt], bye: 'Tchau {name}' }, '/bye', '{name} has no value here.'],
    ['a text with an unknown key', es, { hello: 'Hola, {name}' }, '/bye', `${es} has no text of this key.`],
    ['an empty text', es, { ...texts[es], bye: '' }, '/bye', '"bye" must not be empty.'],
    ['a number instead of a text', es, { ...texts[es], bye: 1 }, '/bye', '"bye" must be string.'],
  ])('[ANA-02] report %s', async (_, file, content, pointer, message) => {
    const told = await problemsWith({ [file]: content });
    expect(told.map(({ pointer, message }) => [pointer, message])).toEqual([[pointer, message]]);
  });
});
