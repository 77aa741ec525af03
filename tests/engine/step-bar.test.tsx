// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Route } from '../../src/engine/core/manifest.ts';
import { fill } from '../../src/engine/core/messages.ts';
import { EngineProvider } from '../../src/engine/react/engine-context.ts';
import { FlowRoute } from '../../src/engine/react/flow/flow-route.tsx';
import type { FlowServices } from '../../src/engine/runtime/flow-services.ts';
import { ThemedScreen } from '../../src/portal/shell/themed-screen.tsx';
import es from '../../schemas/_shared/texts/portal.json' with { type: 'json' };
import pt from '../../schemas/_shared/texts/portal.pt.json' with { type: 'json' };
import { services, settle } from '../definitions/support/draw.tsx';
import { screenOf } from './support/loaded-screens.ts';
import { load } from './support/project.ts';
import { refused, runFlow } from './support/run-flow.ts';
import { forms, wizard } from './support/wizard.ts';

afterEach(cleanup);

/** Renders the wizard at its step for date and time. */
async function drawn(texts: Readonly<Record<string, string>> = es) {
  const { definitions } = await load(wizard, { forms });
  const flow = definitions?.flows['main'];
  if (!definitions || !flow) throw new Error('the wizard is wrong');
  const ids = [...definitions.screens];
  const loaded = await Promise.all(ids.map(async (id) => [id, await screenOf(definitions, id)] as const));
  const running = runFlow(flow, { screens: Object.fromEntries(loaded), facts: { flags: { on: false } } });
  const route: Route = {
    path: '/contact',
    flow: 'main',
    state: 'contact',
    screen: 'contact',
    access: 'anyone',
    chrome: 'full',
  };
  render(
    <EngineProvider value={{ ...services, t: (key, values = {}) => fill(texts[key] ?? key, values) }}>
      <FlowRoute
        route={route}
        address={address}
        runner={running.runner}
        services={{ facts: () => ({}) } as unknown as FlowServices}
        blocks={{}}
        Screen={ThemedScreen}
      />
    </EngineProvider>,
  );
  await settle();
  const submit = async (values: Readonly<Record<string, string>>) => {
    act(() => running.type(values));
    await act(() => running.raise('submit'));
    await settle();
  };
  await submit({ name: 'Ana', email: 'ana@correo.uy' });
  return { ...running, submit };
}

/** Address of the page: this test does not navigate. */
const address = { search: '', history: null, pushed: false };

const steps = () => screen.getByRole('navigation', { name: 'Pasos' });

test('[ENG-10] the bar names the steps, says which one this is, and links those before it', async () => {
  const { submit } = await drawn();
  expect(
    within(steps())
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['1 Contacto', '2 Día y hora', '3 Confirmar']);
  expect(
    within(steps())
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['1 Contacto']);
  expect(steps().querySelector('[aria-current="step"]')?.textContent).toBe('2 Día y hora');
  const heading = screen.getByRole('heading', { level: 1, name: 'Día y hora' });
  expect(document.activeElement).toBe(heading);
  expect(document.getElementById(heading.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Paso 2 de 3: Día y hora',
  );
  await submit({ day: '2027-03-01', hour: '10:30' });
  expect(
    within(steps())
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['1 Contacto', '2 Día y hora']);
});

test('[ENG-10] a link of the bar leads back in place; one that is opened beside stays a link', async () => {
  const { shown } = await drawn();
  const link = within(steps()).getByRole('link', { name: /Contacto/ });
  expect(link.getAttribute('href')).toBe('/contact');
  link.addEventListener('click', (event) => event.preventDefault()); // keeps the browser from opening a tab
  fireEvent.click(link, { ctrlKey: true });
  await settle();
  expect(shown()).toBe('time');
  fireEvent.click(link);
  await settle();
  expect(shown()).toBe('contact');
  expect(screen.queryByRole('navigation', { name: 'Pasos' })).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('NAME').value).toBe('Ana');
});

test('[ENG-10] what the server refuses leads to its step, whose summary takes the focus and links the field', async () => {
  const { submit, raise, calls } = await drawn();
  await submit({ day: '2027-03-01', hour: '10:30' });
  await act(() => raise('confirm'));
  await act(() => calls[0]!.answer(refused({ errors: { hour: 'Ya está ocupada' } })));
  await settle();
  const summary = screen.getByRole('group', { name: /corregir/ });
  expect(document.activeElement).toBe(summary);
  expect(within(summary).getByRole('link').textContent).toBe('HOUR: Ya está ocupada');
  const field = screen.getByLabelText<HTMLInputElement>('HOUR');
  expect([field.value, field.getAttribute('aria-invalid')]).toEqual(['10:30', 'true']);
  expect(steps().querySelector('[aria-current="step"]')?.textContent).toBe('2 Día y hora');
});

test('[ENG-10] the bar speaks Portuguese as well', async () => {
  await drawn(pt);
  const bar = screen.getByRole('navigation', { name: 'Passos' });
  expect(within(bar).getByText('Passo 2 de 3: Día y hora')).toBeTruthy();
});
