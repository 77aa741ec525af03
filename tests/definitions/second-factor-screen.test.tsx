// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { loadScreen } from '../../src/portal/navigation/load-screen.ts';
import { createSuccess, runFlow } from '../engine/support/run-flow.ts';
import { draw } from './support/draw.tsx';
import { productDefinitions } from './support/product-definitions.ts';

const screens: Record<string, LoadedScreen> = {};
let definitions: ServedDefinitions;
beforeAll(async () => {
  definitions = await productDefinitions;
  for (const [id, { url }] of Object.entries(definitions.manifest('es').screens)) {
    if (!id.startsWith('segundo-factor')) continue;
    const source = definitions.modules.find((module) => module.url === url)?.source ?? '';
    screens[id] = await loadScreen(`data:text/javascript;base64,${Buffer.from(source).toString('base64')}`);
  }
});
afterEach(cleanup);

const mfa = {
  estado: { activado: true, fecha_activado: '2026-03-01T10:00:00-03:00' },
  methods: { totp: { id: 't', secret: null, url: null }, email: null },
  estado_email: 'validado',
  errors: null,
  obligatorio: false,
  codigos_de_recuperacion: 7,
  llaves: [{ id: 'l' }, { id: 'm' }],
};

/** Opens the main screen through its flow. `change` overrides the server's response. */
async function open(change: object = {}) {
  const facts = { user: { id: '17' }, authenticated: true, flags: {} };
  const running = runFlow(definitions.flows['segundo-factor']!, { screens, facts });
  await running.arrive('dos-pasos', '');
  await running.calls[0]!.answer(createSuccess({ ...mfa, ...change }));
  const { view, context } = running.runner.state;
  const raise = vi.fn();
  const { container } = await draw(view!.screen!, view!.form, { ...facts, ...context, context }, raise);
  return { raise, container };
}
const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent);
const [byMail, byApp, codes, off, back] = [
  'Configurar con correo electrónico',
  'Configurar con aplicativo de autenticación',
  'Generar códigos de recuperación nuevos',
  'Desactivar doble factor de autenticación',
  'Volver',
] as const;

describe('[MFA-01 ENG-01] second factor overview', () => {
  test.each([
    ['active', {}, [byMail, codes, off, back]],
    [
      'inactive',
      { estado: { activado: false, fecha_activado: null }, methods: { totp: null, email: null } },
      [byApp, byMail, back],
    ],
    ['[MFA-06] mandatory', { obligatorio: true }, [byMail, codes, back]],
    ['with an unverified mail address', { estado_email: 'pendiente' }, [codes, off, back]],
    ['with codes by mail', { methods: { totp: null, email: { id: 'e' } } }, [byApp, codes, off, back]],
    ['with only passkeys', { methods: { totp: null, email: null } }, [byApp, byMail, codes, back]],
  ])('offers the possible actions: %s', async (_, change, expected) => {
    await open(change);
    expect(buttons()).toEqual(expected);
  });

  test('shows the active methods and the activation date, and links to the passkeys', async () => {
    await open();
    expect(screen.getByRole('heading').textContent).toBe('Doble factor de autenticación');
    const lines = screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]);
    expect(lines).toEqual([
      ['Estado', 'Activada'],
      ['Fecha de activación', '01/03/2026, 10:00\u00a0hs'],
      ['Aplicación de autenticación', 'Activada'],
      ['Llaves de acceso', '2'],
      ['Códigos de recuperación sin usar', '7'],
    ]);
    const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
    expect(links).toEqual([
      ['Cambiar Aplicación de autenticación', '/seguridad/autenticacion-en-dos-pasos/totp'],
      ['Administrar Llaves de acceso', '/seguridad/llaves-de-acceso'],
    ]);
  });

  test('shows that no method is active', async () => {
    await open({ estado: { activado: false, fecha_activado: null }, methods: { totp: null, email: null }, llaves: [] });
    expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
      'Desactivada',
      '0',
      'Administrar Llaves de acceso',
    ]);
  });

  test.each([
    ['sin_correo', true],
    ['pendiente', true],
    ['validado', false],
  ])('[MFA-07] for the mail state %s mentions the change in person: %s', async (estado, said) => {
    const { container } = await open({ estado_email: estado });
    expect(container.textContent.includes('en persona')).toBe(said);
  });

  test('[MFA-08] shows the error of the server', async () => {
    await open({ errors: 'Espere un momento.' });
    expect(screen.getByRole('alert').textContent).toBe('Espere un momento.');
  });

  test.each([
    [byMail, 'email'],
    [byApp, 'totp'],
    [codes, 'codes'],
    [off, 'disable'],
    [back, 'back'],
  ])('the button %s raises %s', async (name, event) => {
    const { raise } = await open(name === byApp ? { methods: { totp: null, email: null } } : {});
    fireEvent.click(screen.getByRole('button', { name }));
    expect(raise.mock.calls).toEqual([[event]]);
  });
});
