// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import type { JsonLogic } from '../../src/engine/core/flow-and-screen-types.ts';
import { isRuleTrue } from '../../src/engine/core/json-logic.ts';
import { fillPlaceholders } from '../../src/engine/core/messages.ts';
import { resolveIntroParagraphs } from '../../src/engine/core/screen-ui-queries.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { InterruptedEventStore } from '../../src/engine/runtime/interrupted-event.ts';
import { loadScreen } from '../../src/portal/navigation/load-screen.ts';
import { createSuccess, createRefusal, runFlow } from '../engine/support/run-flow.ts';
import { root } from './support/fixtures.ts';
import { productDefinitions } from './support/product-definitions.ts';

const needed =
  /^(login|segundo-factor|contrasena|error|seguridad|llaves|firma-digital|registro|no-encontrado|no-fui-yo)/;
const screens: Record<string, LoadedScreen> = {};
let definitions: ServedDefinitions;

beforeAll(async () => {
  definitions = await productDefinitions;
  const { screens: listed } = definitions.manifest('es');
  for (const [id, { url }] of Object.entries(listed)) {
    if (!needed.test(id)) continue;
    const source = definitions.modules.find((module) => module.url === url)?.source ?? '';
    screens[id] = await loadScreen(`data:text/javascript;base64,${Buffer.from(source).toString('base64')}`);
  }
});

const flags = { ci_electronica: false, contrasena: true, telefono_autogestion: true };
const run = (flow: string, facts = {}) =>
  runFlow(definitions.flows[flow]!, {
    screens,
    facts: { flags, user: null, authenticated: false, identityProviders: true, ...facts },
  });
const none = { idps: [], ci_allowed: true, gub_uy_allowed: true };
const some = { ...none, idps: [{ identificador: 'abitab' }] };
const documented = { username: '12345672' };

/** Opens the sign-in flow at a challenge. */
async function openAtChallenge(challenge: string, more = {}, query = '') {
  const running = run('ingreso');
  await running.arrive('username', query);
  await running.calls[0]!.answer(createSuccess(none));
  running.type(documented);
  await running.raise('submit');
  await running.calls[1]!.answer(createSuccess({ challenge, token: 't', ...more }));
  return running;
}

test.each([
  [9, 'te quedan 9', 'continue', '/ayuda'],
  [1, 'te queda uno', 'setUp', '/seguridad/autenticacion-en-dos-pasos'],
  [0, 'el último', 'setUp', '/seguridad/autenticacion-en-dos-pasos'],
])('[LOG-04] sign-in with a recovery code shows how many are left: %i, "%s"', async (left, says, event, address) => {
  const running = await openAtChallenge('urn:iduruguay:am:totp');
  await running.raise('recovery');
  running.type({ recovery: 'ABCDEFGH23456789' });
  await running.raise('submit');
  await running.calls[2]!.answer(createSuccess({ challenge: null, location: '/ayuda', recovery_codes_left: left }));
  expect(running.calls[3]?.call).toBe('obtainToken');
  await running.calls[3]!.answer(createSuccess());
  const { view, context } = running.runner.state;
  const scope = { ...context, context };
  const { ui } = view!.screen!.validator.screen;
  expect([
    running.shown(),
    resolveIntroParagraphs(ui, scope)
      .map(({ text }) => fillPlaceholders(text, scope))
      .join(' '),
  ]).toEqual(['codigo-usado', expect.stringContaining(says)]);
  await running.raise(event);
  expect(running.left).toEqual([address]);
});

describe('entered document', () => {
  const uruguayan = { pais_emisor: 'uy', tipo_documento: 'ci', numero_documento: '12345672' };
  const foreign = { pais_emisor: 'ar', tipo_documento: 'dni', numero_documento: '30111222' };

  test('is carried from the sign-in to other flows, even if it was not submitted', async () => {
    const running = run('ingreso');
    await running.arrive('username');
    await running.calls[0]!.answer(createSuccess(none));
    running.type(documented);
    running.runner.depart();
    expect(running.carried).toEqual([uruguayan]);
  });

  test.each([
    ['registro', 'documento', ['tipo_documento', 'numero_documento']],
    ['registro', 'reenviar', ['tipo_doc', 'doc']],
    ['contrasena', 'pedir', ['tipo_doc', 'doc']],
  ] as const)('prefills the form of the flow %s at %s', async (flow, state, [type, number]) => {
    const running = run(flow, { carried: foreign });
    await running.arrive(state);
    expect(running.runner.state.view?.form?.values).toMatchObject({
      pais_emisor: 'ar',
      [type]: 'dni',
      [number]: '30111222',
    });
  });

  test.each([
    [uruguayan, '12345672'],
    [foreign, null],
  ])('prefills the sign-in if it is a Uruguayan one: %o', async (carried, number) => {
    const running = run('ingreso', { carried });
    await running.arrive('username');
    await running.calls[0]!.answer(createSuccess(none));
    expect(running.runner.state.view?.form?.values['username'] ?? null).toBe(number);
  });
});

