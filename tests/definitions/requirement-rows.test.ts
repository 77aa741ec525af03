import { beforeAll, describe, expect, test } from 'vitest';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import { importScreen } from '../engine/support/loaded-screens.ts';
import { isRuleTrue } from '../../src/engine/core/json-logic.ts';
import { createSuccess, createRefusal, runFlow } from '../engine/support/run-flow.ts';
import { productDefinitions } from './support/product-definitions.ts';

/** Definitions of the product, on which the requirements are tested. */
let definitions: ServedDefinitions;
beforeAll(async () => {
  definitions = await productDefinitions;
});

/** Opens a flow at a state, with the screens that the test needs. */
async function open(
  flow: string,
  shown: readonly string[],
  { user = null, flags = {} }: { user?: unknown; flags?: object } = {},
) {
  const screens = Object.fromEntries(
    await Promise.all(shown.map(async (id) => [id, await importScreen(definitions, id)])),
  );
  return runFlow(definitions.flows[flow]!, { screens, facts: { flags, user, authenticated: user !== null } });
}

/** Returns a screen in Spanish as JSON, which contains all of its texts. */
const wordsOf = (screen: string) => JSON.stringify(definitions.ui(screen, 'es'));

test.each([
  ['/registro', 'registro'],
  ['/registro/exito', 'registro-exito'],
  ['/registro/reenviar-link-activacion', 'registro-reenviar-link-activacion'],
  ['/registro/reenviar-link-activacion/exito', 'registro-reenviar-link-activacion-exito'],
  ['/registro/activar-cuenta', 'registro-activar-cuenta'],
  ['/registro/activar-cuenta/cuenta-activada', 'registro-activar-cuenta-cuenta-activada'],
  ['/registro/activar-cuenta/error', 'registro-activar-cuenta-error'],
])('[RUTA-04] path %s shows the screen %s', (path, screen) => {
  expect(definitions.manifest('es').routes.find((route) => route.path === path)?.screen).toBe(screen);
});

test('[AGEN-01] support call is booked in four steps and has four fixed subjects', () => {
  const { progress } = definitions.flows['agenda-soporte']!;
  expect(progress?.map((steps) => steps.map(({ state }) => state))).toEqual([
    ['contacto', 'telefono', 'fecha', 'confirmar'],
  ]);
  expect(definitions.ui('agenda-soporte', 'es')?.fields?.['asunto']).toMatchObject({
    'ui:enumNames': ['Servicios en línea', 'Usuario gub uy', 'Firma digital', 'Otro'],
  });
});

test.each(['login', 'login-elegir'])(
  '[LOG-15] screen %s offers the wallet only with useId4Verification and a configured wallet',
  (screen) => {
    const { actions = [], aside } = definitions.ui(screen, 'es') ?? {};
    const links = aside?.parts.flatMap(({ links = [] }) => links) ?? [];
    const wallet = [...actions, ...links].find((item) => 'event' in item && item.event === 'wallet');
    expect(wallet).toBeDefined();
    const offered = (useId4Verification: string | null, configured = true) =>
      isRuleTrue(wallet?.visible, { wallet: configured, context: { useId4Verification } });
    expect([offered('True'), offered(null), offered('False'), offered('True', false)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  },
);

test.each(['registro-reenviar-link-activacion', 'contrasena-restablecer'])(
  '[ACT-06] screen %s rejects an invalid Uruguayan document number at its field',
  (screen) => {
    const errorsOf = (pais_emisor: string, tipo_doc: string, doc: string) =>
      definitions.check(screen, { pais_emisor, tipo_doc, doc }, { language: 'es', context: {} }).errors['doc'];
    expect(errorsOf('uy', 'ci', '12345670')).toBe('El documento no es válido.');
    expect(errorsOf('uy', 'ci', '12345672')).toBeUndefined();
    expect(errorsOf('uy', 'psp', '12345670')).toBeUndefined();
    expect(errorsOf('ar', 'dni', '12345670')).toBeUndefined();
  },
);

describe('[LOG-10] sign-in with advanced methods or the identity card', () => {
  const providers = { idps: [{ identificador: 'abitab' }], ci_allowed: true, gub_uy_allowed: true };
  test.each([
    ['?nid=3', 'login-advanced-methods', ['Métodos de identificación avanzada']],
    ['?ae=ci', 'login-ci', ['instalá el complemento', 'En Windows', 'En macOS', 'En Linux']],
  ])('%s opens the screen %s with its texts', async (query, screen, words) => {
    const running = await open('ingreso', [screen]);
    await running.arrive('username', query);
    await running.calls[0]!.answer(createSuccess(providers));
    expect(running.runner.state.view?.state.screen).toBe(screen);
    for (const text of words) expect(wordsOf(screen)).toContain(text);
  });

  test('the list of advanced methods opens the identity card', async () => {
    const running = await open('ingreso', ['login-advanced-methods', 'login-ci']);
    await running.arrive('username', '?nid=3');
    await running.calls[0]!.answer(createSuccess(providers));
    await running.raise('card');
    expect(running.shown()).toBe('ci');
  });
});

test.each([500, 403])(
  '[CORREO-05] phone form opens without the password, and a failed change (%i) shows the error page',
  async (status) => {
    const shown = ['seguridad-telefono-modificar', 'seguridad-telefono-error'];
    const user = { id: '17', numero_telefono: '+598 99 123 456' };
    const flags = { telefono_autogestion: true, verificar_identidad: true };
    const running = await open('seguridad-telefono', shown, { user, flags });
    await running.arrive('modificar');
    await running.raise('submit');
    await running.calls[0]!.answer(createRefusal({ status }));
    const { view } = running.runner.state;
    expect([view?.state.path, view?.screen?.validator.screen.ui.intro]).toEqual([
      '/seguridad/telefono/error',
      'No ha sido posible modificar el número de teléfono.',
    ]);
  },
);

describe('[MFA-08] error of the server in the second factor set-up', () => {
  const shown = ['segundo-factor-totp', 'segundo-factor-qr', 'segundo-factor-codigo', 'segundo-factor-email'];
  const user = { id: '17', email_validado: true };
  const errors = { code: 'El código no es correcto.' };

  test.each([
    ['totp', 'continue'],
    ['email', 'send'],
  ])('is shown at the code field: %s', async (state, event) => {
    const running = await open('segundo-factor', shown, { user });
    await running.arrive(state);
    await running.raise(event);
    await running.calls[0]!.answer(
      createSuccess({ id: 'm', url: 'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP', email: 'a***' }),
    );
    if (state === 'totp') await running.raise('submit');
    running.type({ code: '123456' });
    await running.raise('submit');
    await running.calls[1]!.answer(createRefusal({ errors }));
    expect(running.runner.state.view?.form?.field('code')?.error).toBe(errors.code);
  });

  test('is shown as a notice if the set-up cannot start', async () => {
    const running = await open('segundo-factor', shown, { user });
    await running.arrive('totp');
    await running.raise('continue');
    await running.calls[0]!.answer(createRefusal({ error: 'Probá más tarde.' }));
    expect(running.runner.state.notice).toMatchObject({ intent: 'error', text: 'Probá más tarde.' });
  });
});
