// @vitest-environment happy-dom
import { beforeAll, describe, expect, test } from 'vitest';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import { resolveHeadingText } from '../../src/engine/core/screen-ui-queries.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { loadScreen } from '../../src/portal/navigation/load-screen.ts';
import { createSuccess, createRefusal, runFlow } from '../engine/support/run-flow.ts';
import { productDefinitions } from './support/product-definitions.ts';

const needed = /^(login|llaves|segundo-factor-exito)/;
const screens: Record<string, LoadedScreen> = {};
let definitions: ServedDefinitions;

beforeAll(async () => {
  definitions = await productDefinitions;
  for (const [id, { url }] of Object.entries(definitions.manifest('es').screens)) {
    if (!needed.test(id)) continue;
    const source = definitions.modules.find((module) => module.url === url)?.source ?? '';
    screens[id] = await loadScreen(`data:text/javascript;base64,${Buffer.from(source).toString('base64')}`);
  }
});

const run = (flow: string) =>
  runFlow(definitions.flows[flow]!, {
    screens,
    facts: { flags: {}, user: { id: 'c' }, authenticated: true, identityProviders: false },
  });
const second = 'urn:iduruguay:am:passkey';
const options = { challenge: 'AAAA' };
const newer = { challenge: 'BBBB' };

/** Returns the options of the passkey widget on the current screen. */
const optionsOf = (running: ReturnType<typeof run>) =>
  (running.runner.state.view?.form?.context['context'] as Record<string, unknown> | undefined)?.['opciones'];

describe('[SEG+PASSKEY] passkey as the second factor', () => {
  async function at(more = {}) {
    const running = run('ingreso');
    await running.arrive('username');
    running.type({ username: '12345672' });
    await running.raise('submit');
    await running.calls[0]!.answer(createSuccess({ challenge: second, token: 't', options, ...more }));
    return running;
  }

  test('passes its options to the screen and its response to the server', async () => {
    const running = await at();
    expect([running.shown(), optionsOf(running)]).toEqual(['llave', options]);
    running.type({ credential: '{}' });
    await running.raise('submit');
    expect(running.calls[1]).toMatchObject({
      call: 'answerChallenge',
      input: { body: { challenge: second, data_challenge: { credential: '{}' }, token: 't' } },
    });
  });

  test('shows an error and loads new options after a rejected response', async () => {
    const running = await at();
    running.type({ credential: '{}' });
    await running.raise('submit');
    await running.calls[1]!.answer(createRefusal({ code: 'llave_invalida' }));
    expect(running.calls[2]?.input.body).toMatchObject({
      challenge: second,
      data_challenge: { options: true },
      token: 't',
    });
    await running.calls[2]!.answer(createSuccess({ challenge: second, token: 't', options: newer }));
    expect([running.shown(), optionsOf(running), running.runner.state.notice?.intent]).toEqual([
      'llave',
      newer,
      'error',
    ]);
    expect(running.runner.state.view?.form?.field('credential')?.value).toBeUndefined();
  });

  test('restarts the sign-in if new options cannot be loaded', async () => {
    const running = await at();
    running.type({ credential: '{}' });
    await running.raise('submit');
    await running.calls[1]!.answer(createRefusal({ code: 'llave_invalida' }));
    await running.calls[2]!.answer(createRefusal({ code: 'sesion_expirada' }));
    expect([running.shown(), running.runner.state.notice?.text]).toEqual([
      'username',
      'El tiempo de inicio de sesión expiró. Comienza de nuevo.',
    ]);
  });

  test.each([
    ['other', 'urn:iduruguay:am:totp', 'totp'],
    ['other', 'urn:iduruguay:am:recoverycode', 'recoverycode'],
  ])('the event %s opens the challenge that the server returns: %s', async (event, challenge, state) => {
    const running = await at({ other: true });
    await running.raise(event);
    expect(running.calls[1]?.input.body).toMatchObject({ challenge: second, data_challenge: { other: true } });
    await running.calls[1]!.answer(createSuccess({ challenge, token: 't' }));
    expect(running.shown()).toBe(state);
  });

  test('can be replaced by a recovery code', async () => {
    const running = await at();
    await running.raise('recovery');
    running.type({ recovery: 'ABCDEFGH23456789' });
    await running.raise('submit');
    expect(running.calls[1]?.input.body).toMatchObject({
      data_challenge: { recovery: 'ABCDEFGH23456789' },
      token: 't',
    });
  });
});