test('password step counts the rejected passwords', async () => {
  const running = await openAtChallenge('urn:iduruguay:am:password');
  for (const call of [2, 3]) {
    running.type({ password: `no es ${call}` });
    await running.raise('submit');
    await running.calls[call]!.answer(createRefusal({ errors: { password: 'No.' } }));
  }
  expect(running.runner.state.context.fallos).toBe(2);
});

describe('[LOG-01 LOG-02] entry to the sign-in and the account', () => {
  test.each([
    ['the document step if there are no providers', '', none, {}, 'username'],
    ['the list of methods if there are providers', '', some, {}, 'elegir'],
    ['the advanced methods for nid=3', '?nid=3', some, {}, 'advanced'],
    ['the identity card for ae=ci', '?ae=ci', none, {}, 'ci'],
    [
      'the document step for ae=ci if the card is not allowed',
      '?ae=ci',
      { ...none, ci_allowed: false },
      { flags: { ci_electronica: true } },
      'username',
    ],
  ])('shows %s', async (_, query, answer, facts, state) => {
    const running = run('ingreso', facts);
    await running.arrive('username', query);
    expect(running.calls[0]?.call).toBe('getIdentityProviders');
    await running.calls[0]!.answer(createSuccess(answer));
    expect(running.shown()).toBe(state);
  });

  test.each([
    ['login-elegir', 'elegir', '', true],
    ['login-elegir', 'elegir', '', false],
    ['login-advanced-methods', 'advanced', '?nid=3', true],
    ['login-advanced-methods', 'advanced', '?nid=3', false],
  ])(
    '[LOG-02] %s offers the card exactly if the response allows it, whatever the flag is (%s %s %s)',
    async (id, state, query, allowed) => {
      const facts = { flags: { ...flags, ci_electronica: !allowed } };
      const running = run('ingreso', facts);
      await running.arrive('username', query);
      await running.calls[0]!.answer(createSuccess({ ...some, ci_allowed: allowed }));
      expect(running.shown()).toBe(state);
      const card = screens[id]!.validator.screen.ui.actions!.find(({ event }) => event === 'card')!;
      expect(isRuleTrue(card.visible, { ...facts, context: running.runner.state.context })).toBe(allowed);
      await running.raise('card');
      expect(running.shown()).toBe(allowed ? 'ci' : 'username');
    },
  );

  test('[LOG-10 LOG-15] offers the card and the wallet beside the providers', async () => {
    const running = run('ingreso', { flags: { ci_electronica: true } });
    await running.arrive('username');
    await running.calls[0]!.answer(createSuccess(some));
    await running.raise('card');
    expect(running.shown()).toBe('ci');
    await running.arrive('elegir');
    await running.raise('wallet');
    const asked = running.calls.at(-1)!;
    expect(asked.call).toBe('answerChallenge');
    await asked.answer(
      createSuccess({ challenge: 'urn:iduruguay:am:wallet', token: 't', options: { link: 'https://w.example' } }),
    );
    expect(running.shown()).toBe('billetera');
  });

  test('[LOG-10] shows a notice if the server cannot read cards, and still offers the other methods', async () => {
    const running = run('ingreso', { flags: { ci_electronica: true } });
    await running.arrive('username', '?ae=ci');
    await running.calls[0]!.answer(createSuccess(none));
    await running.raise('card');
    await running.calls[1]!.answer(createRefusal({ status: 400, code: 'tarjeta_no_disponible' }));
    expect([running.shown(), running.runner.state.notice?.text]).toEqual([
      'ci',
      expect.stringContaining('Acá no podés iniciar sesión con la cédula por ahora'),
    ]);
    await running.raise('other');
    expect(running.shown()).toBe('username');
  });

  test('shows the document step without a request if no provider is configured', async () => {
    const running = run('ingreso', { identityProviders: false });
    await running.arrive('username');
    expect([running.calls.length, running.shown()]).toEqual([0, 'username']);
  });

  test('shows the name of the application from the server, and a notice if its request has ended', async () => {
    const running = run('ingreso', { identityProviders: false });
    await running.arrive('username', '?process_state=p&aplicacion=Banco');
    expect(running.calls[0]).toMatchObject({ call: 'getIdentityProviders', input: { params: { process_state: 'p' } } });
    expect(running.runner.state.context.aplicacion).toBeNull();
    await running.calls[0]!.answer(createSuccess({ ...none, aplicacion: 'Trámites' }));
    expect([running.shown(), running.runner.state.context.aplicacion]).toEqual(['username', 'Trámites']);
    const late = run('ingreso', { identityProviders: false });
    await late.arrive('username', '?process_state=p');
    await late.calls[0]!.answer(createRefusal({ code: 'solicitud_terminada' }));
    expect([late.shown(), late.runner.state.notice?.text]).toEqual([
      'username',
      'El pedido de la aplicación ya terminó o venció. Volvé a empezar desde la aplicación.',
    ]);
  });

  test('shows the document step and the message of the address if the providers cannot be loaded', async () => {
    const running = run('ingreso');
    await running.arrive('username', '?mensaje=Hola');
    await running.calls[0]!.answer(createRefusal({ status: 0 }));
    expect([running.shown(), running.runner.state.notice?.text]).toEqual([
      'username',
      'Mensaje de la página de la que venís: «{mensaje}»',
    ]);
  });

  test('[LOG-01] shortens the message of the address to 200 characters, and shows the text of a known key', async () => {
    const long = run('ingreso', { identityProviders: false });
    await long.arrive('username', `?mensaje=${'x'.repeat(300)}`);
    expect([long.runner.state.context.mensaje, long.runner.state.notice?.text]).toEqual([
      'x'.repeat(200),
      'Mensaje de la página de la que venís: «{mensaje}»',
    ]);
    const known = run('ingreso', { identityProviders: false });
    await known.arrive('username', '?mensaje=sesion_expirada');
    expect(known.runner.state.notice?.text).toBe('El tiempo de inicio de sesión expiró. Comienza de nuevo.');
    const choice = run('ingreso');
    await choice.arrive('username', '?mensaje=Hola');
    await choice.calls[0]!.answer(createSuccess(some));
    expect([choice.shown(), choice.runner.state.notice?.text], 'also at the choice of methods').toEqual([
      'elegir',
      'Mensaje de la página de la que venís: «{mensaje}»',
    ]);
    const ended = run('ingreso', { identityProviders: false });
    await ended.arrive('username', '?mensaje=sesion_terminada');
    expect(ended.runner.state.notice?.text).toMatch(/^Tu sesión terminó\./);
  });

  test('[SEG-01] shortens the message of the account overview to 200 characters, and shows it once', async () => {
    const long = run('seguridad');
    await long.arrive('resumen', `?msg=${'x'.repeat(300)}`);
    expect([long.runner.state.context.mensaje, long.runner.state.notice?.text]).toEqual([
      'x'.repeat(200),
      'Mensaje de la página de la que venís: «{mensaje}»',
    ]);
    long.runner.dismiss();
    await long.arrive('resumen');
    expect(long.runner.state.notice, 'the message is not shown again').toBeNull();
    const known = run('seguridad');
    await known.arrive('resumen', '?msg=accion_no_permitida');
    expect(known.runner.state.notice?.text).toBe('Usted ya realizó esta acción o no tiene permisos para hacerlo');
  });

  test.each([
    ['seguridad', 'resumen', '?msg=Hola', '?msg=Chau'],
    ['seguridad', 'resumen', '?msg=accion_no_permitida', '?msg=Chau'],
    ['ingreso', 'username', '?mensaje=Hola', ''],
    ['ingreso', 'username', '?expiro=1', ''],
  ])('[SEG-01] does not repeat the message after a reload of %s at %s%s', async (flow, state, query, other) => {
    const facts = { identityProviders: false };
    const first = run(flow, facts);
    await first.arrive(state, query);
    expect(first.runner.state.notice).not.toBeNull();
    const entry = first.navigations.at(-1)!;
    const reloaded = run(flow, facts);
    await reloaded.arrive(state, '', entry.state);
    expect([reloaded.shown(), reloaded.runner.state.notice]).toEqual([state, null]);
    if (other === '') return;
    await reloaded.arrive(state, other);
    expect(reloaded.runner.state.notice, 'a different message is shown').not.toBeNull();
  });

  test('[LOG-12] stores the response for a service provider in the context and removes the token', async () => {
    const handed = { action: 'https://sp.example/acs', authn_response: 'PD94', relay_state: 'r' };
    const { runner } = await openAtChallenge('urn:iduruguay:am:password', handed);
    expect(runner.state.context).toMatchObject({ ...handed, token: null });
  });

  test('[LOG-13] redirects to a provider with its name and the process state', async () => {
    const running = run('ingreso');
    await running.arrive('username', '?process_state=p');
    await running.calls[0]!.answer(createSuccess(some));
    await running.runner.raise('provider', { idp: 'abitab' });
    expect(running.left).toEqual([
      { to: '/auth/idp-login', host: 'broker', query: { idp: 'abitab', process_state: 'p', redirectUrl: null } },
    ]);
  });
});

