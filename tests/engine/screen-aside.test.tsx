// @vitest-environment happy-dom
import { act, cleanup, render, screen as page, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { EngineProvider } from '../../src/engine/react/engine-context.ts';
import { RemainingCharacters } from '../../src/engine/fluent/text-widgets.tsx';
import { draw, services } from '../definitions/support/draw.tsx';
import { loadScreens } from './support/loaded-screens.ts';
import { changeSample, loadProject, type Files } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
type Content = any;

const ui = 'schemas/done/ui.json';
const aside = {
  title: 'Otras maneras',
  parts: [
    { title: 'Por escrito', text: 'A {email}', links: [{ to: 'mailto:{email}', text: 'Escribir' }] },
    {
      title: 'En persona',
      links: [
        { to: '{user}', text: 'Ver', newTab: true },
        { to: '/form', text: 'Nunca', visible: false },
      ],
      visible: { var: 'user' },
    },
  ],
};

/** The sample project without its translation, and with an aside in its last screen. */
function createAside(change: (part: Content) => void = () => undefined): Files {
  const own: Content = structuredClone(aside);
  change(own);
  const files = changeSample(ui, (content: Content) => (content.aside = own));
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.includes('.pt.')));
}

afterEach(cleanup);

test.each([
  [{ user: 'x' }, 'plain', 'Otra vez'],
  [{ user: '' }, 'waiting', 'Hecho'],
])('[ENG-01] screen with the facts %j has the tone of its visible title: %s', async (facts, tone, title) => {
  const files = changeSample(ui, (content: Content) => {
    content.title = [{ text: 'Otra vez', tone: 'plain', visible: { var: 'user' } }, { text: 'Hecho' }];
    content.tone = 'waiting';
  });
  const { done } = await loadScreens(
    Object.fromEntries(Object.entries(files).filter(([path]) => !path.includes('.pt.'))),
  );
  await draw(done!, null, { email: 'a@b.uy', ...facts });
  const heading = page.getByRole('heading', { level: 1 });
  expect([heading.textContent, heading.closest('section')?.dataset['tone']]).toEqual([title, tone]);
});

describe('[ENG-01 CONT-02] aside of a screen', () => {
  test('is a landmark with headings, texts and links, and marks links to a new tab', async () => {
    const { done } = await loadScreens(createAside());
    await draw(done!, null, { email: 'a@b.uy', user: 'https://www.gub.uy/' });
    const panel = within(page.getByRole('complementary', { name: 'Otras maneras' }));
    expect(panel.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'Por escrito',
      'En persona',
    ]);
    expect(panel.getByText('A a@b.uy')).toBeTruthy();
    expect(panel.getByRole('link', { name: 'Escribir' }).getAttribute('href')).toBe('mailto:a@b.uy');
    const outside = panel.getByRole('link', { name: 'Ver newTab' });
    expect([outside.getAttribute('href'), outside.getAttribute('target'), outside.getAttribute('rel')]).toEqual([
      'https://www.gub.uy/',
      '_blank',
      'noopener noreferrer',
    ]);
    expect(panel.queryByText('Nunca')).toBeNull();
  });

  test('is a closed disclosure inside the screen if it is folded, with parts that need no title', async () => {
    const { done } = await loadScreens(
      createAside((own) => {
        own.folded = true;
        delete own.parts[0].title;
      }),
    );
    await draw(done!, null, { email: 'a@b.uy', user: '' });
    expect(page.queryByRole('complementary')).toBeNull();
    const more = page.getByText('Otras maneras').closest('details');
    expect([more?.open, more?.closest('section')?.dataset['screen']]).toEqual([false, 'done']);
    expect(more?.querySelector('a')?.textContent).toBe('Escribir');
    expect(more?.querySelector('h3')).toBeNull();
  });

  test('leaves out parts that are not visible', async () => {
    const { done } = await loadScreens(createAside());
    await draw(done!, null, { email: 'a@b.uy', user: '' });
    expect(page.queryByText('En persona')).toBeNull();
    expect(page.getByText('Por escrito')).toBeTruthy();
  });

  test.each([
    {
      note: 'a link to an unknown path',
      change: (own: Content) => (own.parts[0].links[0].to = '/otra'),
      pointer: '/aside/parts/0/links/0/to',
      message: /No flow has the path/,
    },
    ...['https:evil', 'https:/evil', 'https:///evil', 'https://', 'http:evil', 'https://a@evil.example'].map((to) => ({
      note: `a link to ${to}`,
      change: (own: Content) => (own.parts[0].links[0].to = to),
      pointer: '/aside/parts/0/links/0/to',
      message: /No flow has the path/,
    })),
    {
      note: 'a link to a context variable',
      change: (own: Content) => (own.parts[0].links[0].to = '{email}'),
      pointer: '/aside/parts/0/links/0/to',
      message: /No flow has the path/,
    },
    {
      note: 'a rule on an unknown fact',
      change: (own: Content) => (own.parts[1].visible = { var: 'nadie' }),
      pointer: '/aside/parts/1/visible',
      message: /"nadie" does not exist/,
    },
    {
      note: 'a text with an unknown variable',
      change: (own: Content) => (own.parts[0].text = 'A {nadie}'),
      pointer: '/aside/parts/0/text',
      message: /\{nadie\}/,
    },
    { note: 'no parts', change: (own: Content) => (own.parts = []), pointer: '/aside/parts', message: /fewer than 1/ },
  ])('reports a mistake: $note', async ({ change, pointer, message }) => {
    const { problems } = await loadProject(createAside(change));
    expect(problems.map((problem) => [problem.pointer, problem.message])).toContainEqual([
      pointer,
      expect.stringMatching(message),
    ]);
  });

  test('needs a translation of each of its texts', async () => {
    const { problems } = await loadProject(
      changeSample(ui, (content: Content) => (content.aside = { title: 'T', parts: [{ title: 'P' }] })),
    );
    expect(problems.map(({ pointer, hint }) => `${pointer} ${hint}`)).toEqual([
      '/aside Add them here, translated: {"title":"T","parts":["P"]}.',
    ]);
  });
});

