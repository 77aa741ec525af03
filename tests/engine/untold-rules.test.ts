import { expect, test } from 'vitest';
import { readDefinitions } from '../../src/engine/compiler/load-definitions.ts';
import { untoldRules, type Case } from '../../src/engine/compiler/mutate/told.ts';
import { good, writeProject } from './support/project.ts';

const right = { email: 'a@b', secret: 'a'.repeat(8), kind: 'a', terms: true };
const of = (data: object): Case => ({ data: { ...data }, context: { flags: {} } });

async function untold(...cases: readonly Case[]) {
  const project = await writeProject(good);
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