describe('[LOG-05] challenge of the server', () => {
  test.each([
    ['urn:iduruguay:am:password', 'password'],
    ['password', 'password'],
    ['institutional_email', 'institutional-email'],
    ['totp', 'totp'],
    ['recoverycode', 'recoverycode'],
    ['urn:iduruguay:am:totp', 'totp'],
    ['urn:iduruguay:am:recoverycode', 'recoverycode'],
    ['needs_other_factor', 'sin-factor'],
    ['needs_second_factor', 'needs-second-factor'],
    ['needs_identity_validation', 'needs-identity'],
    ['needs_both', 'needs-both'],
    ['a_new_one', 'desconocido'],
  ])('%s opens the state %s', async (challenge, state) => {
    expect((await openAtChallenge(challenge)).shown()).toBe(state);
  });

  test.each([
    ['urn:iduruguay:am:password', 'submit', { password: 'x' }, 'urn:iduruguay:am:password', { password: 'x' }],
    ['urn:iduruguay:am:totp', 'submit', { totp: '123456' }, 'urn:iduruguay:am:totp', { totp: '123456' }],
    ['urn:iduruguay:am:totp', 'email', {}, 'urn:iduruguay:am:password', { emailTOTP: true }],
    [
      'urn:iduruguay:am:recoverycode',
      'submit',
      { recoverycode: 'AB12CD' },
      'urn:iduruguay:am:recoverycode',
      { recoverycode: 'AB12CD' },
    ],
    ['password', 'submit', { password: 'x' }, 'password', { password: 'x' }],
    ['totp', 'submit', { totp: '123456' }, 'totp', { totp: '123456' }],
    ['totp', 'email', {}, 'password', { emailTOTP: true }],
    ['recoverycode', 'submit', { recoverycode: 'AB12CD' }, 'recoverycode', { recoverycode: 'AB12CD' }],
    [
      'institutional_email',
      'submit',
      { institutional_email: 'a@b.uy' },
      'institutional_email',
      { institutional_email: 'a@b.uy' },
    ],
  ])(
    '[LOG-04 LOG-07] %s with the event %s and the input %j sends the challenge %s',
    async (step, event, form, challenge, data_challenge) => {
      const running = await openAtChallenge(step, {}, '?redirectUrl=%2Fx&agnt=1&process_state=p');
      running.type(form);
      await running.raise(event);
      expect(running.calls[2]).toMatchObject({
        call: 'answerChallenge',
        input: {
          body: { challenge, data_challenge, extra: { redirect_url: '/x', agnt: '1', process_state: 'p' }, token: 't' },
        },
      });
    },
  );
});

