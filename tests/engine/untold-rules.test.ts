import { expect, test } from 'vitest';
import { readDefinitions } from '../../src/engine/compiler/load-definitions.ts';
import { untoldRules, type Case } from '../../src/engine/compiler/mutate/told.ts';
import { good, writeProject, type Files } from './support/project.ts';

const right = { email: 'a@b', secret: 'a'.repeat(8), kind: 'a', terms: true };
const of = (data: object): Case => ({ data: { ...data }, context: { flags: {} } });

const untold = (...cases: readonly Case[]) => untoldOf(good, ...cases);

async function untoldOf(files: Files, ...cases: readonly Case[]) {
  const project = await writeProject(files);
  const { set, screens } = await readDefinitions(project.options).finally(project.remove);
  const screen = screens.find(({ id }) => id === 'form');
  if (!screen) throw new Error('The small project has a form.');
  return untoldRules(set, screen, cases);
}

test('[EST-04] A rule that no case tells is named, with the case that would', async () => {
  const { untold: found } = await untold(of(right));
  expect(found.map(({ field, rule }) => `${field} ${rule}`)).toEqual(
    expect.arrayContaining([
      'email maxLength +1',
      'secret minLength -1',
      'kind enum "b"',
      'terms const',
      'email required',
    ]),
  );
  const limit = found.find(({ field, rule }) => field === 'secret' && rule === 'minLength -1');
  expect(limit?.proposal).toEqual({ ...of({ ...right, secret: 'a'.repeat(7) }), errors: { secret: 'Mínimo 8' } });
});

test('[EST-04] A rule that a case tells is not named', async () => {
  const { untold: found, tried } = await untold(
    of(right),
    of({ ...right, secret: 'a'.repeat(7) }),
    of({ ...right, kind: 'b' }),
    of({ ...right, terms: false }),
    of({ ...right, email: undefined }),
  );
  const names = found.map(({ field, rule }) => `${field} ${rule}`);
  for (const told of ['secret minLength -1', 'secret minLength +1', 'kind enum "b"', 'kind enum "a"', 'email required'])
    expect(names).not.toContain(told);
  expect(tried).toBeGreaterThan(found.length);
});

test('[EST-04 ENG-05] A rule inside of an object of fields is changed and told like any other', async () => {
  const path = 'schemas/form/schema.json';
  const schema = structuredClone(good[path]) as { properties: Record<string, unknown> };
  const place = { type: 'object', required: ['city'], properties: { city: { type: 'string', maxLength: 9 } } };
  const group = { 'ui:title': 'Lugar', city: { 'ui:title': 'Ciudad' } };
  const withGroup = (file: string) => {
    const content = structuredClone(good[file]) as { fields: Record<string, unknown> };
    return { ...content, fields: { ...content.fields, place: group } };
  };
  const files: Files = {
    ...good,
    [path]: { ...schema, required: ['email', 'terms', 'place'], properties: { ...schema.properties, place } },
    'schemas/form/ui.json': withGroup('schemas/form/ui.json'),
    'schemas/form/ui.pt.json': withGroup('schemas/form/ui.pt.json'),
  };
  const inPlace = { ...right, place: { city: 'Salto' } };
  const { untold: found } = await untoldOf(files, of(inPlace));
  const names = found.map(({ field, rule }) => `${field} ${rule}`);
  expect(names).toEqual(expect.arrayContaining(['place.city maxLength +1', 'place.city required', 'place required']));
  expect(found.find(({ rule, field }) => field === 'place.city' && rule === 'maxLength +1')?.proposal).toEqual({
    ...of({ ...right, place: { city: 'a'.repeat(10) } }),
    errors: { 'place.city': 'Máximo 9' },
  });
  const { untold: left } = await untoldOf(files, of(inPlace), of({ ...right, place: { city: 'a'.repeat(10) } }));
  expect(left.map(({ field, rule }) => `${field} ${rule}`)).not.toContain('place.city maxLength +1');
});
