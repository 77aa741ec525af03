// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Logic } from '../../../engine/core/definition.ts';
import { ConditionForm } from './condition-form.tsx';
import { conditionsOf } from './conditions.ts';

afterEach(cleanup);

/** The form as it opens on a rule, and the rule that it applies. */
function open(rule: Logic) {
  const onApply = vi.fn();
  const start = conditionsOf(rule);
  if (!start) throw new Error('the builder cannot say this rule');
  render(
    <ConditionForm
      field="Calle"
      start={start}
      subjects={[
        ['flags.ayuda', 'la opción ayuda'],
        ['form.edad', 'Edad'],
      ]}
      kinds={{ 'flags.ayuda': 'boolean', 'form.edad': 'number' }}
      labels={{}}
      onApply={onApply}
      onCancel={vi.fn()}
    />,
  );
  return (): unknown => {
    fireEvent.click(screen.getByRole('button', { name: 'Aplicar' }));
    return onApply.mock.calls.at(-1)?.[0];
  };
}

test.each<Logic>([
  { '==': [{ var: 'flags.ayuda' }, true] },
  { '==': [{ var: 'form.edad' }, '18'] },
  { '!=': [{ var: 'context.intentos' }, 3] },
])('[EST-08] %j is written back as it was, whatever it asks for', (rule) => {
  expect(open(rule)()).toEqual(rule);
});

test('[EST-08] what is edited has the kind of its subject', () => {
  const applied = open({ '==': [{ var: 'context.intentos' }, 3] });
  fireEvent.change(screen.getByLabelText('Valor'), { target: { value: '4' } });
  expect(applied()).toEqual({ '==': [{ var: 'context.intentos' }, 4] });
  fireEvent.change(screen.getByLabelText('Qué'), { target: { value: 'flags.ayuda' } });
  fireEvent.change(screen.getByLabelText('Valor'), { target: { value: 'false' } });
  expect(applied()).toEqual({ '==': [{ var: 'flags.ayuda' }, false] });
});
