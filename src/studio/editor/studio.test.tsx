// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { changedEvent } from '../drawn-at.ts';
import { Part } from '../part.tsx';
import { studioAddresses, type StudioSet } from '../studio-data.ts';
import { t } from '../texts.ts';
import { StudioPage } from './studio.tsx';

const file = 'schemas/hola/ui.json';
const set: StudioSet = {
  files: { [file]: { file, version: '1', text: '{ "title": "Hola" }' } },
  texts: { hola: [{ pointer: '/title', address: '/title', texts: { es: 'Hola' } }] },
  commonTexts: { portal: [{ pointer: '/skip', address: '/skip', texts: { es: 'Saltar', pt: 'Pular' } }] },
  messages: {},
  flows: {},
  descriptions: {},
  shared: { notices: [], definitions: [] },
  problems: [],
};
/** A set that neither the list nor the editor of texts can show. */
const broken = { ...set, texts: { hola: [{ pointer: '/title' }] } };
const noFacts = {
  operations: {},
  commonErrors: [],
  flags: [],
  samples: {},
  widgets: [],
  keywords: [],
  formats: { flow: {}, ui: {}, translation: {}, schema: {} },
};
const noCases = { file: 'tests/fixtures/hola.json', version: null, data: {}, context: {}, list: [] };
let answered: object | null = null;

function answerTo(address: string): object | null {
  if (address === studioAddresses.set) return answered;
  return address.startsWith(studioAddresses.cases) ? noCases : [];
}

beforeEach(() => {
  history.replaceState(null, '', '/?pantalla=hola&editar=texts&mirar=changes');
  vi.stubGlobal('reportError', vi.fn());
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.stubGlobal('fetch', (address: string) =>
    Promise.resolve(
      answered === null ? new Response('', { status: 500 }) : Response.json({ answer: answerTo(address) }),
    ),
  );
});
afterEach(cleanup);

test('[ANA-01] the sentences of what no screen declares are found by their words and edited in both languages', async () => {
  answered = set;
  render(<StudioPage token="" facts={noFacts} />);
  fireEvent.change(await screen.findByLabelText(t('search')), { target: { value: 'pular' } });
  fireEvent.click(screen.getByRole('button', { name: 'portal' }));
  const spanish = screen.getByLabelText(`${t('es')}: /skip`);
  fireEvent.change(spanish, { target: { value: 'Saltar al contenido' } });
  expect(
    [spanish, screen.getByLabelText(`${t('pt')}: /skip`)].map((box) => (box as HTMLTextAreaElement).value),
  ).toEqual(['Saltar al contenido', 'Pular']);
  expect(screen.queryByRole('tab', { name: t('json') })).toBeNull();
});

test('[EST-09] what cannot be shown or read says so in its place; what was typed stays, and it is tried again', async () => {
  answered = null;
  render(
    <Part at="studio">
      <StudioPage token="" facts={noFacts} />
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

test('[EST-09] of two readings under way, the one that was asked for last is shown, whichever comes first', async () => {
  const answers: ((title: string) => void)[] = [];
  vi.stubGlobal('fetch', (address: string) =>
    address === studioAddresses.set
      ? new Promise<Response>((resolve) =>
          answers.push((title) => {
            resolve(
              Response.json({
                answer: { ...set, texts: { hola: [{ pointer: '/title', address: '/title', texts: { es: title } }] } },
              }),
            );
          }),
        )
      : Promise.resolve(Response.json({ answer: noCases })),
  );
  render(<StudioPage token="" facts={noFacts} />);
  await act(() => answers[0]?.('Hola'));
  await screen.findByDisplayValue('Hola');
  dispatchEvent(new Event(changedEvent));
  dispatchEvent(new Event(changedEvent));
  expect(answers).toHaveLength(3);
  await act(() => answers[2]?.('Nuevo'));
  await screen.findByDisplayValue('Nuevo');
  await act(() => answers[1]?.('Viejo'));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(screen.queryByDisplayValue('Viejo')).toBeNull();
});

test('[EST-06] a field or a case is added once the cases of the screen are read, into which it is written', async () => {
  history.replaceState(null, '', '/?pantalla=hola&editar=form&mirar=case');
  let tell = (): void => undefined;
  vi.stubGlobal('fetch', (address: string) =>
    address === studioAddresses.set
      ? Promise.resolve(Response.json({ answer: set }))
      : new Promise<Response>((resolve) => (tell = () => resolve(Response.json({ answer: noCases })))),
  );
  render(<StudioPage token="" facts={noFacts} />);
  const add = await screen.findByRole<HTMLButtonElement>('button', { name: t('addField') });
  const addCase = screen.getByRole<HTMLButtonElement>('button', { name: t('addCase') });
  expect([add.disabled, addCase.disabled]).toEqual([true, true]);
  await vi.waitFor(() => {
    tell(); // they may not have been asked for before
    expect([add.disabled, addCase.disabled]).toEqual([false, false]);
  });
});
