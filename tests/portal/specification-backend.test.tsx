// @vitest-environment happy-dom
import { act, cleanup, configure, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createOperationClient } from '../../src/contract/client.ts';
import { featureFlagDefaults } from '../../src/contract/feature-flags.ts';
import { createPortalStore, type PortalStore } from '../../src/domain/root-store.ts';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import Overview from '../../src/portal/blocks/security-overview.tsx';
import { PortalProviders } from '../../src/portal/portal-providers.tsx';
import { draw } from '../definitions/support/draw.tsx';
import { productDefinitions } from '../definitions/support/product-definitions.ts';
import { memoryStorage, now } from '../domain/support/store.ts';
import { importScreen } from '../engine/support/loaded-screens.ts';
import { runFlow } from '../engine/support/run-flow.ts';
import { openPortal, createPage } from './support/sample-page.ts';
import { openSpecificationBackend } from './support/specification-backend.ts';

/** Screens with which the portal is tested against a backend that implements only the specification. */
const needed = /^(login|contrasena|segundo-factor)/;
const screens: Record<string, LoadedScreen> = {};
let definitions: ServedDefinitions;
let backend: Awaited<ReturnType<typeof openSpecificationBackend>>;

beforeAll(async () => {
  definitions = await productDefinitions;
  for (const id of Object.keys(definitions.manifest('es').screens))
    if (needed.test(id)) screens[id] = await importScreen(definitions, id);
  backend = await openSpecificationBackend();
});
afterAll(() => backend.close());
afterEach(cleanup);
configure({ asyncUtilTimeout: 30_000 }); // a longer timeout, because operations are slow on a busy machine

const flags = { ...featureFlagDefaults, contrasena: true };

function openStore(): PortalStore {
  const texts = { offline: 'offline', failed: 'failed', signedOut: 'signed out' };
  const client: ReturnType<typeof createOperationClient> = createOperationClient({
    hosts: { backend: backend.origin, broker: backend.origin },
    language: 'es',
    token: () => store.session.token,
    texts,
    onSessionLost: () => undefined,
  });
  const store: PortalStore = createPortalStore({ client, clock: () => now, storage: memoryStorage({}) });
  return store;
}

/** Runs a flow of the product. Its operations call the backend of `store`. */
function open(flow: string, store: PortalStore) {
  const running = runFlow(definitions.flows[flow]!, {
    screens,
    facts: { flags, user: store.user, authenticated: store.session.authenticated, identityProviders: false },
    invoke: (name, input) => store.perform(name, input),
  });
  const at = (state: string) =>
    waitFor(() => {
      const { view, busy } = running.runner.state;
      expect([view?.name, view?.pending, busy]).toEqual([state, false, false]);
    });
  const submit = async (values: object) => {
    running.type(values as Record<string, unknown>);
    await running.raise('submit');
    await waitFor(() => expect(running.runner.state.busy).toBe(false));
  };
  return { ...running, at, submit, field: (name: string) => running.runner.state.view?.form?.field(name)?.error };
}

async function signIn(store: PortalStore, code: string) {
  const running = open('ingreso', store);
  await running.arrive('username', '?redirectUrl=%2Fseguridad');
  await running.at('username');
  await running.submit({ username: '12345672' });
  await running.at('password');
  await running.submit({ password: 'lluvia tren azul' });
  await running.at('recoverycode');
  await running.submit({ recoverycode: code });
  return running;
}

test('[LOG-05 LOG-14] the sign-in flow works with a backend of the specification, and shows its errors in their fields', async () => {
  const store = openStore();
  const running = open('ingreso', store);
  await running.arrive('username');
  await running.at('username');
  await running.submit({ username: '12345672' });
  await running.at('password');
  await running.submit({ password: 'otra' });
  expect(running.field('password')).toBe('El documento o la contraseña no son correctos.');
  await running.submit({ password: 'bloqueada' });
  expect(running.runner.state.notice?.other?.to).toBe('/contraseña/restablecer');
  await running.submit({ password: 'lluvia tren azul' });
  await running.at('recoverycode');
  expect(running.runner.state.context.email).toBe('a***@correo.uy');
  await running.raise('resend');
  await waitFor(() =>
    expect(running.runner.state.notice?.text).toBe('El código de verificación fue enviado nuevamente'),
  );
  await running.submit({ recoverycode: 'ZZZZZZ' });
  expect(running.field('recoverycode')).toBe('El código no es correcto.');
  await running.submit({ recoverycode: 'AB12CD' });
  await waitFor(() => expect(running.left).toEqual(['/seguridad']));
  expect(store.session.authenticated).toBe(true);
  const answered = backend.asked.flatMap(({ line, body }) => (line === 'POST /auth/login' ? [body['challenge']] : []));
  expect(new Set(answered)).toEqual(new Set(['username', 'password', 'recoverycode']));
});

