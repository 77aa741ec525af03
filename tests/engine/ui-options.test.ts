import { describe, expect, test } from 'vitest';
import type { ScreenUi } from '../../src/engine/core/flow-and-screen-types.ts';
import { evaluateUiOptions } from '../../src/engine/core/screen-ui-queries.ts';
import { changeSample, sampleProject, loadProject } from './support/project.ts';

const ui = (options: unknown): ScreenUi => ({ title: 'T', fields: { email: { 'ui:options': options as never } } }); // tests pass invalid options too

describe('[ENG-01 CFG-01] evaluateUiOptions', () => {
  test.each([
    [
      'plain values unchanged',
      { rows: 3, exclude: ['uy'], deep: { a: null } },
      { rows: 3, exclude: ['uy'], deep: { a: null } },
    ],
    ['the result of a rule', { meter: { var: 'flags.on' } }, { meter: true }],
    ['the result of a nested rule', { marks: [{ at: { '+': [1, 2] } }] }, { marks: [{ at: 3 }] }],
    ['an option named like an operator unchanged', { max: 5 }, { max: 5 }],
    ['an empty object without options', undefined, {}],
  ])('returns %s', (_, options, expected) => {
    expect(evaluateUiOptions(ui(options), 'email', { flags: { on: true } })).toEqual(expected);
  });
});

describe('[LOG-16] message of a field that cannot be copied', () => {
  test.each([
    [false, true],
    [{ var: 'flags.on' }, true],
    [true, false],
    [undefined, false],
  ])('is part of the screen module for the option copy %j: %s', async (copy, brought) => {
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

describe('[ANA-02] rule in the options of a field', () => {
  test.each([
    ['a fact is accepted', { var: 'flags.on' }, null],
    ['a context variable of every flow is accepted', { var: 'context.email' }, null],
    ['an unknown flag is reported', { var: 'flags.off' }, /"flags.off" does not exist/],
    ['a form value is reported', { var: 'form.kind' }, /"form.kind" does not exist/],
    ['a forbidden operator is reported', { method: ['x', 'y'] }, /not allowed/],
  ])('is checked by the compiler: %s', async (_, rule, message) => {
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