test.each([
  ['', '/'],
  ['?redirectUrl=%2Fseguridad', '/seguridad'],
])('[LOG-05] sign-in that ends without an address (%s) redirects to %s', async (query, to) => {
  const running = await openAtChallenge('password', {}, query);
  running.type({ password: 'x' });
  await running.raise('submit');
  await running.calls[2]!.answer(createSuccess({ challenge: null, token: 't' }));
  expect(running.calls[3]?.call).toBe('obtainToken');
  await running.calls[3]!.answer(createSuccess({ token: 't' }));
  expect(running.left).toEqual([to]);
});

describe('[LOG-08 LOG-14] error of a sign-in step', () => {
  test.each([
    ['account_blocked', { code: 'account_blocked' }, '/contacto', '/contraseña/restablecer'],
    ['account_no_activated', { code: 'account_no_activated' }, '/registro/reenviar-link-activacion'],
  ])('%s is shown with the links that help', async (_, failure, to, other?: string) => {
    const running = await openAtChallenge('urn:iduruguay:am:password');
    running.type({ password: 'x' });
    await running.raise('submit');
    await running.calls[2]!.answer(createRefusal(failure));
    expect([running.runner.state.notice?.link?.to, running.runner.state.notice?.other?.to]).toEqual([to, other]);
  });

  test('[IDP-02] is shown with a link to the support mailbox for an unregistered domain', async () => {
    const running = await openAtChallenge('institutional_email');
    running.type({ institutional_email: 'a@b.uy' });
    await running.raise('submit');
    await running.calls[2]!.answer(createRefusal({ code: 'dominio_no_registrado', error: 'x' }));
    expect(running.runner.state.notice).toMatchObject({ intent: 'warning', link: { to: 'mailto:{supportMailbox}' } });
  });

  test('reloads the sign-in with the query of its address if the mail step has expired', async () => {
    const running = await openAtChallenge('urn:iduruguay:am:recoverycode', {}, '?redirectUrl=%2Fx');
    running.type({ recoverycode: 'AB12CD' });
    await running.raise('submit');
    await running.calls[2]!.answer(createRefusal({ code: 'sesion_expirada' }));
    expect(running.left).toMatchObject([{ to: '/login', fresh: true, query: { expiro: '1', redirectUrl: '/x' } }]);
  });

  test('is shown at the field that it names', async () => {
    const running = await openAtChallenge('urn:iduruguay:am:totp');
    running.type({ totp: '123456' });
    await running.raise('submit');
    await running.calls[2]!.answer(createRefusal({ errors: { totp: 'No es correcto' } }));
    expect(running.runner.state.view?.form?.field('totp')?.error).toBe('No es correcto');
  });
});

describe('[LOG-05] reload at the password step', () => {
  const national = { pais_emisor: 'uy', tipo_documento: 'ci', username: '12345672' };
  const foreign = { pais_emisor: 'ar', tipo_documento: 'psp', username: 'AAB123' };

  /** Restarts the flow after a reload, and continues to the list of methods. */
  async function reloaded(methods: object = none) {
    const first = await openAtChallenge('urn:iduruguay:am:password');
    const entry = first.navigations.at(-1)!;
    expect(JSON.stringify([entry, first.remembered]), 'the document number is not stored').not.toContain('12345672');
    const running = run('ingreso');
    await running.arrive('username', '', entry.state);
    await running.calls[0]!.answer(createSuccess(methods));
    return running;
  }

  test.each([national, foreign])('continues with the document that the server has stored: %o', async (known) => {
    const running = await reloaded();
    expect(running.calls[1]).toMatchObject({ call: 'getPendingSignIn' });
    await running.calls[1]!.answer(createSuccess(known));
    expect(running.calls[2]).toMatchObject({
      call: 'answerChallenge',
      input: { body: { challenge: 'username', data_challenge: known, token: null } },
    });
    await running.calls[2]!.answer(createSuccess({ challenge: 'urn:iduruguay:am:password', token: 'u' }));
    expect(running.shown()).toBe('password');
    expect(running.runner.state.view?.form?.values['username']).toBe(known.username);
    expect(running.runner.state.notice).toBeNull();
  });

  test.each([
    ['no sign-in is in progress', [createSuccess({})], none, 'username'],
    ['the server is unavailable', [createRefusal({ status: 503 })], none, 'username'],
    ['the document is rejected', [createSuccess(national), createRefusal({ status: 429 })], none, 'username'],
    ['there are other methods', [createSuccess({})], some, 'elegir'],
  ])('returns to the first step with a notice if %s', async (_, answers, methods, state) => {
    const running = await reloaded(methods);
    for (const [index, answer] of answers.entries()) await running.calls[index + 1]!.answer(answer);
    expect(running.shown()).toBe(state);
    expect(running.runner.state.notice?.text).toContain('La página se volvió a cargar');
  });
});

