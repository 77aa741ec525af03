// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen as page } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ScreenNotice } from '../../src/engine/core/flow-and-screen-types.ts';
import { EngineProvider } from '../../src/engine/react/engine-context.ts';
import type { FormModel } from '../../src/engine/runtime/form/form-model.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import type { ScreenProps } from '../../src/engine/react/flow/screen-view.tsx';
import { ScreenIntro } from '../../src/engine/react/flow/screen-intro.tsx';
import { ThemedScreen } from '../../src/portal/shell/themed-screen.tsx';
import { services } from '../definitions/support/draw.tsx';
import { loadScreens } from './support/loaded-screens.ts';
import { createObjectSchema, text, createTitledFields } from './samples/sample-types.ts';
import { changeSample, sampleProject } from './support/project.ts';
import { createFormFiles } from './support/sample-form.ts';

const summary = () => page.getByRole('group', { name: /^summary/ });

let screens: Readonly<Record<string, LoadedScreen>>;
beforeAll(async () => {
  const spanish = Object.entries(sampleProject).filter(([path]) => !path.includes('.pt.'));
  screens = await loadScreens({
    ...Object.fromEntries(spanish),
    'schemas/form/ui.json': changeSample('schemas/form/ui.json', (c: Record<string, unknown>) => {
      Object.assign(c, {
        title: 'Formulario de {email}',
        intro: [{ text: 'Siempre {email}' }, { text: 'Solo a veces', intent: 'warning', visible: { var: 'flags.on' } }],
        actions: [
          { event: 'submit', text: 'Enviar', primary: true },
          { event: 'back', text: 'Volver' },
          { event: 'more', text: 'Otra cosa', visible: { var: 'flags.on' } },
        ],
        links: [
          { to: '/done', text: 'Ir' },
          { event: 'again', text: 'Repetir' },
          { to: 'mailto:ana@correo.uy', text: 'Escribir' },
          { to: '/form', text: 'Ver', visible: { '==': [{ var: 'context.email' }, 'a@b.uy'] } },
        ],
        sections: [
          { title: '¿Cómo y cuándo?', text: 'Lo que sepas.', fields: ['day', 'count'] },
          { title: '¿Qué más?', fields: ['extra', 'more'] },
        ],
        busy: 'Enviando',
      });
      Object.assign(c.visible as object, { more: { '==': [{ var: 'form.kind' }, 'b'] } });
      Object.assign(c.fields as object, {
        more: { 'ui:title': 'Y más' },
        repeat: { 'ui:title': 'Repetir', 'ui:options': { copy: false } },
        ways: { 'ui:title': 'Avisos', 'ui:enumNames': ['Correo', 'Teléfono', 'Carta'] },
        day: { 'ui:title': 'Día' },
        price: { 'ui:title': 'Precio' },
        terms: {
          'ui:title': 'Acepto',
          'ui:help': 'Marcá la casilla.',
          'ui:links': [{ to: '/done', text: 'Leer las condiciones' }],
        },
        pace: { 'ui:title': 'Ritmo', 'ui:widget': 'radio', 'ui:enumNames': ['Lento', 'Rápido'] },
        count: { 'ui:title': 'Cantidad' },
      });
    })['schemas/form/ui.json'],
    'schemas/form/schema.json': changeSample(
      'schemas/form/schema.json',
      (c: Record<string, Record<string, unknown>>) => {
        Object.assign(c.properties!, {
          ways: { type: 'array', items: { type: 'string', enum: ['mail', 'phone', 'post'] } },
          pace: { type: 'string', enum: ['slow', 'fast'] },
          day: { type: 'string', format: 'date' },
          more: { type: 'string' },
          price: { type: 'number', multipleOf: 0.01 },
          count: { type: 'integer' },
        });
      },
    )['schemas/form/schema.json'],
    'schemas/_shared/messages.json': {
      ...(sampleProject['schemas/_shared/messages.json'] as object),
      items: 'Lista',
      multipleOf: 'Centésimos',
      noCopy: 'No se puede copiar este campo',
    },
    'flows/main.json': changeSample(
      'flows/main.json',
      (c: Record<string, Record<string, Record<string, Record<string, unknown>>>>) => {
        Object.assign(c.states!.form!.on!, { more: { target: 'done' }, again: { target: 'done' } });
      },
    )['flows/main.json'],
  });
});
afterEach(cleanup);

