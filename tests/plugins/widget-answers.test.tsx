// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import DateGrid from '../../plugins/date-grid/widget.tsx';
import dateGridTexts from '../../plugins/date-grid/texts.json' with { type: 'json' };
import DateParts from '../../plugins/date-parts/widget.tsx';
import DocumentCountry from '../../plugins/document-country/widget.tsx';
import DocumentType from '../../plugins/document-type/widget.tsx';
import TimeList from '../../plugins/time-list/widget.tsx';
import type { ValuesByName } from '../../src/engine/core/json.ts';
import { fillPlaceholders } from '../../src/engine/core/messages.ts';
import { createEngine } from '../../src/engine/react/create-engine.tsx';
import { EngineProvider } from '../../src/engine/react/engine-context.ts';
import type { Widget } from '../../src/engine/react/widget.ts';

afterEach(cleanup);

const countries = {
  state: 'ready',
  data: [
    {
      codigo: 'uy',
      nombre: 'Uruguay',
      documentos: [{ tipo_documento: { codigo: 'ci', nombre: 'Cédula de identidad' } }],
    },
    { codigo: 'br', nombre: 'Brasil', documentos: [{ tipo_documento: { codigo: 'psp', nombre: 'Pasaporte' } }] },
  ],
} as const;
const loading = { state: 'loading' } as const;

const texts: Readonly<Record<string, ValuesByName>> = {
  es: { ...dateGridTexts.es, language: 'es' },
  pt: { ...dateGridTexts.pt, language: 'pt' },
};

function readAnswer(
  { Answer }: Widget,
  value: string,
  language: 'es' | 'pt',
  source: typeof countries | typeof loading,
) {
  if (!Answer) throw new Error('the widget has no answer');
  const t = (key: string, values: ValuesByName = {}) => fillPlaceholders(String(texts[language]?.[key] ?? key), values);
  const options = { source: 'getCountries', countryField: 'pais' };
  const { container } = render(
    <EngineProvider value={createEngine({ source: () => source })}>
      <Answer value={value} values={{ pais: 'br' }} options={options} language={language} t={t} />
    </EngineProvider>,
  );
  return container.textContent;
}

test.each<[string, Widget, string, 'es' | 'pt', typeof countries | typeof loading, string]>([
  ['the day of date-grid', DateGrid, '2026-11-30', 'es', loading, 'lunes 30 de noviembre'],
  ['the day of date-grid in Portuguese', DateGrid, '2026-11-30', 'pt', loading, 'segunda-feira 30 de novembro'],
  ['the time of time-list', TimeList, '10:30:00', 'es', loading, '10:30'],
  ['the date of date-parts', DateParts, '1990-03-01', 'es', loading, '1 de marzo de 1990'],
  ['the name of a country', DocumentCountry, 'br', 'es', countries, 'Brasil'],
  ['the code of a country while its name loads', DocumentCountry, 'br', 'es', loading, 'br'],
  ['the name of a document type', DocumentType, 'psp', 'es', countries, 'Pasaporte'],
  ['the name of a document type in Portuguese', DocumentType, 'psp', 'pt', countries, 'Passaporte'],
  ['the code of a document type of another country', DocumentType, 'ci', 'es', countries, 'ci'],
])('[ENG-10] a review shows %s', (_, widget, value, language, source, shown) => {
  expect(readAnswer(widget, value, language, source)).toBe(shown);
});
