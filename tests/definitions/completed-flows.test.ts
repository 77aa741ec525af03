import { beforeAll, describe, expect, test } from 'vitest';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import { isRuleTrue } from '../../src/engine/core/json-logic.ts';
import { resolveIntroParagraphs, resolveHeadingText } from '../../src/engine/core/screen-ui-queries.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { importScreen } from '../engine/support/loaded-screens.ts';
import { createSuccess, runFlow } from '../engine/support/run-flow.ts';
import { productDefinitions } from './support/product-definitions.ts';

const shown = [
  'contacto',
  'contacto-mensaje-enviado',
  'feedback',
  'registro',
  'registro-nombre',
  'registro-correo',
  'registro-contrasena',
  'seguridad-contrasena-modificar',
  'seguridad-contrasena-exito',
  'seguridad-correo-confirmado',
  'contrasena-restablecer-exito',
  'segundo-factor-codigos',
  'segundo-factor-email-cambiado',
  'segundo-factor-exito',
  'login-recoverycode',
] as const;
const screens: Record<string, LoadedScreen> = {};
let definitions: ServedDefinitions;
beforeAll(async () => {
  definitions = await productDefinitions;
  for (const id of shown) screens[id] = await importScreen(definitions, id);
});

const uiOf = (id: (typeof shown)[number]) => screens[id]!.validator.screen.ui;
const linksOf = (id: (typeof shown)[number], scope: object) =>
  (uiOf(id).links ?? []).flatMap((link) => ('to' in link && isRuleTrue(link.visible, { ...scope }) ? [link.to] : []));

test('[CONT-03] contact form shows a confirmation after the message is sent, and does not restore the message', async () => {
  const running = runFlow(definitions.flows['contacto']!, { screens });
  await running.arrive('formulario');
  const message = { asunto: 'otro', mensaje: 'No puedo entrar.' };
  running.type({
    ...message,
    nombre_completo: 'Inés Quiroga',
    pais_emisor: 'uy',
    tipo_documento: 'ci',
    numero_documento: '12345672',
    email: 'ines@correo.uy',
    telefono: '+598 99 123 456',
    captcha_response: 'x',
  });
  await running.raise('submit');
  expect(running.calls[0]?.call).toBe('sendContactMessage');
  await running.calls[0]!.answer(createSuccess());
  const { view } = running.runner.state;
  const { ui } = view!.screen!.validator.screen;
  expect([running.shown(), resolveHeadingText(ui, {}), resolveIntroParagraphs(ui, {}).map(({ text }) => text)]).toEqual(
    ['enviado', 'Tu mensaje se ha enviado', ['Un agente se estará contactando contigo a la brevedad.']],
  );
  await running.arrive('formulario');
  expect(running.runner.state.view?.form?.values).not.toMatchObject(message);
});

test('[CLAVE-05] password change shows a confirmation that links to the account, or to the sign-in without a session', async () => {
  const user = { id: '17', identidad_verificada: true };
  const running = runFlow(definitions.flows['seguridad-contrasena']!, {
    screens,
    facts: { authenticated: true, user, flags: { contrasena: true, verificar_identidad: true } },
  });
  await running.arrive('modificar');
  running.type({ new_pass: 'siete-medialunas-tibias', repeat_pass: 'siete-medialunas-tibias' });
  await running.raise('submit');
  await running.calls[0]!.answer(createSuccess());
  const { ui } = running.runner.state.view!.screen!.validator.screen;
  expect([running.shown(), ui.title]).toEqual(['exito', 'Tu contraseña se modificó']);
  expect(linksOf('seguridad-contrasena-exito', { authenticated: true })).toEqual(['/seguridad']);
  expect(linksOf('seguridad-contrasena-exito', { authenticated: false })).toEqual(['/login']);
});

describe('[REG-04] completed registration', () => {
  const user = {
    id: '17',
    primer_nombre: 'Carlos',
    primer_apellido: 'González',
    numero_documento: '29458715',
    documento: { pais_emisor: { codigo: 'uy' }, tipo_documento: { codigo: 'ci' } },
    ultimo_cambio_contrasena: '2026-11-01',
  };

  test.each([
    ['to the address that the server returns', '?next=%2Ftramite', { next: '/acordado' }, '/acordado'],
    ['to the address in its query', '?next=%2Ftramite', {}, '/tramite'],
    ['to the account page', '', {}, '/seguridad'],
  ])('redirects %s', async (_, search, result, to) => {
    const running = runFlow(definitions.flows['registro']!, {
      screens,
      facts: { authenticated: true, user, flags: {} },
    });
    await running.arrive('documento', search);
    for (const [state, typed] of [
      ['documento', {}],
      ['nombre', {}],
      ['correo', { email: 'carlos@correo.uy', repetir_email: 'carlos@correo.uy' }],
      ['completar', { terminos: true, captcha_response: 'x' }],
    ] as const) {
      expect(running.shown()).toBe(state);
      running.type(typed);
      await running.raise('submit');
    }
    expect(running.calls[0]?.call).toBe('completeRegistration');
    expect(running.calls[0]?.input.body, 'known names are prefilled in the request').toMatchObject({
      primer_nombre: 'Carlos',
      pais_emisor: 'uy',
      tipo_documento: 'ci',
      numero_documento: '29458715',
    });
    await running.calls[0]!.answer(createSuccess(result));
    expect(running.left).toEqual([to]);
  });
});

test.each([
  ['asks to confirm the identity if the second factor is required', true, 'Confirma tu identidad para continuar'],
  ['refers to the mailbox if the second factor is not required', false, 'Revisá tu casilla de correo'],
])('[LOG-08] screen for the code by mail %s', (_, forced, title) => {
  expect(resolveHeadingText(uiOf('login-recoverycode'), { context: { forced } })).toBe(title);
});

test.each([
  'seguridad-contrasena-exito',
  'contrasena-restablecer-exito',
  'seguridad-correo-confirmado',
  'segundo-factor-email-cambiado',
  'segundo-factor-exito',
  'segundo-factor-codigos',
] as const)('[CLAVE-05 CORREO-04 MFA-06] %s states that other sessions were closed', (id) => {
  const said = resolveIntroParagraphs(uiOf(id), { context: { estado: 'confirmado' } }).map(({ text }) => text);
  expect(said.join(' ')).toMatch(/Cerramos las (demás )?sesiones que tenías abiertas\./);
});

test.each([
  ['', null],
  ['?util=no', 1],
  ['?util=si', 3],
])(
  '[INI-03 CONT-06] feedback form with the query "%s" preselects the answer to the footer question',
  async (query, chosen) => {
    const running = runFlow(definitions.flows['feedback']!, { screens });
    await running.arrive('formulario', query);
    expect(running.runner.state.view?.form?.values['pregunta_1']).toBe(chosen);
  },
);
