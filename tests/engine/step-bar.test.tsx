// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { PageRoute } from '../../src/engine/core/definitions-manifest.ts';
import { fillPlaceholders } from '../../src/engine/core/messages.ts';
import { EngineProvider } from '../../src/engine/react/engine-context.ts';
import { FlowRoute } from '../../src/engine/react/flow/flow-route.tsx';
import { ThemedScreen } from '../../src/portal/shell/themed-screen.tsx';
import es from '../../schemas/_shared/texts/portal.json' with { type: 'json' };
import pt from '../../schemas/_shared/texts/portal.pt.json' with { type: 'json' };
import { services, waitForWidgets } from '../definitions/support/draw.tsx';
import { importScreen } from './support/loaded-screens.ts';
import { loadProject } from './support/project.ts';
import { createRefusal, runFlow } from './support/run-flow.ts';
import { forms, wizardFiles } from './support/wizard.ts';

afterEach(cleanup);

/** Renders the wizard at its step for date and time. */
async function renderWizard(texts: Readonly<Record<string, string>> = es) {
  const { definitions } = await loadProject(wizardFiles, { forms });
  const flow = definitions?.flows['main'];
  if (!definitions || !flow) throw new Error('the wizard is wrong');
  const ids = [...definitions.screens];
  const loaded = await Promise.all(ids.map(async (id) => [id, await importScreen(definitions, id)] as const));
  const running = runFlow(flow, { screens: Object.fromEntries(loaded), facts: { flags: { on: false } } });
  const route: PageRoute = {
    path: '/contact',
    flow: 'main',
    state: 'contact',
    screen: 'contact',
    access: 'anyone',
    chrome: 'full',
  };
  render(
    <EngineProvider value={{ ...services, t: (key, values = {}) => fillPlaceholders(texts[key] ?? key, values) }}>
      <FlowRoute
        route={route}
        address={address}
        runner={running.runner}
        services={{ facts: () => ({}) }}
        blocks={{}}
        Screen={ThemedScreen}
      />
    </EngineProvider>,
  );
  await waitForWidgets();
  const submit = async (values: Readonly<Record<string, string>>) => {
    act(() => running.type(values));
    await act(() => running.raise('submit'));
    await waitForWidgets();
  };
  await submit({ name: 'Ana', email: 'ana@correo.uy' });
  return { ...running, submit };
}

/** Location of the page. This test does not navigate. */
const address = { search: '', history: null, pushed: false };

const steps = () => screen.getByRole('navigation', { name: 'Pasos' });

test('[ENG-10] step bar names the steps, marks the current one and links the previous ones', async () => {
  const { submit } = await renderWizard();
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

test('[ENG-10] step bar link returns to its step, except with a modifier key for a new tab', async () => {
  const { shown } = await renderWizard();
  const link = within(steps()).getByRole('link', { name: /Contacto/ });
  expect(link.getAttribute('href')).toBe('/contact');
  link.addEventListener('click', (event) => event.preventDefault()); // prevents the browser from opening a tab
  fireEvent.click(link, { ctrlKey: true });
  await waitForWidgets();
  expect(shown()).toBe('time');
  fireEvent.click(link);
  await waitForWidgets();
  expect(shown()).toBe('contact');
  expect(screen.queryByRole('navigation', { name: 'Pasos' })).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('NAME').value).toBe('Ana');
});

test('[ENG-10] error of the server opens its step, focuses the error summary and links the field', async () => {
  const { submit, raise, calls } = await renderWizard();
  await submit({ day: '2027-03-01', hour: '10:30' });
  await act(() => raise('confirm'));
  await act(() => calls[0]!.answer(createRefusal({ errors: { hour: 'Ya está ocupada' } })));
  await waitForWidgets();
  const summary = screen.getByRole('group', { name: /corregir/ });
  expect(document.activeElement).toBe(summary);
  expect(within(summary).getByRole('link').textContent).toBe('HOUR: Ya está ocupada');
  const field = screen.getByLabelText<HTMLInputElement>('HOUR');
  expect([field.value, field.getAttribute('aria-invalid')]).toEqual(['10:30', 'true']);
  expect(steps().querySelector('[aria-current="step"]')?.textContent).toBe('2 Día y hora');
});

test('[ENG-10] step bar is translated into Portuguese', async () => {
  await renderWizard(pt);
  const bar = screen.getByRole('navigation', { name: 'Passos' });
  expect(within(bar).getByText('Passo 2 de 3: Día y hora')).toBeTruthy();
});
