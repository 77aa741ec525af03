import { describe, expect, test } from 'vitest';
import { sampleProject, loadProject } from './support/project.ts';

const es = 'schemas/_shared/texts/portal.json';
const pt = 'schemas/_shared/texts/portal.pt.json';
const texts = { [es]: { hello: 'Hola, {name}', bye: 'Chau' }, [pt]: { hello: 'Olá, {name}', bye: 'Tchau' } };

const problemsWith = async (changes: Readonly<Record<string, unknown>>) =>
  (await loadProject({ ...sampleProject, ...texts, ...changes })).problems;

describe('[ANA-01] the sentences of what no screen declares', () => {
  test('are fine in both languages, or in the base language alone', async () => {
    expect(await problemsWith({})).toEqual([]);
    expect((await loadProject({ ...sampleProject, [es]: texts[es] })).problems).toEqual([]);
  });

  test.each([
    ['a text that is missing', pt, { hello: 'Olá, {name}' }, '/bye', 'The text of /bye is missing.'],
    ['a placeholder that is lost', pt, { ...texts[pt], hello: 'Olá' }, '/hello', '{name} is missing here.'],
    ['a placeholder that is wrong', pt, { ...texts[pt], bye: 'Tchau {name}' }, '/bye', '{name} has no value here.'],
    ['a text of another key', es, { hello: 'Hola, {name}' }, '/bye', `${es} has no text of this key.`],
    ['an empty text', es, { ...texts[es], bye: '' }, '/bye', '"bye" must not be empty.'],
    ['a number in place of a text', es, { ...texts[es], bye: 1 }, '/bye', '"bye" must be string.'],
  ])('[ANA-02] %s is told at its place', async (_, file, content, pointer, message) => {
    const told = await problemsWith({ [file]: content });
    expect(told.map(({ pointer, message }) => [pointer, message])).toEqual([[pointer, message]]);
  });
});
