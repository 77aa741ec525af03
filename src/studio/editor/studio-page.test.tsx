// @vitest-environment happy-dom
import { act, cleanup, configure, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fileChangeEvent } from '../dev-page-data.ts';
import { RetryBoundary } from '../dev-view-header.tsx';
import { studioPaths, type StudioDefinitions } from '../studio-api-types.ts';
import { t } from '../texts.ts';
import { StudioPage } from './studio-page.tsx';

configure({ asyncUtilTimeout: 10_000 }); // a longer timeout, because rendering the entire studio is slow while other tests run

const file = 'schemas/hola/ui.json';
const set: StudioDefinitions = {
  version: '1',
  files: { [file]: { file, version: '1', text: '{ "title": "Hola" }' } },
  texts: { hola: [{ pointer: '/title', address: '/title', texts: { es: 'Hola' } }] },
  commonTexts: { portal: [{ pointer: '/skip', address: '/skip', texts: { es: 'Saltar', pt: 'Pular' } }] },
  documents: [],
  fields: {},
  flows: {},
  descriptions: {},
  guards: {},
  shared: { notices: [], definitions: [] },
  problems: [],
  history: { undo: null, redo: null },
};
/** Definitions that make the entry list and the text editor throw during rendering. */
const broken = { ...set, texts: { hola: [{ pointer: '/title' }] } };
const noReferenceData = {
  operations: {},
  commonErrors: [],
  flags: [],
  personas: [],
  levels: [],
  samples: {},
  widgets: [],
  widgetTitles: {},
  keywords: [],
  rules: {},
  formats: { flow: {}, ui: {}, translation: {}, schema: {} },
  contentValues: {},
};
const noCases = {
  file: 'tests/fixtures/hola.json',
  version: null,
  text: '',
  data: {},
  context: {},
  list: [],
  snapshots: { file: 'tests/fixtures/hola.txt', version: null },
};
let answered: object | null = null;