/** Renders a screen with these props. `redraw` re-renders it with changed props. */
async function renderScreen(
  id: string,
  values: Readonly<Record<string, unknown>> = {},
  props: Partial<ScreenProps> = {},
) {
  const screen = screens[id]!;
  const draft: FormModel | null = screen.open(values, props.facts ?? {});
  const events: string[] = [];
  const onEvent = (event: string) => {
    events.push(event);
    if (event === 'submit') act(() => void draft?.submit());
  };
  const element = (change: Partial<ScreenProps>) => (
    <EngineProvider value={services}>
      <ThemedScreen
        screen={screen}
        form={draft}
        context={{}}
        facts={{}}
        notice={null}
        busy={false}
        direction="none"
        onEvent={onEvent}
        onDismiss={() => events.push('dismissed')}
        {...props}
        {...change}
      />
    </EngineProvider>
  );
  const { rerender } = render(element({}));
  await act(async () => undefined);
  return { draft, events, redraw: (change: Partial<ScreenProps>) => act(async () => rerender(element(change))) };
}

const button = (name: string) => page.getByRole('button', { name });
const texts = (role: string) => page.queryAllByRole(role).map(({ textContent }) => textContent);

describe('button that disappears', () => {
  test('moves its focus to the first remaining button', async () => {
    const { redraw } = await renderScreen('form', {}, { facts: { flags: { on: true } } });
    button('Otra cosa').focus();
    await redraw({ facts: { flags: { on: false } } });
    expect(document.activeElement).toBe(button('Enviar'));
  });

  test('leaves the focus where it is if another button has it', async () => {
    const { redraw } = await renderScreen('form', {}, { facts: { flags: { on: true } } });
    button('Volver').focus();
    await redraw({ facts: { flags: { on: false } } });
    expect(document.activeElement).toBe(button('Volver'));
  });
});

test('notice about a field is drawn once, as the error summary with the focus and its link, without a dismiss button', async () => {
  const notice: ScreenNotice = {
    intent: 'warning',
    field: 'email',
    text: 'Ya está',
    link: { to: '/done', text: 'Iniciar sesión' },
  };
  const { draft } = await renderScreen('form', {}, { notice });
  act(() => draft!.refuse({ email: 'Ya está' }, null));
  const boxes = [...document.querySelectorAll('.notice, .form-summary')];
  expect(boxes).toHaveLength(1);
  expect(document.activeElement).toBe(boxes[0]);
  expect([...boxes[0]!.querySelectorAll('a, button')].map(({ textContent }) => textContent)).toEqual([
    'Correo: Ya está',
    'Iniciar sesión',
  ]);
});

describe('[ENG-01] title and texts of a screen', () => {
  test('include the title as heading, document title and name of the form', async () => {
    await renderScreen('done', {}, { context: { email: 'a@b.uy' } });
    expect([page.getByRole('heading', { level: 1 }).textContent, document.title]).toEqual([
      'Listo a@b.uy',
      'Listo a@b.uy',
    ]);
    cleanup();
    await renderScreen('form', {}, { context: { email: 'a@b.uy' } });
    expect(page.getByRole('form', { name: 'Formulario de a@b.uy' })).toBeTruthy();
  });

  test('contain no braces if a variable has no value', async () => {
    await renderScreen('done', {}, { context: { email: null } });
    expect(document.title.trim()).toBe('Listo');
  });

  test('contain the value of a variable as text, never as markup', async () => {
    await renderScreen('done', {}, { context: { email: '<img src=x onerror=alert(1)>' } });
    expect(page.getByRole('heading', { level: 1 }).textContent).toBe('Listo <img src=x onerror=alert(1)>');
    expect(document.querySelector('img')).toBeNull();
  });

  test.each([
    ['forward', true],
    ['back', true],
    ['none', false],
  ] as const)('give the heading the focus after the direction %s: %s', async (direction, focused) => {
    await renderScreen('form', {}, { direction });
    expect(document.activeElement === page.getByRole('heading', { level: 1 })).toBe(focused);
  });

  test.each([
    [true, 1],
    [false, 0],
  ])('show paragraphs, buttons and links by their rules: %s', async (on, count) => {
    await renderScreen('form', {}, { facts: { flags: { on } }, context: { email: on ? 'a@b.uy' : 'x' } });
    expect(page.queryAllByText('Solo a veces')).toHaveLength(count);
    expect(page.queryAllByRole('button', { name: 'Otra cosa' })).toHaveLength(count);
    expect(page.queryAllByRole('link', { name: 'Ver' })).toHaveLength(count);
    expect(page.getByText(on ? 'Siempre a@b.uy' : 'Siempre x')).toBeTruthy();
  });
});

