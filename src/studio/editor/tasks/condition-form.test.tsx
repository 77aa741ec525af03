// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { JsonLogic } from '../../../engine/core/flow-and-screen-types.ts';
import { ConditionForm } from './condition-form.tsx';
import { parseRuleConditions, type conditionOperators, type ConditionSubjects } from './rule-conditions.ts';

afterEach(cleanup);

const subjects: ConditionSubjects = {
  list: [
    ['flags.ayuda', 'la opción ayuda'],
    ['form.edad', 'Edad'],
    ['form.pais', 'País'],
  ],
  kinds: {
    'flags.ayuda': { kind: 'boolean' },
    'form.edad': { kind: 'number' },
    'form.pais': {
      kind: 'text',
      choices: [
        ['uy', 'Uruguay'],
        ['br', 'Brasil'],
      ],
    },
  },
};

/** Renders the form with a rule. `onApply` receives the resulting rule. */
function open(rule: JsonLogic) {
  const onApply = vi.fn();
  const start = parseRuleConditions(rule);
  if (!start) throw new Error('the builder cannot say this rule');
  render(
    <ConditionForm
      rule={{ kind: 'visible', pointer: '', place: 'Calle', logic: rule, subjects, names: {}, change: vi.fn() }}
      start={start}
      onApply={onApply}
      onDone={vi.fn()}
    />,
  );
  return (): unknown => {
    fireEvent.click(screen.getByRole('button', { name: 'Aplicar' }));
    return onApply.mock.calls.at(-1)?.[0];
  };
}

test.each<JsonLogic>([
  { '==': [{ var: 'flags.ayuda' }, true] },
  { '==': [{ var: 'form.edad' }, '18'] },
  { '!=': [{ var: 'context.intentos' }, 3] },
  {
    and: [
      { '!': { or: [{ var: 'flags.ayuda' }, { var: 'form.edad' }] } },
      { '!=': [{ var: 'form.edad' }, { var: 'context.n' }] },
    ],
  },
])('[EST-08] condition form writes the unedited rule %j back unchanged', (rule) => {
  expect(open(rule)()).toEqual(rule);
});

test('[EST-08] condition form writes a value in the type of its subject', () => {
  const applied = open({ '==': [{ var: 'context.intentos' }, 3] });
  fireEvent.change(screen.getByLabelText('Valor'), { target: { value: '4' } });
  expect(applied()).toEqual({ '==': [{ var: 'context.intentos' }, 4] });
  fireEvent.change(screen.getByLabelText('Qué'), { target: { value: 'flags.ayuda' } });
  fireEvent.change(screen.getByLabelText('Valor'), { target: { value: 'false' } });
  expect(applied()).toEqual({ '==': [{ var: 'flags.ayuda' }, false] });
});

const choose = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test.each<[test: (typeof conditionOperators)[number], rule: JsonLogic]>([
  ['set', { var: 'form.edad' }],
  ['unset', { '!': { var: 'form.edad' } }],
  ['==', { '==': [{ var: 'form.edad' }, 18] }],
  ['!=', { '!=': [{ var: 'form.edad' }, 18] }],
  ['===', { '===': [{ var: 'form.edad' }, 18] }],
  ['!==', { '!==': [{ var: 'form.edad' }, 18] }],
  ['>', { '>': [{ var: 'form.edad' }, 18] }],
  ['>=', { '>=': [{ var: 'form.edad' }, 18] }],
  ['<', { '<': [{ var: 'form.edad' }, 18] }],
  ['<=', { '<=': [{ var: 'form.edad' }, 18] }],
  ['in', { in: [{ var: 'form.edad' }, [18, 19]] }],
  ['notIn', { '!': { in: [{ var: 'form.edad' }, [18, 19]] } }],
  ['contains', { in: [18, { var: 'form.edad' }] }],
  ['lacks', { '!': { in: [18, { var: 'form.edad' }] } }],
])('[EST-16] condition form builds the comparison %s from selected options', (name, rule) => {
  const applied = open({ var: 'flags.ayuda' });
  choose('Qué', 'form.edad');
  choose('Cómo', name);
  if (name === 'in' || name === 'notIn') choose('Valores, uno por línea', '18\n19');
  else if (name !== 'set' && name !== 'unset') choose('Valor', '18');
  expect(applied()).toEqual(rule);
});

test('[EST-16] condition form offers the values of a choice by label, one or several', () => {
  const applied = open({ var: 'flags.ayuda' });
  choose('Qué', 'form.pais');
  choose('Cómo', '==');
  expect([...screen.getByLabelText<HTMLSelectElement>('Valor').options].map(({ text }) => text)).toEqual([
    'Uruguay',
    'Brasil',
  ]);
  choose('Valor', '"br"');
  expect(applied()).toEqual({ '==': [{ var: 'form.pais' }, 'br'] });
  choose('Cómo', 'in');
  fireEvent.click(screen.getByLabelText('Uruguay'));
  expect(applied()).toEqual({ in: [{ var: 'form.pais' }, ['br', 'uy']] });
});

test('[EST-16] condition form compares a subject with another subject', () => {
  const applied = open({ '==': [{ var: 'form.edad' }, 18] });
  choose('Se compara con', 'other');
  choose('Valor', 'form.pais');
  expect(applied()).toEqual({ '==': [{ var: 'form.edad' }, { var: 'form.pais' }] });
});

test('[EST-16] condition form nests groups, each with its own operator', () => {
  const applied = open({ var: 'flags.ayuda' });
  fireEvent.click(screen.getByRole('button', { name: 'Agregar grupo' }));
  const group = within(screen.getByRole('group', { name: '2' }));
  fireEvent.change(within(group.getByRole('group', { name: '2.1' })).getByLabelText('Qué'), {
    target: { value: 'form.edad' },
  });
  fireEvent.click(group.getByRole('button', { name: 'Agregar grupo en 2' }));
  fireEvent.click(group.getByRole('button', { name: 'Quitar la condición 2.3.1' }));
  expect(applied()).toEqual({
    and: [{ var: 'flags.ayuda' }, { or: [{ var: 'form.edad' }, { var: 'flags.ayuda' }, { var: 'flags.ayuda' }] }],
  });
  fireEvent.change(group.getByLabelText('Se tienen que cumplir'), { target: { value: 'nor' } });
  expect(screen.getByRole('status').textContent).toContain('no se cumple que');
  expect(applied()).toMatchObject({ and: [{}, { '!': { or: [{}, {}, {}] } }] });
});