test('[LOG-06] sign-in clears the code after the citizen goes back', async () => {
  const running = await openAtChallenge('urn:iduruguay:am:totp');
  running.type({ totp: '123456' });
  await running.back();
  await running.arrive('username', '', { flow: 'ingreso', step: 'username', variables: {}, depth: 0 });
  await running.arrive('username', '', { flow: 'ingreso', step: 'totp', variables: {}, depth: 1 });
  expect([running.shown(), running.runner.state.view?.form?.field('totp')?.value]).toEqual(['totp', undefined]);
});

test('[LOG-06] sign-in restores the document after going back, and uses a changed one in the password step', async () => {
  const running = await openAtChallenge('urn:iduruguay:am:password');
  const username = () => running.runner.state.view?.form?.field('username')?.value;
  expect([username(), running.runner.state.context.documento]).toEqual(['12345672', '12345672']);
  await running.raise('back');
  await running.arrive('username', '', { flow: 'ingreso', step: 'username', variables: {}, depth: 0 });
  expect([running.shown(), username()]).toEqual(['username', '12345672']);
  running.type({ username: '45123784' });
  await running.raise('submit');
  await running.calls[2]!.answer(createSuccess({ challenge: 'urn:iduruguay:am:password', token: 't2' }));
  expect([running.shown(), username(), running.runner.state.context.documento]).toEqual([
    'password',
    '45123784',
    '45123784',
  ]);
});

test.each([
  ['second', '/seguridad/autenticacion-en-dos-pasos'],
  ['identity', '/seguridad'],
])(
  '[LOG-09] requirement of an application, %s, obtains the token so far and redirects to %s',
  async (event, address) => {
    const running = await openAtChallenge('needs_both');
    await running.raise(event);
    expect(running.calls[2]?.call).toBe('obtainToken');
    await running.calls[2]!.answer(createSuccess({ token: 'x' }));
    expect(running.left).toEqual([address]);
  },
);

describe('[SEG-09] digital signature without configured roots', () => {
  test.each([
    ['inicio', ''],
    ['firmar', '?uuid=u'],
  ])('is not available at %s, but is with configured roots', async (state, query) => {
    const facts = { user: { id: '17' }, authenticated: true, signatureObstacle: null };
    const closed = run('firma-digital', { ...facts, digitalSignature: false });
    await closed.arrive(state, query);
    expect([closed.left, closed.calls]).toEqual([['/desconocido'], []]);
    const open = run('firma-digital', { ...facts, digitalSignature: true });
    await open.arrive(state, query);
    expect(open.left).toEqual([]);
  });
});

describe('[REG-04] record completed during a sign-in', () => {
  const user = {
    id: '17',
    primer_nombre: 'Carlos',
    user: { email: null },
    documento: { pais_emisor: { codigo: 'uy' }, tipo_documento: { codigo: 'ci' } },
  };

  test.each([
    ['later', 'puts it off'],
    ['submit', 'goes on from it'],
  ])('continues to the requested address once, after the event %s', async (event) => {
    const running = run('registro', { user, authenticated: true });
    await running.arrive('documento', '?next=%2Fconfigurar-segundo-factor');
    if (event === 'submit') {
      for (const values of [
        { numero_documento: '29458715' },
        { primer_apellido: 'González' },
        { email: 'c@example.com', repetir_email: 'c@example.com' },
        { terminos: true },
      ]) {
        running.type(values);
        await running.raise('submit');
      }
      expect(running.shown()).toBe('completar');
      running.type({ password: 'la lluvia azul', repetir_password: 'la lluvia azul', captcha_response: 'x' });
    }
    await running.raise(event);
    if (event === 'submit') await running.calls[0]!.answer(createSuccess({ email: 'c@example.com' }));
    expect([running.left, running.runner.state.context.next], 'the address is used once').toEqual([
      ['/configurar-segundo-factor'],
      null,
    ]);
  });
});

test('[LOG-04] step for the code by mail accepts a recovery code', async () => {
  const running = await openAtChallenge('urn:iduruguay:am:recoverycode', {});
  await running.raise('recovery');
  running.type({ recovery: 'ABCDEFGH23456789' });
  await running.raise('submit');
  expect(running.calls.at(-1)?.input.body).toMatchObject({
    challenge: 'urn:iduruguay:am:totp',
    data_challenge: { recovery: 'ABCDEFGH23456789' },
  });
});

