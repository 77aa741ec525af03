// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { changedEvent } from '../drawn-at.ts';
import { Part } from '../part.tsx';
import { studioAddresses, type StudioSet } from '../studio-data.ts';
import { t } from '../texts.ts';
import { StudioPage } from './studio.tsx';

const file = 'schemas/hola/ui.json';
const set: StudioSet = {
  files: { [file]: { file, version: '1', text: '{ "title": "Hola" }' } },
  texts: { hola: [{ pointer: '/title', texts: { es: 'Hola' } }] },
  messages: {},
  flows: {},
  descriptions: {},
  problems: [],
};
/** A set that neither the list nor the editor of texts can show. */
const broken = { ...set, texts: { hola: [{ pointer: '/title' }] } };
let answered: object | null = null;

beforeEach(() => {
  history.replaceState(null, '', '/?pantalla=hola&editar=texts&mirar=changes');
  vi.stubGlobal('reportError', vi.fn());
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.stubGlobal('fetch', (address: string) =>
    Promise.resolve(
      answered === null
        ? new Response('', { status: 500 })
        : Response.json({ answer: address === studioAddresses.set ? answered : [] }),
    ),
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('[EST-09] what cannot be shown or read says so in its place; what was typed stays, and it is tried again', async () => {
  answered = null;
  render(
    <Part at="studio">
      <StudioPage token="" facts={{ calls: {}, commonErrors: [], flags: [] }} />
    </Part>,
  );
  await screen.findByText(t('crashed'));
  answered = set;
  fireEvent.click(screen.getByRole('button', { name: t('again') }));
  fireEvent.change(await screen.findByLabelText('Español: /title'), { target: { value: 'Buenas' } });

  answered = broken;
  dispatchEvent(new Event(changedEvent));
  expect(await screen.findAllByText(t('crashed')), 'the list and the editor').toHaveLength(2);
  expect(screen.getByText(t('pending', { count: 1 })), 'around it everything stays').toBeTruthy();
  expect(screen.getByRole('tab', { name: t('json') }), 'another editor may do').toBeTruthy();

  answered = set;
  dispatchEvent(new Event(changedEvent));
  const typed = await screen.findByLabelText<HTMLTextAreaElement>('Español: /title');
  expect(typed.value).toBe('Buenas');
});
