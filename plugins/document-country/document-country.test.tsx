// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/engine/core/json.ts';
import { EngineProvider, type EngineServices } from '../../src/engine/react/engine-context.ts';
import type { OperationResponseState } from '../../src/engine/react/widget.ts';
import DocumentType from '../document-type/widget.tsx';
import { createFakeForm, createFakeParts } from '../../tests/plugins/fake-form.ts';
import { DrawnWidget } from '../../tests/plugins/drawn-widget.tsx';
import { localizeCountries, parseCountriesWithDocumentTypes } from './countries.ts';
import DocumentCountry from './widget.tsx';

const services = { t: (key: string) => key } as unknown as EngineServices; // a partial fake: the widget reads only the translations

const type = (codigo: string) => ({ tipo_documento: { codigo, nombre: codigo.toUpperCase() } });
const answer = [
  { codigo: 'uy', nombre: 'Uruguay', documentos: [type('ci'), type('psp')] },
  { codigo: 'ar', nombre: 'Argentina', documentos: [type('dni')] },
  { codigo: 'xx', nombre: 'Sin documentos', documentos: [] },
];

const ready: OperationResponseState = { state: 'ready', data: answer };

function draw(values: Record<string, unknown>, options = {}, source = ready) {
  const { form, field } = createFakeForm({ pais: undefined, tipo: undefined, ...values });
  const createParts = (name: string, own: JsonObject) =>
    createFakeParts({ form, field }, name, { source, options: { source: 'x', ...own } });
  render(
    <EngineProvider value={services}>
      <DrawnWidget widget={DocumentCountry} {...createParts('pais', { typeField: 'tipo', ...options })} />
      <DrawnWidget widget={DocumentType} {...createParts('tipo', { countryField: 'pais' })} />
    </EngineProvider>,
  );
  const select = (id: string) => {
    const found = document.getElementById(id);
    if (!(found instanceof HTMLSelectElement)) throw new Error(`no select ${id}`);
    return found;
  };
  return { field, country: select('pais'), type: select('tipo') };
}

const names = (select: HTMLSelectElement) => [...select.options].map(({ text }) => text);

afterEach(cleanup);

test('localizeCountries gives Portuguese names in Portuguese order, after the first country', () => {
  const answer = [
    ['uy', 'Uruguay'],
    ['de', 'Alemania'],
    ['us', 'Estados Unidos'],
    ['za', 'Sudáfrica'],
    ['xx', 'Sin nombre'],
  ].map(([codigo, nombre]) => ({ codigo, nombre, documentos: [] }));
  const named = (language: string) => localizeCountries(language, answer).map(({ name }) => name);
  expect(named('pt')).toEqual(['Uruguai', 'África do Sul', 'Alemanha', 'Estados Unidos', 'Sin nombre']);
  expect(named('es')).toEqual(['Uruguay', 'Alemania', 'Estados Unidos', 'Sudáfrica', 'Sin nombre']);
});

describe('[VAL-06] document-country widget', () => {
  test('preselects no country, and disables the document type', () => {
    const { country, type: types } = draw({});
    expect(names(country)).toEqual(['choose', 'Uruguay', 'Argentina', 'Sin documentos']);
    expect(country.value).toBe('');
    expect(types.disabled).toBe(true);
  });

  test('offers the document types of the chosen country and selects the first', () => {
    const { field, country, type: types } = draw({});
    fireEvent.change(country, { target: { value: 'uy' } });
    expect(field('pais').value).toBe('uy');
    expect(field('tipo').value).toBe('ci');
    expect(names(types)).toEqual(['choose', 'CI', 'PSP']);
    expect(types.disabled).toBe(false);
  });

  test('selects the only document type of a country and disables the select', () => {
    const { field, country, type: types } = draw({ pais: 'uy', tipo: 'psp' });
    fireEvent.change(country, { target: { value: 'ar' } });
    expect(field('tipo').value).toBe('dni');
    expect([types.value, types.disabled]).toEqual(['dni', true]);
  });

  test('clears the document type if the chosen country has none', () => {
    const { field, country } = draw({ pais: 'uy', tipo: 'ci' });
    fireEvent.change(country, { target: { value: 'xx' } });
    expect(field('tipo').value).toBeUndefined();
  });

  test('selects the first type of a preset country, and keeps a type that the country has', () => {
    expect(draw({ pais: 'uy' }).field('tipo').value).toBe('ci');
    cleanup();
    expect(draw({ pais: 'uy', tipo: 'psp' }).field('tipo').value).toBe('psp');
  });

  test('leaves out the countries of the option `exclude`', () => {
    expect(names(draw({}, { exclude: ['uy'] }).country)).toEqual(['choose', 'Argentina', 'Sin documentos']);
  });

  test('reports a blur to the form', () => {
    const { field, country } = draw({});
    act(() => {
      fireEvent.blur(country);
    });
    expect(field('pais').blur).toHaveBeenCalledTimes(1);
  });

  test('disables the select until the list has loaded', () => {
    expect(draw({ pais: 'uy' }, {}, { state: 'loading' }).country.disabled).toBe(true);
  });
});

test.each<[unknown, string]>([
  [null, 'null'],
  [{}, 'no list'],
  [[null, 4, { codigo: 'uy' }], 'entries of another shape'],
])('readCountries returns no country for %j (%s)', (data) => {
  expect(parseCountriesWithDocumentTypes(data)).toEqual([]);
});

test('readCountries leaves out a document type of another shape', () => {
  expect(parseCountriesWithDocumentTypes([{ codigo: 'uy', nombre: 'Uruguay', documentos: [{}, type('ci')] }])).toEqual([
    { code: 'uy', name: 'Uruguay', types: [{ code: 'ci', name: 'CI' }] },
  ]);
});