describe('[MFA-06] second factor flow', () => {
  const status = (obligatorio: boolean, activado = false) =>
    createSuccess({ estado: { activado, fecha_activado: null }, methods: { totp: null, email: null }, obligatorio });
  const facts = { user: { id: '17' }, authenticated: true };

  test.each([
    ['redirects if it can be postponed', status(false), [{ address: '/x', query: { state: 's' } }], 'postergar'],
    ['shows the choice of methods if the level requires a second factor', status(true), [], 'elegir'],
  ])('%s', async (_, answer, left, state) => {
    const running = run('segundo-factor', facts);
    await running.arrive('postergar', '?redirect_uri=%2Fx&state=s');
    await running.calls[0]!.answer(answer);
    expect([running.left, running.shown()]).toEqual([left, state]);
  });

  test.each([
    [true, 'login-email', ['totp', 'email']],
    [false, 'elegir', ['totp']],
  ])('[MFA-03] offers codes by mail only for a verified address: %s', async (email_validado, state, offered) => {
    const running = run('segundo-factor', { ...facts, user: { id: '17', email_validado } });
    await running.arrive('elegir', '?redirect_uri=%2Fx');
    await running.calls[0]!.answer(status(true));
    const { actions = [] } = running.runner.state.view?.screen?.validator.screen.ui ?? {};
    expect(
      actions
        .filter(({ visible }) =>
          isRuleTrue(visible, { user: { email_validado }, context: running.runner.state.context }),
        )
        .map(({ event }) => event),
    ).toEqual(offered);
    await running.raise('email');
    expect(running.shown()).toBe(state);
  });

  test('sets up an app during the sign-in, shows the recovery codes once and continues', async () => {
    const running = run('segundo-factor', facts);
    await running.arrive('elegir', '?redirect_uri=%2Fx');
    await running.calls[0]!.answer(status(false));
    await running.raise('totp');
    await running.calls[1]!.answer(
      createSuccess({ id: 'm1', secret: 'JBSWY3DP', url: 'otpauth://totp/x?secret=JBSWY3DP' }),
    );
    await running.raise('submit');
    running.type({ code: '123456' });
    await running.raise('submit');
    expect(running.calls[2]).toMatchObject({
      call: 'verifyTotp',
      input: { params: { method: 'm1' }, body: { code: '123456', login: true } },
    });
    await running.calls[2]!.answer(createSuccess({ activado: true, codigos: ['A'] }));
    expect([running.shown(), running.runner.state.context.url, running.runner.state.context.codigos]).toEqual([
      'login-aplicativo-exito',
      null,
      ['A'],
    ]);
    await running.raise('submit');
    expect([running.left, running.runner.state.context.codigos]).toEqual([
      [{ address: '/x', query: { state: null } }],
      null,
    ]);
    expect(JSON.stringify([running.navigations, running.remembered])).not.toContain('JBSWY3DP');
  });

  test('[MFA-05] removes every method, reloads the status and opens the account after disabling', async () => {
    const running = run('segundo-factor', facts);
    await running.arrive('dos-pasos');
    await running.calls[0]!.answer(
      createSuccess({
        estado: { activado: true },
        methods: { totp: { id: 'a' }, email: { id: 'b' } },
        obligatorio: false,
      }),
    );
    await running.raise('disable');
    expect([running.shown(), running.runner.state.viewBelowModal?.name]).toEqual(['desactivar', 'dos-pasos']);
    await running.raise('confirm');
    await running.calls[1]!.answer(createSuccess());
    await running.calls[2]!.answer(createSuccess());
    await running.calls[3]!.answer(status(false));
    expect(running.calls.map(({ call, input }) => [call, input.params])).toEqual([
      ['getMfaStatus', { id: '17' }],
      ['deleteTotp', { method: 'a' }],
      ['deleteEmailMethod', { method: 'b' }],
      ['getMfaStatus', { id: '17' }],
    ]);
    expect(running.left).toEqual(['/seguridad']);
  });

  test.each([
    [0, 'Sin conexión'],
    [500, 'No pudimos desactivar el doble factor de autenticación. Probá de nuevo.'],
  ])('[MFA-05 ERR-03] stays in the dialog with a notice if disabling fails with %i', async (httpStatus, words) => {
    const running = run('segundo-factor', facts);
    await running.arrive('dos-pasos');
    await running.calls[0]!.answer(createSuccess({ estado: { activado: true }, methods: { totp: { id: 'a' } } }));
    await running.raise('disable');
    await running.raise('confirm');
    await running.calls[1]!.answer(createRefusal({ status: httpStatus, error: 'Sin conexión' }));
    expect([running.shown(), running.runner.state.notice?.text]).toEqual(['desactivar', words]);
  });
});

