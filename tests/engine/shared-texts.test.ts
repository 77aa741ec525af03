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

  test.each<[mistake: string, file: string, content: object, pointer: string, message: string, more?: object]>([
    ['a missing text', pt, { hello: 'Olá, {name}' }, '/bye', 'The text of /bye is missing.'],
    ['a missing placeholder', pt, { ...texts[pt], hello: 'Olá' }, '/hello', '{name} is missing here.'],
    [
      'a renamed placeholder in the language that has the usual name elsewhere',
      es,
      { hello: 'Hola, {nombre}', bye: 'Chau, {name}' },
      '/hello',
      `{nombre} is here, but ${pt} has {name}.`,
      { [pt]: { hello: 'Olá, {name}', bye: 'Tchau, {name}' } },
    ],
    [
      'another placeholder in the translation',
      pt,
      { ...texts[pt], hello: 'Olá, {nome}' },
      '/hello',
      `{nome} is here, but ${es} has {name}.`,
    ],
    ['an unknown placeholder', pt, { ...texts[pt], bye: 'Tchau {name}' }, '/bye', '{name} has no value here.'],
    ['a text with an unknown key', pt, { ...texts[pt], more: 'Mais' }, '/more', `${es} has no text of this key.`],
    ['an empty text', es, { ...texts[es], bye: '' }, '/bye', '"bye" must not be empty.'],
    ['a number instead of a text', es, { ...texts[es], bye: 1 }, '/bye', '"bye" must be string.'],
  ])('[ANA-02] report %s', async (_, file, content, pointer, message, more = {}) => {
    const told = await problemsWith({ [file]: content, ...more });
    expect(told.map(({ file, pointer, message }) => [file, pointer, message])).toEqual([[file, pointer, message]]);
  });
});