test('[ENG-01] screen writes names without invisible characters, and keeps words of running text together', async () => {
  const ui = {
    title: 'Tu e-mail',
    fields: createTitledFields({ email: 'E-mail' }, { email: { 'ui:help': 'Un e-mail tuyo.' } }),
  };
  screens = {
    ...screens,
    ...(await loadScreens(createFormFiles({ schema: createObjectSchema({ email: text }, ['email']), ui }))),
  };
  await renderScreen('sample');
  expect(page.getByLabelText('E-mail').tagName).toBe('INPUT');
  expect(page.getByRole('heading', { name: 'Tu e-mail' }).textContent).toBe('Tu e-mail');
  expect(page.getByText('Un e-\u2060mail tuyo.').tagName).toBe('P');
});

test('[ENG-01] draws a paragraph with an intent as a notice, and others as an introduction', async () => {
  await renderScreen('form', {}, { facts: { flags: { on: true } } });
  const [plain, warning] = document.querySelectorAll('section > p');
  expect([plain?.className, warning?.className]).toEqual(['screen-intro', 'notice']);
  expect(warning?.getAttribute('data-intent')).toBe('warning');
});

test('[ENG-01] draws numbered paragraphs as one ordered list', () => {
  const paragraphs = ['Antes.', '1. Descargá.', '2. Firmá.', 'Después.'].map((paragraph) => ({ text: paragraph }));
  const { container } = render(
    <ScreenIntro paragraphs={paragraphs} text={(template) => template} renderLink={() => null} />,
  );
  expect([...container.children].map(({ tagName }) => tagName)).toEqual(['P', 'OL', 'P']);
  expect(page.getAllByRole('listitem').map(({ textContent }) => textContent?.trim())).toEqual([
    '1. Descargá.',
    '2. Firmá.',
  ]);
});