describe('[CLAVE-04 MFA-05] operation that requires a proof of identity', () => {
  const next = '/seguridad/contraseña/verificar?next=%2Fseguridad';
  const wanted = createRefusal({ status: 403, code: 'verificacion_requerida', next });
  const status = { estado: { activado: true }, methods: { totp: { id: 'a' } } };
  const facts = { user: { id: '17', email_validado: true }, authenticated: true };

  /**
   * Runs a flow whose operation requires a fresh proof of identity. Returns the flow, and the password flow that it
   * redirects to.
   */
  async function interrupt(flow: string, begin: (running: ReturnType<typeof run>) => Promise<void>) {
    const proof = { isGiven: false };
    const interrupted = new InterruptedEventStore(({ code }) => code === 'verificacion_requerida' && proof.isGiven);
    const open = (id: string) => {
      const surroundings = { screens, facts: { flags, ...facts }, interrupted, holder: '17' as string | null };
      return { ...runFlow(definitions.flows[id]!, surroundings), surroundings };
    };
    const [errand, other, password] = [open(flow), open('seguridad'), open('seguridad-contrasena')];
    await begin(errand);
    await errand.calls.at(-1)!.answer(wanted);
    expect(errand.left).toEqual([next]);
    errand.runner.depart();
    await password.arrive('verificar', '?next=%2Fseguridad');
    await password.arrive('verificar'); // opens the URL without its query, which the page has removed
    return { errand, other, password, proof };
  }

  const disable = async (running: ReturnType<typeof run>) => {
    await running.arrive('dos-pasos');
    await running.calls[0]!.answer(createSuccess(status));
    await running.raise('disable');
    await running.raise('confirm');
    expect(running.calls[1]?.call).toBe('deleteTotp');
  };

  test('is repeated after the password: the second factor is disabled', async () => {
    const { errand, proof } = await interrupt('segundo-factor', disable);
    proof.isGiven = true;
    await errand.arrive('dos-pasos');
    await errand.calls[2]!.answer(createSuccess(status));
    expect(errand.calls[3]).toMatchObject({ call: 'deleteTotp', input: { params: { method: 'a' } } });
    await errand.calls[3]!.answer(createSuccess());
    await errand.calls[4]!.answer(createSuccess({ estado: { activado: false }, methods: {} }));
    expect(errand.left.at(-1)).toBe('/seguridad');
  });

  test.each([
    ['seguridad-datos', 'datos', 'download', {}, 'exportData'],
    ['llaves-de-acceso', 'lista', 'add', {}, 'createPasskeyOptions'],
    ['seguridad-correo', 'modificar', 'submit', { email: 'ana@correo.uy' }, 'updateEmail'],
    ['seguridad-telefono', 'modificar', 'submit', { numero_telefono: '+59899123456' }, 'updatePhone'],
    [
      'seguridad-contrasena',
      'modificar',
      'submit',
      { new_pass: 'lluvia tren azul', repeat_pass: 'lluvia tren azul' },
      'updatePassword',
    ],
    ['segundo-factor', 'totp', 'continue', {}, 'createTotp'],
    ['segundo-factor', 'elegir', 'totp', {}, 'createTotp'],
    ['segundo-factor', 'email', 'send', {}, 'activateEmailMethod'],
  ] as const)('is repeated after the password: %s/%s %s', async (flow, state, event, values, operation) => {
    const loaded = async (running: ReturnType<typeof run>) => {
      const load = running.calls.at(-1);
      if (load && load.call.startsWith('get')) await load.answer(createSuccess({ estado: {}, methods: {} }));
    };
    const { errand, proof } = await interrupt(flow, async (running) => {
      await running.arrive(state);
      await loaded(running);
      running.type(values);
      await running.raise(event);
      expect(running.calls.at(-1)?.call).toBe(operation);
    });
    const { input } = errand.calls.at(-1)!;
    proof.isGiven = true;
    await errand.arrive(state);
    await loaded(errand);
    expect([errand.calls.at(-1)?.call, errand.calls.at(-1)?.input]).toEqual([operation, input]);
  });

  test.each([
    ['without the proof', { given: false, owner: '17', by: '' }],
    ['for another account', { given: true, owner: '18', by: '' }],
    ['after another page was opened', { given: true, owner: '17', by: 'resumen' }],
  ])('is not repeated %s', async (_, { given, owner, by }) => {
    const { errand, other, proof } = await interrupt('segundo-factor', disable);
    proof.isGiven = given;
    errand.surroundings.holder = owner;
    if (by !== '') await other.arrive(by);
    await errand.arrive('dos-pasos');
    await errand.calls[2]!.answer(createSuccess(status));
    expect([errand.calls.length, errand.shown()]).toEqual([3, 'dos-pasos']);
  });
});

test.each([
  [true, 'reset', '/contraseña/restablecer'],
  [false, 'contact', '/contacto'],
])(
  "[SEG+NOFUI CFG-01] error page of 'No fui yo' offers the password reset, or the contact page if passwords are off: %s",
  async (contrasena, event, to) => {
    const { actions } = JSON.parse(readFileSync(join(root, 'schemas/no-fui-yo-error/ui.json'), 'utf8')) as {
      actions: readonly { event: string; visible?: JsonLogic }[];
    };
    const shown = actions.filter(({ visible }) => isRuleTrue(visible, { flags: { ...flags, contrasena } }));
    expect(shown.map((action) => action.event)).toEqual([event]);
    const running = run('seguridad');
    await running.arrive('no-fui-yo-error');
    await running.raise(event);
    expect(running.left).toEqual([to]);
  },
);