describe('[SEG+PASSKEY] passkey as the only factor', () => {
  async function at() {
    const running = run('ingreso');
    await running.arrive('username', '?redirectUrl=%2Fx&process_state=p');
    await running.calls[0]!.answer(createSuccess({ idps: [], ci_allowed: false, gub_uy_allowed: true }));
    running.calls.shift(); // removes the call that loads the application's request
    await running.raise('passkey');
    expect(running.calls[0]?.input.body).toMatchObject({
      challenge: 'passkey',
      data_challenge: {},
      extra: { redirect_url: '/x', process_state: 'p' },
      token: null,
    });
    await running.calls[0]!.answer(createSuccess({ challenge: 'passkey', token: 'u', options }));
    return running;
  }

  test('signs in without a document', async () => {
    const running = await at();
    expect([running.shown(), optionsOf(running)]).toEqual(['llave-ingreso', options]);
    running.type({ credential: '{}' });
    await running.raise('submit');
    expect(running.calls[1]?.input.body).toMatchObject({
      challenge: 'passkey',
      data_challenge: { credential: '{}' },
      token: 'u',
    });
    await running.calls[1]!.answer(createSuccess({ challenge: null, token: null, location: '/x' }));
    await running.calls[2]!.answer(createSuccess({ token: 'jwt' }));
    expect(running.left).toEqual(['/x']);
  });

  test('loads new options and waits for the button after a rejected response', async () => {
    const running = await at();
    running.type({ credential: '{}' });
    await running.raise('submit');
    await running.calls[1]!.answer(createRefusal({ code: 'llave_invalida' }));
    expect(running.calls[2]?.input.body).toMatchObject({ challenge: 'passkey', data_challenge: {}, token: null });
    await running.calls[2]!.answer(createSuccess({ challenge: 'passkey', token: 'v', options: newer }));
    expect([running.shown(), optionsOf(running), running.runner.state.context.fallo]).toEqual([
      'llave-ingreso',
      newer,
      true,
    ]);
  });

  test('shows links to the contact page and the password reset if the account is blocked', async () => {
    const running = await at();
    running.type({ credential: '{}' });
    await running.raise('submit');
    await running.calls[1]!.answer(createRefusal({ code: 'account_blocked' }));
    expect(running.runner.state.notice).toMatchObject({
      link: { to: '/contacto' },
      other: { to: '/contraseña/restablecer' },
    });
  });
});

test('[SEG+PASSKEY] password step contains the document for password managers, and sends only the password', async () => {
  const running = run('ingreso');
  await running.arrive('username');
  running.type({ username: '12345672' });
  await running.raise('submit');
  await running.calls[0]!.answer(createSuccess({ challenge: 'urn:iduruguay:am:password', token: 't' }));
  expect(running.runner.state.view?.form?.field('username')?.value).toBe('12345672');
  running.type({ password: 'x' });
  await running.raise('submit');
  expect(running.calls[1]?.input.body).toMatchObject({ data_challenge: { password: 'x' } });
  expect(Object.keys((running.calls[1]!.input.body as { data_challenge: object }).data_challenge)).toEqual([
    'password',
  ]);
});

describe('[SEG+PASSKEY] management of passkeys', () => {
  async function at() {
    const running = run('llaves-de-acceso');
    await running.arrive('lista');
    await running.calls[0]!.answer(createSuccess({ llaves: [] }));
    return running;
  }

  test('redirects to the proof of identity if adding a passkey requires it', async () => {
    const running = await at();
    await running.raise('add');
    await running.calls[1]!.answer(
      createRefusal({ status: 403, next: '/seguridad/contrase%C3%B1a/verificar?next=%2Fseguridad%2Fllaves-de-acceso' }),
    );
    expect(running.left).toEqual(['/seguridad/contrase%C3%B1a/verificar?next=%2Fseguridad%2Fllaves-de-acceso']);
  });

  test('keeps the entered name and loads new options after a rejected registration', async () => {
    const running = await at();
    await running.raise('add');
    await running.calls[1]!.answer(createSuccess({ options, nombre: 'Chrome en Windows' }));
    expect([running.shown(), running.runner.state.view?.form?.values]).toMatchObject([
      'agregar',
      { nombre: 'Chrome en Windows' },
    ]);
    running.type({ nombre: 'Mi teléfono', credential: '{}' });
    await running.raise('submit');
    await running.calls[2]!.answer(createRefusal({ code: 'llave_invalida' }));
    await running.calls[3]!.answer(createSuccess({ options: newer, nombre: 'Chrome en Windows' }));
    expect([running.shown(), optionsOf(running), running.runner.state.view?.form?.values]).toMatchObject([
      'agregar',
      newer,
      { nombre: 'Mi teléfono' },
    ]);
  });

  test('announces the first passkey on the page of its recovery codes', async () => {
    const running = await at();
    await running.raise('add');
    await running.calls[1]!.answer(createSuccess({ options, nombre: 'x' }));
    running.type({ credential: '{}' });
    await running.raise('submit');
    await running.calls[2]!.answer(createSuccess({ activado: true, codigos: ['ABCDEFGH23456789'] }));
    const { view, context } = running.runner.state;
    expect([running.shown(), resolveHeadingText(view!.screen!.validator.screen.ui, { context })]).toEqual([
      'codigos',
      'Agregaste una llave de acceso',
    ]);
    await running.raise('submit');
    expect([running.shown(), running.runner.state.notice]).toEqual(['lista', null]);
  });
});
