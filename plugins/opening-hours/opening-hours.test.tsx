// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { drawWidget } from '../../tests/plugins/drawn-widget.tsx';
import OpeningHours from './widget.tsx';
import texts from './texts.json' with { type: 'json' };

afterEach(cleanup);

function draw(horario: string | undefined, options = {}) {
  const t = (key: string) => (texts.es as Readonly<Record<string, string>>)[key] ?? key;
  return drawWidget(OpeningHours, 'horario', { horario }, { options, label: 'Horario', t }).field;
}
const rows = () => screen.getAllByRole('group').filter((group) => group.tagName !== 'FIELDSET');
const change = (row: number, label: string, value: string) =>
  fireEvent.change(within(rows()[row] as HTMLElement).getByLabelText(label), { target: { value } });

test('[DESK-05] opening-hours widget shows one row per line, and an empty row', () => {
  draw('lun-vie 09:00-17:00 x2\nsáb 10:00-12:00');
  const values = rows().map((row) =>
    [...row.querySelectorAll('input, select')].map((own) => (own as HTMLInputElement).value),
  );
  expect(values).toEqual([
    ['lun', 'vie', '09:00', '17:00', '2'],
    ['sáb', 'sáb', '10:00', '12:00', '1'],
    ['', '', '', '', ''],
  ]);
});

test('[DESK-05] opening-hours widget adds a period by its last row, and drops an emptied one', () => {
  const field = draw('lun-vie 09:00-17:00 x2');
  change(1, 'Desde el', 'sáb');
  change(1, 'Abre', '9:30');
  change(1, 'Cierra', '12');
  expect(field.value).toBe('lun-vie 09:00-17:00 x2\nsáb 09:30-12:00');
  for (const [label, empty] of [
    ['Desde el', ''],
    ['Abre', ''],
    ['Cierra', ''],
  ] as const)
    change(0, label, empty);
  expect(field.value).toBe('sáb 09:30-12:00');
});

test('[DESK-05] opening-hours widget asks for no days of one date', () => {
  const field = draw(undefined, { days: false });
  expect(screen.queryByLabelText('Desde el')).toBeNull();
  change(0, 'Abre', '09:00');
  change(0, 'Cierra', '13:00');
  change(0, 'A la vez', '2');
  expect(field.value).toBe('09:00-13:00 x2');
});