describe('[CLAVE-03] password reset link', () => {
  test.each(['pedir', 'enviado', 'nueva', 'exito', 'invalido'])(
    '[CFG-01] redirects to the sign-in if the password reset is off: %s',
    async (state) => {
      const running = run('contrasena', { flags: { ...flags, contrasena: false } });
      await running.arrive(state, '?token=abc');
      expect([running.left, running.calls.length]).toEqual([['/login'], 0]);
    },
  );

  test.each([
    ['a used link', 'vinculo_invalido', 'invalido'],
    ['an invalid token of another backend', 'invalid_token', 'invalido'],
    ['a rejected password', undefined, 'nueva'],
  ])('opens the page for invalid links, or keeps the form if the password is invalid: %s', async (_, code, state) => {
    const running = run('contrasena');
    await running.arrive('nueva', '?token=abc');
    await running.calls[0]!.answer(createSuccess({}));
    running.type({ password: 'lluvia tren azul', passwordRepeat: 'lluvia tren azul' });
    await running.raise('submit');
    expect(running.calls[1]?.input.body).toEqual({
      password: 'lluvia tren azul',
      passwordRepeat: 'lluvia tren azul',
      token: 'abc',
    });
    await running.calls[1]!.answer(createRefusal(code === undefined ? {} : { code }));
    expect(running.shown()).toBe(state);
  });

  test('[CLAVE-03] is checked when it is opened, and shows the page for invalid links before the form', async () => {
    const running = run('contrasena');
    await running.arrive('nueva', '?token=abc');
    expect(running.calls[0]).toMatchObject({ call: 'checkPasswordReset', input: { body: { token: 'abc' } } });
    expect(running.runner.state.view?.pending, 'nothing is drawn before the response').toBe(true);
    await running.calls[0]!.answer(createRefusal({ code: 'vinculo_invalido' }));
    expect([running.shown(), running.runner.state.context.token]).toEqual(['invalido', null]);
  });

  test.each([429, 503, 0])('[CLAVE-03] shows the form with a notice if the check fails with %i', async (status) => {
    const running = run('contrasena');
    await running.arrive('nueva', '?token=abc');
    await running.calls[0]!.answer(createRefusal({ status }));
    expect([running.shown(), running.runner.state.failed, running.runner.state.notice?.text]).toEqual([
      'nueva',
      false,
      'No pudimos comprobar el vínculo en este momento. Podés seguir: se comprueba al guardar.',
    ]);
    expect(running.runner.state.view?.form?.values).toMatchObject({ token: 'abc' });
  });

  test('[CLAVE-03] shows the form without a notice if the backend cannot check links', async () => {
    const running = run('contrasena');
    await running.arrive('nueva', '?token=abc');
    await running.calls[0]!.answer(createRefusal({ status: 404 }));
    const { view, notice, failed } = running.runner.state;
    expect([view?.name, view?.pending, notice, failed]).toEqual(['nueva', false, null, false]);
    expect(view?.form?.values).toMatchObject({ token: 'abc' });
  });

  test('[CLAVE-03] shows the page for invalid links if it has no token', async () => {
    const running = run('contrasena');
    await running.arrive('nueva');
    expect(running.shown()).toBe('invalido');
  });
});

test.each([
  ['a known description', '?errorCode=IDP_ERROR&process_state=p&error_description=BloquedUser', 'identidad-movil'],
  ['an unknown description', '?errorCode=IDP_ERROR&process_state=p&error_description=Other', 'proveedor'],
  ['no process state', '?errorCode=IDP_ERROR&error_description=BloquedUser', 'proveedor'],
])('[INI-10] error of an identity provider opens the page for its cause: %s', async (_, query, state) => {
  const running = run('error');
  await running.arrive('decidir', query);
  expect(running.shown()).toBe(state);
});

describe('time limit of a sign-in', () => {
  const steps = [
    ['urn:iduruguay:am:password', 'password', {}],
    ['institutional_email', 'institutional-email', {}],
    ['urn:iduruguay:am:totp', 'totp', {}],
    ['urn:iduruguay:am:passkey', 'llave', { options: {} }],
    ['urn:iduruguay:am:recoverycode', 'recoverycode', {}],
  ] as const;

  test.each(steps)(
    '%s: warns two minutes before the end, and can restart with the same document',
    async (challenge, state, more) => {
      const running = await openAtChallenge(challenge, {
        ...more,
        expires_at: new Date(Date.now() + 119_000).toISOString(),
      });
      await vi.waitFor(() =>
        expect(running.runner.state.notice?.text).toBe('Te quedan menos de 2 minutos para terminar de iniciar sesión.'),
      );
      expect(running.shown()).toBe(state);
      await running.raise('restart');
      expect([running.shown(), running.runner.state.view?.form?.values, running.runner.state.context['token']]).toEqual(
        ['username', documented, null],
      );
    },
  );

  test('shows no warning while ten minutes are left', async () => {
    const running = await openAtChallenge('urn:iduruguay:am:password', {
      expires_at: new Date(Date.now() + 600_000).toISOString(),
    });
    expect([running.shown(), running.runner.state.notice]).toEqual(['password', null]);
  });
});