describe('[ENG-01 CONT-06] form rule without a target field', () => {
  const files = Object.fromEntries(
    Object.entries(
      changeSample('schemas/form/schema.json', (content: Content) => {
        content.required = ['kind'];
        content.notEmptyForm = ['email', 'extra', 'terms'];
      }),
    ).filter(([path]) => !path.includes('.pt.')),
  );
  const message = 'No se puede enviar el formulario vacío.';

  test('rejects the form on the server with an error of the form, before the errors of its fields', async () => {
    const { definitions } = await loadProject(files);
    const check = (values: object) =>
      Object.entries(definitions!.check('form', { ...values }, { language: 'es', context: {} }).errors);
    expect(check({})).toEqual([
      ['', message],
      ['kind', 'Falta'],
    ]);
    expect(check({ kind: 'a' })).toEqual([['', message]]);
    expect(check({ kind: 'a', extra: 'hidden, so it does not count' })).toEqual([['', message]]);
    expect(check({ kind: 'a', email: '@' })).toEqual([]);
  });

  test('prevents the submit in the browser and shows the error of the form until the next submit', async () => {
    const { form } = await loadScreens(files);
    const draft = form!.open({ kind: 'a' }, {});
    if (!draft) throw new Error('no form');
    expect(draft.ready, 'the button is enabled without it').toBe(true);
    expect(draft.submit()).toBeNull();
    expect([draft.formError, draft.refusedAtSubmit]).toEqual([message, []]);
    draft.field('email')?.set('@');
    expect(draft.submit()).toEqual({ data: { kind: 'a', email: '@' } });
    expect(draft.formError).toBeNull();
  });
});

test('[CONT-06] RemainingCharacters shows the count at once and announces it when typing pauses', () => {
  vi.useFakeTimers();
  const told: [string, unknown][] = [];
  const t = (key: string, values: unknown) => (told.push([key, values]), `${key} ${JSON.stringify(values)}`);
  const element = (left: number) => (
    <EngineProvider value={{ ...services, t }}>
      <RemainingCharacters left={left} />
    </EngineProvider>
  );
  const { container, rerender } = render(element(5));
  const seen = () => container.querySelector('p')?.textContent;
  const spoken = () => page.getByRole('status').textContent;
  act(() => void vi.advanceTimersByTime(5_000));
  expect([seen(), spoken()], 'before any input').toEqual(['remaining {"count":5}', '']);
  rerender(element(4));
  rerender(element(1));
  expect([seen(), spoken()]).toEqual(['remaining.one {"count":1}', '']);
  act(() => void vi.advanceTimersByTime(999));
  expect(spoken()).toBe('');
  act(() => void vi.advanceTimersByTime(1));
  expect(spoken()).toBe('remaining.one {"count":1}');
  rerender(element(-3));
  act(() => void vi.advanceTimersByTime(1_000));
  expect(spoken()).toBe('exceeded {"count":3}');
  rerender(element(5));
  act(() => void vi.advanceTimersByTime(1_000));
  expect(spoken(), 'after all input was deleted').toBe('remaining {"count":5}');
});
