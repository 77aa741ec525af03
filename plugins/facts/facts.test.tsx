// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { MemoryRouter } from 'react-router-dom';
import { EngineProvider } from '../../src/engine/react/engine-context.ts';
import { services } from '../../tests/definitions/support/draw.tsx';
import type { JsonObject } from '../../src/engine/core/json.ts';
import { DrawnWidget } from '../../tests/plugins/drawn-widget.tsx';
import { createFakeForm, createFakeParts } from '../../tests/plugins/fake-form.ts';
import FactsWidget from './widget.tsx';

afterEach(cleanup);

const draw = (options: JsonObject) => {
  const { form, field } = createFakeForm({ estado: undefined });
  render(
    <MemoryRouter>
      <EngineProvider value={services}>
        <DrawnWidget widget={FactsWidget} {...createFakeParts({ form, field }, 'estado', { options })} />
      </EngineProvider>
    </MemoryRouter>,
  );
};

test('[ENG-01] facts widget draws its visible rows: a text, a value, a date and time in Montevideo, a link', () => {
  draw({
    rows: [
      { title: 'Uno', text: 'Sí', visible: true },
      { title: 'Dos', text: 'No', visible: null },
      { title: 'Tres', value: 0 },
      { title: 'Cuatro', value: '2026-03-01T02:00:00Z', format: 'moment' },
      { title: 'Cinco', value: null, link: { to: '/x', text: 'Ver' } },
      { title: 'Seis', text: 'Activa', badge: 'on' },
    ],
  });
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'Uno',
    'Tres',
    'Cuatro',
    'Cinco',
    'Seis',
  ]);
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    'Sí',
    '0',
    '28/02/2026, 23:00\u00a0hs',
    '',
    'Ver Cinco',
    'Activa',
  ]);
  expect(screen.getByRole('link', { name: 'Ver Cinco' }).getAttribute('href')).toBe('/x');
  expect(screen.getByText('Activa').dataset['level']).toBe('on');
});

test('[ENG-01] facts widget draws an error as an alert, a warning as a status, and skips invisible notes', () => {
  draw({
    notes: [
      { value: 'Falló.', intent: 'error' },
      { text: 'Cuidado.', intent: 'warning' },
      { text: 'Así es.' },
      { text: 'Nunca.', visible: false },
    ],
  });
  expect(screen.getByRole('alert').textContent).toBe('Falló.');
  expect(screen.getByRole('status').textContent).toBe('Cuidado.');
  expect(screen.getByText('Así es.').className).toBe('');
  expect(screen.queryByText('Nunca.')).toBeNull();
});

test('facts widget draws no rows if its options are invalid', () => {
  draw({ rows: 'x', notes: [1] });
  expect(screen.queryByRole('term')).toBeNull();
});
