import { beforeAll, describe, expect, test } from 'vitest';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { importScreen } from '../engine/support/loaded-screens.ts';
import { createSuccess, createRefusal, runFlow } from '../engine/support/run-flow.ts';
import { productDefinitions } from './support/product-definitions.ts';

const shown = [
  'registro-activar-cuenta',
  'registro-activar-cuenta-cuenta-activada',
  'contrasena-restablecer',
  'contrasena-restablecer-link-enviado',
  'registro',
  'registro-exito',
  'registro-reenviar-link-activacion',
  'videollamada-soporte',
  'videollamada-soporte-cancelar',
  'videollamada-soporte-confirmada',
  'videollamada-vinculo-invalido',
  'videollamada-entrar',
  'videollamada-cancelada',
] as const;
const screens: Record<string, LoadedScreen> = {};
let definitions: ServedDefinitions;

beforeAll(async () => {
  definitions = await productDefinitions;
  for (const id of shown) screens[id] = await importScreen(definitions, id);
});

test.each([
  { who: 'a guest', facts: { authenticated: false, user: null }, fetched: null, to: '/login' },
  { who: 'a session without a record', facts: { authenticated: true, user: null }, fetched: null, to: '/' },
  { who: 'a citizen', facts: { authenticated: true, user: { id: '17' } }, fetched: createSuccess(), to: '/' },
  {
    who: 'a citizen whose record fails to load',
    facts: { authenticated: true, user: { id: '17' } },
    fetched: createRefusal(),
    to: '/',
  },
])(
  '[ACT-02] button after the activation opens the sign-in for a guest, and else the home page: $who',
  async ({ facts, fetched, to }) => {
    const running = runFlow(definitions.flows['activacion']!, { screens, facts });
    await running.arrive('confirmar', '?uuid=u');
    await running.raise('activate');
    await running.calls[0]!.answer(createSuccess({ estado: 'activada' }));
    await running.raise('start');
    const [, fetch] = running.calls;
    expect([fetch?.call, running.left], 'getCitizen is called before leaving').toEqual(
      fetched ? ['getCitizen', []] : [undefined, [to]],
    );
    if (fetched) await fetch!.answer(fetched);
    expect(running.left).toEqual([to]);
  },
);

describe('password reset request', () => {
  const request = async () => {
    const running = runFlow(definitions.flows['contrasena']!, { screens, facts: { flags: { contrasena: true } } });
    await running.arrive('pedir');
    running.type({ pais_emisor: 'uy', tipo_doc: 'ci', doc: '12345672', captcha_response: 'x' });
    await running.raise('submit');
    expect(running.calls[0]?.call).toBe('requestPasswordReset');
    return running;
  };

  test.each([
    ['the address that the server returns', { email: 'c***@example.com' }, 'c***@example.com'],
    ['no address if the server returns none', {}, null],
  ])('[CLAVE-01] shows the page about the mail with %s', async (_, result, email) => {
    const running = await request();
    await running.calls[0]!.answer(createSuccess(result));
    const { view, context } = running.runner.state;
    expect([view?.screen?.validator.screen.ui.title, context.email]).toEqual(['Revisá tu correo electrónico', email]);
  });

  test('[ERR-01] follows the next address of an error, or else shows the error at its field', async () => {
    const [followed, shownAt] = [await request(), await request()];
    const errors = { doc: 'El documento no es válido.' };
    await followed.calls[0]!.answer(createRefusal({ next: '/error?errorCode=x', errors }));
    await shownAt.calls[0]!.answer(createRefusal({ errors }));
    expect([followed, shownAt].map(({ left }) => left)).toEqual([['/error?errorCode=x'], []]);
    expect(shownAt.runner.state.view?.form?.field('doc')?.error).toBe(errors.doc);
  });
});

describe('[RUTA-07 ERR-01] link of a support call', () => {
  const open = async (state: string, query = '?videollamada=v') => {
    const running = runFlow(definitions.flows['videollamada-soporte']!, { screens, facts: {} });
    await running.arrive(state, query);
    return running;
  };
  const here = '/videollamada-soporte/error';
  const pages = [
    ['confirmar', 'confirm'],
    ['cancelar', 'cancel'],
  ] as const;

  test.each(pages)('shows the page for invalid links if it has no identifier: %s', async (state) => {
    const { runner, shown, flow } = { ...(await open(state, '')), flow: definitions.flows['videollamada-soporte']! };
    expect([shown(), flow.states[runner.state.view?.name ?? '']?.path]).toEqual(['invalido', here]);
  });

  test.each(pages.flatMap((page) => [400, 404, 410].map((status) => [...page, status] as const)))(
    '%s: shows the page for invalid links if %s fails with %i',
    async (state, event, status) => {
      const running = await open(state);
      await running.calls[0]!.answer(
        createSuccess({ estado: 'Reservado', fecha: '2026-03-03', hora_inicio: '09:00:00' }),
      );
      await running.raise(event);
      await running.calls[1]!.answer(createRefusal({ status }));
      expect(running.shown()).toBe('invalido');
    },
  );

  test.each(pages)('redirects to the error page if the server fails: %s', async (state, event) => {
    const [early, late] = [await open(state), await open(state)];
    await early.calls[0]!.answer(createRefusal({ status: 500 }));
    await late.calls[0]!.answer(createSuccess({}));
    await late.raise(event);
    await late.calls[1]!.answer(createRefusal({ status: 500 }));
    for (const { left } of [early, late]) expect(left).toEqual(['/error?errorCode=SERVER_ERROR']);
  });

  test.each(pages)('stays open with an error notice after too many attempts: %s', async (state, event) => {
    const running = await open(state);
    await running.calls[0]!.answer(createSuccess({}));
    await running.raise(event);
    await running.calls[1]!.answer(createRefusal({ status: 429 }));
    expect([running.shown(), running.runner.state.notice?.intent]).toEqual([state, 'error']);
  });

  test('can be confirmed if the backend returns only link, jwt and name', async () => {
    const running = await open('confirmar');
    await running.calls[0]!.answer(
      createSuccess({ link: null, jwt: null, informacion_contacto: { nombre_completo: 'Ana' } }),
    );
    expect(running.shown()).toBe('confirmar');
  });
});

test('[REG-03] registration asks for the document if the backend cannot resend the activation mail directly', async () => {
  const facts = { authenticated: false, user: null, flags: {} };
  const running = runFlow(definitions.flows['registro']!, { screens, facts });
  await running.arrive('pendiente', '', {
    flow: 'registro',
    step: 'pendiente',
    variables: { email: 'a@b.uy' },
    depth: 0,
  });
  await running.raise('resend');
  await running.calls[0]!.answer(createRefusal({ status: 404 }));
  expect(running.shown()).toBe('reenviar');
});

test.each([
  ['confirmar', '?videollamada=u'],
  ['cancelar', '?videollamada=u'],
  ['entrar', '?uuid=u'],
])('[AGEN-06] link of a cancelled call shows that the call is cancelled: %s', async (state, search) => {
  const running = runFlow(definitions.flows['videollamada-soporte']!, { screens, facts: {} });
  await running.arrive(state, search);
  await running.calls[0]!.answer(
    createSuccess({ id: 'v', estado: 'Cancelado', fecha: '2026-12-01', hora_inicio: '10:30:00' }),
  );
  expect(running.shown()).toBe('cancelada');
});