describe('[ENG-01] buttons and links of a screen', () => {
  test.each([
    [true, 'below several actions', ['Enviar', 'Otra cosa', 'Volver']],
    [false, 'in front of the only action', ['Volver', 'Enviar']],
  ])('put "back", wherever ui.json lists it (flag %s), %s', async (on, _place, expected) => {
    await renderScreen('form', {}, { facts: { flags: { on } } });
    const texts = [...document.querySelectorAll('.screen-actions button')].map(({ textContent }) => textContent);
    expect(texts).toEqual(expected);
  });

  test('raise their events', async () => {
    const { events } = await renderScreen('form', {}, { facts: { flags: { on: true } } });
    for (const name of ['Volver', 'Otra cosa', 'Repetir']) fireEvent.click(button(name));
    expect(events).toEqual(['back', 'more', 'again']);
  });

  test('link to routes of the portal and to external addresses', async () => {
    await renderScreen('form');
    expect(page.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/done',
      '/done',
      'mailto:ana@correo.uy',
    ]);
  });

  test('[REG-02 VAL-10] mark the submit button as not ready, and describe the reason once it was pressed', async () => {
    const { draft } = await renderScreen('form', { email: 'a@b.uy' });
    const submit = button('Enviar');
    expect([submit.getAttribute('aria-disabled'), submit.hasAttribute('disabled')]).toEqual(['true', false]);
    const told = () => document.getElementById(submit.getAttribute('aria-describedby') ?? '')?.textContent;
    expect([told(), submit.className]).toEqual(['', expect.stringContaining('button-unready')]);
    expect(page.queryByRole('group', { name: /^summary/ })).toBeNull();
    fireEvent.click(submit);
    expect(summary().textContent).toContain('Acepto: Falta');
    expect(told(), 'no count beside the summary').toBe('');
    act(() => {
      draft?.field('terms')?.set(true);
      draft?.field('email')?.set('a');
    });
    expect(told(), 'no message names the value that is typed').toBe('missing.one');
    act(() => draft?.field('email')?.blur());
    expect(told(), 'the message of the field').toBe('');
    act(() => draft?.field('email')?.set('a@b.uy'));
    expect([submit.hasAttribute('aria-disabled'), told(), submit.className]).toEqual([
      false,
      undefined,
      expect.not.stringContaining('button-unready'),
    ]);
  });

  test.each([
    ['a mouse', ['mouseDown'], ['mouseUp', 'click']],
    ['a finger', ['pointerDown', 'pointerUp', 'mouseDown'], ['mouseUp', 'click']],
    ['a press that becomes a scroll', ['pointerDown'], ['pointerCancel']],
    ['a menu', ['pointerDown', 'mouseDown'], ['contextMenu']],
  ] as const)('do not move between press and release because of a message: %s', async (_, presses, releases) => {
    await renderScreen('form', { email: 'a' });
    const input = document.querySelector<HTMLElement>('[name="email"]');
    input?.focus();
    for (const press of presses) fireEvent[press](button('Volver'));
    act(() => input?.blur());
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(page.queryByText('Forma')).toBeNull();
    for (const release of releases) fireEvent[release](button('Volver'));
    expect(page.queryByText('Forma')).toBeNull();
    expect(await page.findByText('Forma')).toBeTruthy();
  });

  test('take the focus on a click, also in browsers that do not focus buttons', async () => {
    await renderScreen('form', { email: 'a' });
    fireEvent.click(button('Volver'), { detail: 1 });
    expect(document.activeElement).toBe(button('Volver'));
  });

  test('raise `submit` once', async () => {
    const { events } = await renderScreen('form', { email: 'a@b.uy', terms: true });
    fireEvent.click(button('Enviar'));
    expect(events).toEqual(['submit']);
  });

  test('[REG-07] are disabled and announce the progress while an operation runs', async () => {
    const { redraw } = await renderScreen('form', { email: 'a@b.uy', terms: true });
    expect(texts('status').join('')).toBe('');
    await redraw({ busy: true });
    expect(button('Enviar').getAttribute('aria-disabled')).toBe('true');
    expect(texts('status').join('')).toContain('Enviando');
  });

  test('show a progress text on a screen without buttons', async () => {
    await renderScreen('done', {}, { busy: true });
    expect(page.getByText('busy')).toBeTruthy();
  });
});

describe('[VAL-02] values set in controls without an event', () => {
  /** Sets the value of a control without an event, as some password managers and restored pages do. */
  const fill = (name: string, key: 'value' | 'checked', value: unknown) => {
    const control = document.querySelector(`[name="${name}"]`)!;
    const native = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), key);
    native?.set?.call(control, value);
  };

  test('are read at the submit', async () => {
    const { draft, events } = await renderScreen('form');
    fill('email', 'value', ' ana@correo.uy ');
    fill('terms', 'checked', true);
    expect(draft?.field('email')?.value).toBeUndefined();
    fireEvent.click(button('Enviar'));
    expect([draft?.field('email')?.value, draft?.field('terms')?.value]).toEqual(['ana@correo.uy', true]);
    expect(events).toEqual(['submit']);
    expect(page.queryByRole('group', { name: /^summary/ })).toBeNull();
  });

  test('count as missing at the submit if they were cleared', async () => {
    const { draft } = await renderScreen('form', { email: 'ana@correo.uy', terms: true });
    fill('email', 'value', '');
    fireEvent.click(button('Enviar'));
    expect(draft?.field('email')?.value).toBeUndefined();
  });
});