test("[LOG-08] an expired recovery step of the specification's backend loads the sign-in again", async () => {
  const running = await signIn(openStore(), 'VENCIO');
  expect(running.left).toMatchObject([{ to: '/login', fresh: true, query: { redirectUrl: '/seguridad' } }]);
});

test('[ENT-01 ENT-03 SEG-06] the overview is drawn from the fields in section 3 of the specification', async () => {
  const store = openStore();
  await signIn(store, 'AB12CD');
  await waitFor(() => expect(store.session.authenticated).toBe(true));
  await store.loadUser();
  expect([store.userState, store.user?.id, store.user?.level]).toEqual(['Exito', '17', 'intermediate']);
  const page = createPage({ id: 'main', initial: 'a', states: { a: { path: '/', block: 'a' } } });
  const portal = openPortal({ ...page, config: { ...page.config, flags } });
  vi.spyOn(portal, 'store').mockResolvedValue(store);
  const { runner } = open('seguridad', store);
  const { container } = await act(async () =>
    render(
      <PortalProviders portal={portal}>
        <MemoryRouter>
          <Overview runner={runner} />
        </MemoryRouter>
      </PortalProviders>,
    ),
  );
  await screen.findByRole('heading', { name: 'Trámites' });
  await waitFor(() => expect(container.textContent).toContain('Activada'));
  expect(container.textContent).toContain('Nivel Intermedio');
  expect(container.textContent).toContain('Ana Pereira');
  expect(container.textContent).not.toMatch(/undefined|null|No pudimos/);
  await store.perform('getActions', { params: { id: '17' } });
  expect(store.actions?.[0]).toMatchObject({ id: '9', descripcion: 'Inicio de sesión' });
});

test('[MFA-01 MFA-02 MFA-05] the second factor is turned off, and on again without recovery codes, at a backend of the specification', async () => {
  const store = openStore();
  await signIn(store, 'AB12CD');
  await waitFor(() => expect(store.session.authenticated).toBe(true));
  await store.loadUser();
  const running = open('segundo-factor', store);
  await running.arrive('dos-pasos');
  await running.at('dos-pasos');
  expect(running.runner.state.context).toMatchObject({
    activado: true,
    totpId: '3',
    correo: 'validado',
    obligatorio: false,
  });
  await running.raise('disable');
  await running.raise('confirm');
  await waitFor(() => expect(running.left).toEqual(['/seguridad']));
  await running.arrive('totp');
  await running.at('totp');
  await running.raise('continue');
  await running.at('totp-config');
  await running.submit({});
  await running.at('totp-activar');
  await running.submit({ code: '654321' });
  expect(running.field('code')).toBe('El código no es correcto.');
  await running.submit({ code: '123456' });
  await running.at('totp-exito');
  const { view, context } = running.runner.state;
  const { container } = await draw(view!.screen!, view!.form, { flags, context, user: store.user });
  expect(container.textContent).not.toMatch(/undefined|null/);
});

test('[CLAVE-01 CLAVE-03] the password is reset at a backend of the specification, and an expired link shows its page', async () => {
  const running = open('contrasena', openStore());
  await running.arrive('pedir');
  await running.at('pedir');
  await running.submit({ pais_emisor: 'uy', tipo_doc: 'ci', doc: '12345672', captcha_response: 'x' });
  await running.at('enviado');
  expect(running.runner.state.context.email).toBe('a***@correo.uy');
  const password = { password: 'tren azul lluvia', passwordRepeat: 'tren azul lluvia' };
  for (const [token, state] of [
    ['vencido', 'invalido'],
    ['bueno', 'exito'],
  ] as const) {
    const renewal = open('contrasena', openStore());
    await renewal.arrive('nueva', `?token=${token}`);
    await renewal.at('nueva');
    expect(renewal.runner.state.notice).toBeNull();
    await renewal.submit(password);
    await renewal.at(state);
  }
});