function answerTo(address: string): object | null {
  if (address === studioPaths.set) return answered;
  return address.startsWith(studioPaths.cases) ? noCases : [];
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
afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

test('[ANA-01] studio finds texts outside the screens by their words, and edits them in both languages', async () => {
  answered = set;
  render(<StudioPage token="" referenceData={noReferenceData} />);
  fireEvent.change(await screen.findByLabelText(t('search')), { target: { value: 'pular' } });
  fireEvent.click(screen.getByRole('treeitem', { name: 'portal skip (Portugués): Pular' }));
  const spanish = screen.getByLabelText(`${t('es')}: skip`);
  fireEvent.change(spanish, { target: { value: 'Saltar al contenido' } });
  expect([spanish, screen.getByLabelText(`${t('pt')}: skip`)].map((box) => (box as HTMLTextAreaElement).value)).toEqual(
    ['Saltar al contenido', 'Pular'],
  );
  expect(screen.queryByRole('tab', { name: t('json') })).toBeNull();
});

test('[EST-10] the start page opens the form for a new journey and closes it', async () => {
  answered = set;
  history.replaceState(null, '', '/');
  render(<StudioPage token="" referenceData={noReferenceData} />);
  const button = await screen.findByRole('button', { name: 'Nuevo recorrido' });
  button.focus();
  fireEvent.click(button);
  const form = within(screen.getByRole('form', { name: 'Nuevo recorrido' }));
  expect(document.activeElement).toBe(form.getByLabelText('Título en español'));
  fireEvent.click(form.getByRole('button', { name: t('cancel') }));
  expect(screen.queryByRole('form')).toBeNull();
  expect(document.activeElement).toBe(button);
});

test('[EST-09] what cannot be shown or read says so in its place; what was typed stays, and it is tried again', async () => {
  answered = null;
  render(
    <RetryBoundary at="studio">
      <StudioPage token="" referenceData={noReferenceData} />
    </RetryBoundary>,
  );
  await screen.findByText(t('crashed'));
  answered = set;
  fireEvent.click(screen.getByRole('button', { name: t('again') }));
  fireEvent.change(await screen.findByLabelText('Español: Título'), { target: { value: 'Buenas' } });

  answered = broken;
  dispatchEvent(new Event(fileChangeEvent));
  expect(await screen.findAllByText(t('crashed')), 'the list, the title and the editor').toHaveLength(3);
  expect(screen.getByText(t('pending', { count: 1 })), 'around it everything stays').toBeTruthy();
  expect(screen.getByRole('tab', { name: t('json') }), 'another editor may do').toBeTruthy();

  answered = set;
  dispatchEvent(new Event(fileChangeEvent));
  const typed = await screen.findByLabelText<HTMLTextAreaElement>('Español: Título');
  expect(typed.value).toBe('Buenas');
});

test('[EST-09] studio requests the cases again only after a change of tests or definitions', async () => {
  const asked = vi.fn(answerTo);
  vi.stubGlobal('fetch', async (address: string) => Response.json({ answer: asked(address) }));
  const cases = () => asked.mock.calls.filter(([address]) => address.startsWith(studioPaths.cases)).length;
  answered = set;
  render(<StudioPage token="" referenceData={noReferenceData} />);
  await screen.findByLabelText('Español: Título');
  await vi.waitFor(() => expect(cases()).toBe(1));
  const change = (tests: boolean) =>
    act(async () => {
      dispatchEvent(new CustomEvent(fileChangeEvent, { detail: { tests } }));
      await new Promise((resolve) => setTimeout(resolve));
    });
  await change(false);
  expect(cases()).toBe(1);
  await change(true);
  await vi.waitFor(() => expect(cases()).toBe(2));
  answered = { ...set, version: '2' };
  await change(false);
  await vi.waitFor(() => expect(cases()).toBe(3));
});

test('[EST-09] studio shows the response to the later of two parallel requests, in any order of the responses', async () => {
  const answers: ((title: string) => void)[] = [];
  vi.stubGlobal('fetch', (address: string) =>
    address === studioPaths.set
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
  render(<StudioPage token="" referenceData={noReferenceData} />);
  await act(() => answers[0]?.('Hola'));
  await screen.findByDisplayValue('Hola');
  dispatchEvent(new Event(fileChangeEvent));
  dispatchEvent(new Event(fileChangeEvent));
  expect(answers).toHaveLength(3);
  await act(() => answers[2]?.('Nuevo'));
  await screen.findByDisplayValue('Nuevo');
  await act(() => answers[1]?.('Viejo'));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(screen.queryByDisplayValue('Viejo')).toBeNull();
});

test('[EST-06] studio adds a field or a case only after it has read the cases of the screen', async () => {
  history.replaceState(null, '', '/?pantalla=hola&editar=form&mirar=case');
  let tell = (): void => undefined;
  vi.stubGlobal('fetch', (address: string) =>
    address === studioPaths.set
      ? Promise.resolve(Response.json({ answer: set }))
      : new Promise<Response>((resolve) => (tell = () => resolve(Response.json({ answer: noCases })))),
  );
  render(<StudioPage token="" referenceData={noReferenceData} />);
  const add = await screen.findByRole<HTMLButtonElement>('button', { name: t('addField') });
  const addCase = screen.getByRole<HTMLButtonElement>('button', { name: t('addCase') });
  expect([add.disabled, addCase.disabled]).toEqual([true, true]);
  await vi.waitFor(() => {
    tell(); // repeats the event, because the component may not have subscribed yet
    expect([add.disabled, addCase.disabled]).toEqual([false, false]);
  });
});

test('[EST-14] studio undoes and redoes input in all files, and restores discarded input, also after a reload', async () => {
  const typed = () => [
    screen.getByLabelText<HTMLTextAreaElement>(`${t('es')}: skip`).value,
    screen.getByLabelText<HTMLTextAreaElement>(`${t('pt')}: skip`).value,
  ];
  const type = (language: 'es' | 'pt', value: string) =>
    fireEvent.change(screen.getByLabelText(`${t(language)}: skip`), { target: { value } });
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  history.replaceState(null, '', '/?comunes=portal');
  answered = set;
  render(<StudioPage token="" referenceData={noReferenceData} />);
  await screen.findByText(t('textsOf', { name: 'portal' }));
  type('es', 'S');
  type('es', 'Sa');
  type('pt', 'Pu');
  press(t('undo'));
  expect(typed()).toEqual(['Sa', 'Pular']);
  expect(screen.getByText(t('undoIn', { files: 'schemas/_shared/texts/portal.pt.json' }))).toBeTruthy();
  press(t('undo'));
  expect(typed(), 'typing on in one text is one step').toEqual(['Saltar', 'Pular']);
  expect(screen.getByRole('button', { name: t('undo') }).getAttribute('aria-disabled')).toBe('true');
  fireEvent.keyDown(document.body, { key: 'y', ctrlKey: true });
  fireEvent.keyDown(document.body, { key: 'Z', ctrlKey: true, shiftKey: true });
  expect(typed()).toEqual(['Sa', 'Pu']);
  fireEvent.keyDown(screen.getByLabelText(`${t('es')}: skip`), { key: 'z', ctrlKey: true });
  expect(typed(), 'a text has an undo of its own').toEqual(['Sa', 'Pu']);
  press(t('discard'));
  expect(typed()).toEqual(['Saltar', 'Pular']);

  dispatchEvent(new Event('pagehide'));
  cleanup();
  render(<StudioPage token="" referenceData={noReferenceData} />);
  await screen.findByText(t('textsOf', { name: 'portal' }));
  await act(() => Promise.resolve()); // until the effects have run that listen to the keyboard
  expect(typed()).toEqual(['Saltar', 'Pular']);
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
  expect(typed()).toEqual(['Sa', 'Pu']);
  expect(screen.getByText(t('pending', { count: 2 }))).toBeTruthy();
});

test('[EST-14] undo reverts unsaved input before the last write, and redo repeats the write before the input', async () => {
  const put: unknown[] = [];
  const portal = 'schemas/_shared/texts/portal.json';
  const writing = { id: 'w', files: [portal] };
  const files = (version: string) => ({ [portal]: { file: portal, version, text: '{ "skip": "Saltar" }' } });
  let now: StudioDefinitions = { ...set, files: files('2'), history: { undo: writing, redo: null } };
  vi.stubGlobal('fetch', (address: string, { method = 'GET', body = '' }: { method?: string; body?: string }) => {
    if (method === 'GET') return Promise.resolve(Response.json({ answer: address === studioPaths.set ? now : [] }));
    put.push([address, JSON.parse(body)]);
    const isUndo = address === studioPaths.undo;
    now = {
      ...now,
      files: files(isUndo ? '1' : '2'),
      history: isUndo ? { undo: null, redo: writing } : { undo: writing, redo: null },
    };
    return Promise.resolve(Response.json({ outcome: 'written', files: Object.values(now.files), partial: false }));
  });
  history.replaceState(null, '', '/?comunes=portal');
  render(<StudioPage token="" referenceData={noReferenceData} />);
  const box = () => screen.findByLabelText<HTMLTextAreaElement>(`${t('es')}: skip`);
  const press = (name: string) => act(() => fireEvent.click(screen.getByRole('button', { name })));
  fireEvent.change(await box(), { target: { value: 'Ir' } });
  await press(t('undo'));
  expect(put, 'what was typed goes first').toEqual([]);
  await press(t('undo'));
  await screen.findByText(t('undoIn', { files: portal }));
  expect(put).toEqual([[studioPaths.undo, { id: 'w' }]]);
  await press(t('redo'));
  await screen.findByText(t('redoIn', { files: portal }));
  expect(put.at(-1)).toEqual([studioPaths.redo, { id: 'w' }]);
  expect((await box()).value).toBe('Saltar');
  await press(t('redo'));
  expect((await box()).value).toBe('Ir');
  expect(screen.queryByRole('alert'), 'over the version that it was typed over').toBeNull();
});

test('[EST-19] studio shows both versions of each conflict, and writes the chosen one', async () => {
  history.replaceState(null, '', '/?pantalla=hola&editar=texts&mirar=changes');
  const own = (version: string, title: string): StudioDefinitions => ({
    ...set,
    files: { [file]: { file, version, text: `{ "title": "${title}", "busy": "${title}…" }` } },
    texts: {
      hola: [
        { pointer: '/title', address: '/title', texts: { es: title } },
        { pointer: '/busy', address: '/busy', texts: { es: `${title}…` } },
      ],
    },
  });
  answered = own('1', 'Hola');
  render(<StudioPage token="" referenceData={noReferenceData} />);
  const title = () => screen.getByLabelText<HTMLTextAreaElement>('Español: Título');
  const busy = () => screen.getByLabelText<HTMLTextAreaElement>(`Español: ${t('place-busy').replace('m', 'M')}`);
  await screen.findByLabelText('Español: Título');
  fireEvent.change(title(), { target: { value: 'Mía' } });
  fireEvent.change(busy(), { target: { value: 'Mía…' } });
  answered = own('2', 'Ajena');
  dispatchEvent(new Event(fileChangeEvent));
  fireEvent.click(await screen.findByRole('button', { name: t('chooseTexts') }));
  const ofTitle = await screen.findByLabelText(`${file} Título`);
  // Queries hidden radio buttons too: without a layout, the focus does not enter a dialog, and its content has no
  // accessible roles.
  const radios = [...ofTitle.querySelectorAll('input')];
  expect(radios.map((radio) => [radio.labels?.[0]?.textContent, radio.checked])).toEqual([
    [`${t('mine')} «Mía»`, true],
    [`${t('now')} «Ajena»`, false],
  ]);
  fireEvent.click(within(ofTitle).getByLabelText(/Ajena/));
  fireEvent.click(screen.getByText(t('takeChosen')));
  expect([title().value, busy().value]).toEqual(['Ajena', 'Mía…']);
  expect([screen.queryByRole('alert'), screen.getByText(t('pending', { count: 1 })).tagName]).toEqual([null, 'P']);
  fireEvent.click(screen.getByRole('button', { name: t('undo') }));
  expect(title().value, 'a choice is a step, too').toBe('Mía');
});
