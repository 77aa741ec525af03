import { describe, expect, test } from 'vitest';
import type { Ui } from '../../src/engine/core/definition.ts';
import { evaluateUiOptions } from '../../src/engine/core/ui.ts';
import { changeSample, sampleProject, loadProject } from './support/project.ts';

const ui = (options: unknown): Ui => ({ title: 'T', fields: { email: { 'ui:options': options as never } } }); // tests pass invalid options too

describe('[ENG-01 CFG-01] options of a field', () => {
  test.each([
    [
      'plain values stay',
      { rows: 3, exclude: ['uy'], deep: { a: null } },
      { rows: 3, exclude: ['uy'], deep: { a: null } },
    ],
    ['a rule is its result', { meter: { var: 'flags.on' } }, { meter: true }],
    ['a rule within a value', { marks: [{ at: { '+': [1, 2] } }] }, { marks: [{ at: 3 }] }],
    ['an option may be named like an operator', { max: 5 }, { max: 5 }],
    ['none at all', undefined, {}],
  ])('%s', (_, options, expected) => {
    expect(evaluateUiOptions(ui(options), 'email', { flags: { on: true } })).toEqual(expected);
  });
});

describe('[LOG-16] what is said of a field that cannot be copied', () => {
  test.each([
    [false, true],
    [{ var: 'flags.on' }, true],
    [true, false],
    [undefined, false],
  ])('comes with the screen that may say it: copy %j, %s', async (copy, brought) => {
    const files = {
      ...changeSample(
        'schemas/form/ui.json',
        (c: Record<string, Record<string, Record<string, unknown>>>) => (c.fields!.extra!['ui:options'] = { copy }),
      ),
      ...Object.fromEntries(
        ['', '.pt'].map((end) => [
          `schemas/_shared/messages${end}.json`,
          { ...(sampleProject[`schemas/_shared/messages${end}.json`] as object), noCopy: 'No se copia' },
        ]),
      ),
    };
    const { definitions, problems } = await loadProject(files);
    expect(problems).toEqual([]);
    const of = (screen: string) =>
      definitions?.modules.find(({ url }) => url.includes(`/${screen}.es.`))?.source.includes('No se copia');
    expect(of('form')).toBe(brought);
  });
});

describe('[ANA-02] a rule in the options is checked', () => {
  test.each([
    ['a fact', { var: 'flags.on' }, null],
    ['a variable of every flow of the screen', { var: 'context.email' }, null],
    ['an unknown flag', { var: 'flags.off' }, /"flags.off" does not exist/],
    ['a field, whose value comes later', { var: 'form.kind' }, /"form.kind" does not exist/],
    ['an operator that is not allowed', { method: ['x', 'y'] }, /not allowed/],
  ])('%s', async (_, rule, message) => {
    const { problems } = await loadProject(
      changeSample('schemas/form/ui.json', (c: Record<string, Record<string, Record<string, unknown>>>) => {
        c.fields!.email!['ui:options'] = { meter: rule };
      }),
    );
    const found = problems.find(({ pointer }) => pointer.startsWith('/fields/email/ui:options/meter'));
    if (message === null) expect(problems).toEqual([]);
    else expect(found?.message).toMatch(message);
  });
});
