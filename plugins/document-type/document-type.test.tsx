// @vitest-environment happy-dom
import { cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { createFakeForm, createFakeParts } from '../../tests/plugins/fake-form.ts';
import { DrawnWidget } from '../../tests/plugins/drawn-widget.tsx';
import { EngineProvider, type EngineServices } from '../../src/engine/react/engine-context.ts';
import type { OperationResponseState } from '../../src/engine/react/widget.ts';
import DocumentType from './widget.tsx';

const services = { t: (key: string) => key } as unknown as EngineServices; // a partial fake: the widget reads only the translations

const named = (codigo: string) => ({ tipo_documento: { codigo, nombre: codigo.toUpperCase() } });
const ready: OperationResponseState = {
  state: 'ready',
  data: [
    { codigo: 'uy', nombre: 'Uruguay', documentos: [named('ci'), named('psp')] },
    { codigo: 'ar', nombre: 'Argentina', documentos: [named('dni')] },
  ],
};

function draw(pais: unknown, tipo: unknown, source = ready) {
  const { form, field } = createFakeForm({ pais, tipo });
  render(
    <EngineProvider value={services}>
      <DrawnWidget
        widget={DocumentType}
        {...createFakeParts({ form, field }, 'tipo', { source, options: { source: 'x', countryField: 'pais' } })}
      />
    </EngineProvider>,
  );
  const select = document.getElementById('tipo');
  if (!(select instanceof HTMLSelectElement)) throw new Error('no select');
  return { select, field: field('tipo') };
}

afterEach(cleanup);

test.each<[unknown, unknown, string[], string, boolean, string]>([
  [undefined, undefined, ['choose'], '', true, 'no country'],
  ['uy', 'psp', ['choose', 'CI', 'PSP'], 'psp', false, 'two types'],
  ['uy', 'dni', ['choose', 'CI', 'PSP'], '', false, 'a type of another country'],
  ['ar', 'dni', ['choose', 'DNI'], 'dni', true, 'the only type is selected'],
  ['ar', undefined, ['choose', 'DNI'], '', false, 'the only type is not chosen yet'],
  ['zz', undefined, ['choose'], '', true, 'unknown country'],
])('[VAL-06] document-type widget for country %s and type %s offers %j (%s)', (pais, tipo, names, value, disabled) => {
  const { select } = draw(pais, tipo);
  expect([...select.options].map(({ text }) => text)).toEqual(names);
  expect([select.value, select.disabled]).toEqual([value, disabled]);
});

test('[VAL-06] document-type widget stores the chosen type and reports a blur', () => {
  const { select, field } = draw('uy', 'ci');
  fireEvent.change(select, { target: { value: 'psp' } });
  expect(field.value).toBe('psp');
  fireEvent.blur(select);
  expect(field.blur).toHaveBeenCalledTimes(1);
});

test('document-type widget is disabled while the list loads', () => {
  expect(draw('uy', 'ci', { state: 'loading' }).select.disabled).toBe(true);
});