describe('[VAL-10] error summary', () => {
  test('is announced only by its focus, with the message of the server', async () => {
    const { draft } = await renderScreen('form', { email: 'a@b.uy', terms: true });
    act(() => draft?.refuse({}, 'No se pudo'));
    expect(page.queryByRole('alert')).toBeNull();
    expect(document.activeElement).toBe(summary());
    const described = summary().getAttribute('aria-describedby') ?? '';
    expect(document.getElementById(described)?.textContent).toBe('No se pudo');
  });

  test('takes the focus at each failed submit', async () => {
    await renderScreen('form');
    for (const time of ['first', 'second']) {
      button('Volver').focus();
      fireEvent.click(button('Enviar'));
      expect(document.activeElement, time).toBe(summary());
    }
  });

  test('takes the focus at each refusal of the server, even with the same errors', async () => {
    const { draft } = await renderScreen('form', { email: 'a@b.uy', terms: true });
    for (const time of ['first', 'second']) {
      button('Volver').focus();
      act(() => draft?.refuse({}, 'No se pudo'));
      expect(document.activeElement, time).toBe(summary());
    }
    expect(summary().textContent).toBe('summary.noneNo se pudo');
  });

  test('names each field with its error, and links to it', async () => {
    await renderScreen('form', { secret: 'corto' });
    fireEvent.click(button('Enviar'));
    const box = summary();
    const links = [...box.querySelectorAll('a')];
    expect(links.map(({ textContent }) => textContent)).toEqual(['Correo: Falta', 'Clave: Mínimo 8', 'Acepto: Falta']);
    expect(box.querySelector('h2')?.textContent).toBe('summary.title');
    for (const [index, name] of ['email', 'secret', 'terms'].entries()) {
      fireEvent.click(links[index]!);
      expect(document.activeElement?.getAttribute('name')).toBe(name);
    }
  });

  test('removes corrected errors, and disappears with the last one', async () => {
    const { draft } = await renderScreen('form');
    fireEvent.click(button('Enviar'));
    act(() => draft?.field('email')?.set('a@b.uy'));
    expect(summary().querySelector('h2')?.textContent).toBe('summary.one');
    expect([...summary().querySelectorAll('a')].map(({ textContent }) => textContent)).toEqual(['Acepto: Falta']);
    act(() => draft?.field('terms')?.set(true));
    expect(page.queryByRole('group', { name: /^summary/ })).toBeNull();
  });

  test('leaves each error connected to its field with aria-describedby', async () => {
    await renderScreen('form');
    fireEvent.click(button('Enviar'));
    const field = document.querySelector('[name="email"]');
    const described = field
      ?.getAttribute('aria-describedby')
      ?.split(' ')
      .map((id) => document.getElementById(id)?.textContent);
    expect([field?.getAttribute('aria-invalid'), described]).toEqual(['true', ['Falta']]);
  });
});

