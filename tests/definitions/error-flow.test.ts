import { beforeAll, expect, test } from 'vitest';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import { resolveIntroParagraphs } from '../../src/engine/core/screen-ui-queries.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { importScreen } from '../engine/support/loaded-screens.ts';
import { runFlow } from '../engine/support/run-flow.ts';
import { productDefinitions } from './support/product-definitions.ts';

/** Links or buttons of every error page. Its tone adds a search of the help pages. */
const help = {
  'Ir al inicio': '/',
  'Iniciar sesión': '/login',
  'Seguridad de tu cuenta': '/seguridad',
  Contacto: '/contacto',
};
const variants = [
  {
    query: 'errorCode=UNACTIVE_ACCOUNT',
    title: 'No activaste tu cuenta',
    out: { 'Reenviar correo de activación': '/registro/reenviar-link-activacion', ...help },
  },
  { query: 'errorCode=UNREGISTERED_USER', title: 'No estás registrado', out: { Registrarme: '/registro', ...help } },
  { query: 'errorCode=BLOCKED_ACCOUNT', title: 'Tu cuenta esta bloqueada', out: help },
  { query: 'errorCode=NOT_FOUND_ERROR', title: 'Te perdiste', out: help },
  ...['SERVER_ERROR', 'OIDC_ERROR', 'SAML_ERROR'].map((code) => ({
    query: `errorCode=${code}`,
    title: 'Uy! Algo salió mal',
    out: help,
  })),
  // An unknown error, or an error without a request, is shown as a general failure of the provider.
  ...['', '&process_state=un-pedido&error_description=Otra', '&error_description=GenericError'].map((more) => ({
    query: `errorCode=IDP_ERROR${more}`,
    title: 'No pudimos identificarte',
    out: { 'Iniciar sesión con otro método': '/login', Registrarme: '/registro', Contacto: '/contacto' },
  })),
];

const screens: Record<string, LoadedScreen> = {};
let definitions: ServedDefinitions;
beforeAll(async () => {
  definitions = await productDefinitions;
  const shown = Object.values(definitions.flows['error']!.states).flatMap(({ screen }) => screen ?? []);
  for (const id of new Set(shown)) screens[id] = await importScreen(definitions, id);
});

const open = async (query: string) => {
  const running = runFlow(definitions.flows['error']!, { screens });
  await running.arrive('decidir', `?${query}`);
  return running;
};
const readShownState = ({ runner }: Awaited<ReturnType<typeof open>>) => runner.state.view!.screen!.validator.screen;

test.each(variants)('[INI-09 INI-10] error page with $query shows its title, buttons and links', async (variant) => {
  const { query, title, out } = variant;
  const { ui } = readShownState(await open(query));
  expect([ui.title, ui.tone]).toEqual([title, 'error']);
  const found: Record<string, string> = {};
  for (const { event, text } of ui.actions ?? []) {
    const running = await open(query);
    await running.raise(event);
    found[String(text)] = running.left.join();
  }
  for (const link of ui.links ?? []) found[String(link.text)] = 'to' in link ? String(link.to) : '';
  expect(found).toEqual(out);
});

test.each([
  ['UnregisteredSignIdentityException', 'Todavía no tenés una identidad móvil registrada con ese proveedor.'],
  ['BloquedUser', 'Tu identidad móvil está bloqueada. Comunicate con el proveedor para desbloquearla.'],
  ['PlanTimedOut', 'El pedido venció antes de que lo confirmaras en tu celular.'],
  ['GenericError', 'El proveedor no pudo confirmar tu identidad móvil.'],
])(
  '[INI-10] error page for %s explains the state of the mobile identity and returns to the sign-in',
  async (description, text) => {
    const running = await open(`errorCode=IDP_ERROR&process_state=un-pedido&error_description=${description}`);
    const { ui } = readShownState(running);
    expect(ui.title).toBe('Estado de tu identidad móvil');
    const { context } = running.runner.state;
    expect(resolveIntroParagraphs(ui, { context }).map((paragraph) => paragraph.text)).toEqual([text]);
    await running.raise('login');
    expect(running.left, 'returns to the same request').toEqual([
      { to: '/login', query: { process_state: 'un-pedido' } },
    ]);
  },
);
