import { beforeAll, describe, expect, test } from 'vitest';
import type { Definitions } from '../../src/engine/compiler/definitions.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { screenOf } from '../engine/support/loaded-screens.ts';
import { done, refused, runFlow } from '../engine/support/run-flow.ts';
import { productDefinitions } from './support/product-definitions.ts';

const shown = [
  'registro-activar-cuenta',
  'registro-activar-cuenta-cuenta-activada',
  'contrasena-restablecer',
  'contrasena-restablecer-link-enviado',
  'videollamada-soporte',
  'videollamada-soporte-cancelar',
  'videollamada-entrar',
  'videollamada-cancelada',
] as const;
const screens: Record<string, LoadedScreen> = {};
let definitions: Definitions;

beforeAll(async () => {
  definitions = await productDefinitions;
  for (const id of shown) screens[id] = await screenOf(definitions, id);
});

test.each([
  { who: 'a guest to sign-in', facts: { authenticated: false, user: null }, fetched: null, to: '/login' },
  { who: 'a session without its data home', facts: { authenticated: true, user: null }, fetched: null, to: '/' },
  { who: 'a citizen home', facts: { authenticated: true, user: { id: '17' } }, fetched: done(), to: '/' },
  {
    who: 'a citizen home also without the data',
    facts: { authenticated: true, user: { id: '17' } },
    fetched: refused(),
    to: '/',
  },
])('[ACT-02] the button of an activated account leads $who', async ({ facts, fetched, to }) => {
  const running = runFlow(definitions.flows['activacion']!, { screens, facts });
  await running.arrive('confirmar', '?uuid=u');
  await running.raise('activate');
  await running.calls[0]!.answer(done({ estado: 'activada' }));
  await running.raise('start');
  const [, fetch] = running.calls;
  expect([fetch?.call, running.left], 'the data are fetched first').toEqual(
    fetched ? ['getCitizen', []] : [undefined, [to]],
  );
  if (fetched) await fetch!.answer(fetched);
  expect(running.left).toEqual([to]);
});

describe('the request of a new password', () => {
  const request = async () => {
    const running = runFlow(definitions.flows['contrasena']!, { screens, facts: { flags: { contrasena: true } } });
    await running.arrive('pedir');
    running.type({ pais_emisor: 'uy', tipo_doc: 'ci', doc: '12345672', captcha_response: 'x' });
    await running.raise('submit');
    expect(running.calls[0]?.call).toBe('requestPasswordReset');
    return running;
  };

  test.each([
    ['the address that the server names', { email: 'c***@example.com' }, 'c***@example.com'],
    ['none where it names none', {}, null],
  ])('[CLAVE-01] leads to the page on the mail, with %s', async (_, result, email) => {
    const running = await request();
    await running.calls[0]!.answer(done(result));
    const { view, context } = running.runner.state;
    expect([view?.screen?.validator.screen.ui.title, context.email]).toEqual(['Revisá tu correo electrónico', email]);
  });

  test('[ERR-01] with an error that has a next address follows it; any other stands at its field', async () => {
    const [followed, shownAt] = [await request(), await request()];
    const errors = { doc: 'El documento no es válido.' };
    await followed.calls[0]!.answer(refused({ next: '/error?errorCode=x', errors }));
    await shownAt.calls[0]!.answer(refused({ errors }));
    expect([followed, shownAt].map(({ left }) => left)).toEqual([['/error?errorCode=x'], []]);
    expect(shownAt.runner.state.view?.draft?.field('doc')?.error).toBe(errors.doc);
  });
});

test.each([
  ['confirmar', '?videollamada=u'],
  ['cancelar', '?videollamada=u'],
  ['entrar', '?uuid=u'],
])('[AGEN-06] the link of a cancelled call says so: %s', async (state, search) => {
  const running = runFlow(definitions.flows['videollamada-soporte']!, { screens, facts: {} });
  await running.arrive(state, search);
  await running.calls[0]!.answer(done({ id: 'v', estado: 'Cancelado', fecha: '2026-12-01', hora_inicio: '10:30:00' }));
  expect(running.shown()).toBe('cancelada');
});