describe('[ENG-01] fields and their surroundings', () => {
  test('are grouped in sections, which appear with their first visible field', async () => {
    const { draft } = await renderScreen('form');
    const group = page.getByRole('group', { name: '¿Cómo y cuándo?' });
    expect([...group.querySelectorAll('[data-field]')].map((field) => field.getAttribute('data-field'))).toEqual([
      'day',
      'count',
    ]);
    expect(document.getElementById(group.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Lo que sepas.');
    expect(document.querySelectorAll('[data-field="count"]')).toHaveLength(1);
    expect(page.queryByRole('group', { name: '¿Qué más?' })).toBeNull();
    act(() => draft?.field('kind')?.set('b'));
    expect(page.getByRole('group', { name: '¿Qué más?' }).querySelectorAll('[data-field]')).toHaveLength(2);
  });

  test('[LOG-16] prevent copy, cut and drag with `copy: false` and say so, and allow them otherwise', async () => {
    await renderScreen('form', { email: 'a@b.uy', repeat: 'a@b.uy' });
    const input = (name: string) => document.querySelector<HTMLInputElement>(`[name="${name}"]`)!;
    const told = () =>
      page.queryAllByRole('status').some(({ textContent }) => textContent === 'No se puede copiar este campo');
    expect([
      fireEvent.copy(input('email')),
      fireEvent.cut(input('email')),
      fireEvent.paste(input('repeat')),
      told(),
    ]).toEqual([true, true, true, false]);
    for (const [take, name] of [
      [fireEvent.copy, 'copy'],
      [fireEvent.cut, 'cut'],
      [fireEvent.dragStart, 'drag'],
    ] as const) {
      expect([take(input('repeat')), told()], name).toEqual([false, true]);
      fireEvent.blur(input('repeat'));
      expect(told(), name).toBe(false);
    }
    expect(input('repeat').closest('[data-field]')?.getAttribute('data-field')).toBe('repeat');
  });

  test('have links that open a new tab, say so, and pass no opener', async () => {
    await renderScreen('form');
    const link = page.getByRole<HTMLAnchorElement>('link', { name: 'Leer las condiciones newTab' });
    expect([link.getAttribute('href'), link.target, link.rel.split(' ').includes('noopener')]).toEqual([
      '/done',
      '_blank',
      true,
    ]);
    expect(link.closest('[data-field]')?.getAttribute('data-field')).toBe('terms');
    expect(link.closest('label')).toBeNull(); // outside the label, so that a click on the link does not toggle the checkbox
  });
});

describe('[ENG-02] notice on a screen', () => {
  const notice = (intent: ScreenNotice['intent']): ScreenNotice => ({
    intent,
    text: 'Aviso a {email}',
    link: { to: '/done', text: 'Seguir' },
  });

  test.each([
    ['error', 'alert', true],
    ['warning', 'status', true],
    ['info', 'status', false],
    ['success', 'status', false],
  ] as const)('has for the intent %s the role %s, and takes the focus: %s', async (intent, role, focused) => {
    const { redraw } = await renderScreen('form', {}, { context: { email: 'a@b.uy' } });
    await redraw({ notice: notice(intent) });
    const box = (await page.findByText(/^Aviso a a@b\.uy/)).parentElement;
    expect([box?.getAttribute('role'), document.activeElement === box]).toEqual([role, focused]);
    expect(page.getByRole('link', { name: 'Seguir' }).getAttribute('href')).toBe('/done');
  });

  test('shows only the links whose rule is true', async () => {
    const link = (text: string, visible: boolean) => ({
      to: '/done',
      text,
      visible: { '==': [{ var: 'on' }, visible] },
    });
    const shown = { ...notice('info'), link: link('Seguir', false), other: link('Otra vez', true) };
    await renderScreen('form', {}, { facts: { on: true }, notice: shown });
    await page.findByText(/^Aviso a/);
    expect(texts('link').filter((text) => text === 'Seguir' || text === 'Otra vez')).toEqual(['Otra vez']);
  });

  test('can be dismissed', async () => {
    const { events } = await renderScreen('form', {}, { notice: notice('info') });
    await page.findByText(/^Aviso a/);
    fireEvent.click(button('dismiss'));
    expect(events).toEqual(['dismissed']);
  });
});

describe('[ENG-01] control of a field', () => {
  test('is a group of checkboxes for an array of choices, whose order follows the schema', async () => {
    const { draft } = await renderScreen('form', { ways: ['post'] });
    const group = page.getByRole('group', { name: 'Avisos' });
    const box = (name: string) => page.getByRole<HTMLInputElement>('checkbox', { name });
    expect(group.contains(box('Carta'))).toBe(true);
    expect(box('Carta').checked).toBe(true);
    fireEvent.click(box('Correo'));
    expect(draft?.field('ways')?.value).toEqual(['mail', 'post']);
    fireEvent.click(box('Carta'));
    fireEvent.click(box('Correo'));
    expect(draft?.field('ways')?.value).toBeUndefined();
  });

  test('is a checked radio button for the value of a choice', async () => {
    const { draft } = await renderScreen('form');
    const choice = page.getByRole<HTMLInputElement>('radio', { name: 'Rápido' });
    act(() => draft?.field('pace')?.set('fast'));
    expect(choice.checked).toBe(true);
  });

  test('is a date input for a date', async () => {
    const { draft } = await renderScreen('form');
    const day = page.getByLabelText<HTMLInputElement>(/^Día/);
    expect(day.type).toBe('date');
    fireEvent.change(day, { target: { value: '2026-11-22' } });
    expect(draft?.field('day')?.value).toBe('2026-11-22');
    expect(draft?.field('day')?.invalid).toBe(false);
  });

  test('accepts a decimal number with comma or point', async () => {
    const { draft } = await renderScreen('form');
    const price = page.getByLabelText<HTMLInputElement>(/^Precio/);
    for (const [typed, value] of [
      ['19', 19],
      ['19,', 19],
      ['19,9', 19.9],
      ['19,99', 19.99],
      ['0.0', 0],
      ['0.05', 0.05],
      ['x', 'x'],
      ['', undefined],
    ] as const) {
      fireEvent.change(price, { target: { value: typed } });
      expect(price.value).toBe(typed);
      expect(draft?.field('price')?.value).toBe(value);
    }
    expect([price.inputMode, page.getByLabelText<HTMLInputElement>(/^Cantidad/).inputMode]).toEqual([
      'decimal',
      'numeric',
    ]);
  });
});
