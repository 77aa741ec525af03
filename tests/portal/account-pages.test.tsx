// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { featureFlagDefaults } from '../../src/contract/feature-flags.ts';
import { createPortalStore } from '../../src/domain/root-store.ts';
import type { FlowBlockProps } from '../../src/engine/react/flow/flow-route.tsx';
import type { FlowRunner } from '../../src/engine/runtime/flow-runner.ts';
import OwnDataDownload from '../../src/portal/blocks/own-data.tsx';
import Sessions from '../../src/portal/blocks/sessions.tsx';
import { IdleWarning } from '../../src/portal/session/idle-warning.tsx';
import type { SessionExpiryState } from '../../src/portal/session/idle-watch.ts';
import { PortalProviders } from '../../src/portal/portal-providers.tsx';
import { buildLogoutUrl } from '../../src/portal/session/session-end.ts';
import { fakeClient, memoryStorage, now, createToken } from '../domain/support/store.ts';
import { openPortal, createPage } from './support/sample-page.ts';

const session = (id: string, change: object = {}) => ({
  id,
  dispositivo: 'Firefox en Windows',
  red: '190.64.x.x',
  inicio: '2026-03-01T10:00:00-03:00',
  visto: '2026-03-01T11:00:00-03:00',
  actual: false,
  aplicaciones: [],
  ...change,
});

async function draw(
  Block: ComponentType<FlowBlockProps>,
  {
    context = {},
    sessions = {},
    flags = {},
    shown = {},
  }: { context?: object; sessions?: object; flags?: object; shown?: object } = {},
) {
  const page = createPage({ id: 'main', initial: 'a', states: { a: { path: '/', block: 'a' } } });
  const portal = openPortal({ ...page, config: { ...page.config, flags: { ...featureFlagDefaults, ...flags } } });
  const { client } = fakeClient({
    getSessions: { ok: true, result: { sesiones: [session('own', { actual: true })], pendientes: [], ...sessions } },
  });
  const store = createPortalStore({
    client,
    clock: () => now,
    storage: memoryStorage({ portal: JSON.stringify({ token: createToken(), flows: {} }) }),
  });
  await store.perform('getSessions');
  vi.spyOn(portal, 'store').mockResolvedValue(store);
  const raise = vi.fn();
  const state = {
    context,
    view: { name: 'a' },
    viewBelowModal: null,
    notice: null,
    busy: false,
    failed: false,
    ...shown,
  };
  const runner = { state, subscribe: () => () => undefined, raise, dismiss: vi.fn() } as unknown as FlowRunner;
  const drawn = render(
    <PortalProviders portal={portal}>
      <MemoryRouter>
        <Block runner={runner} />
      </MemoryRouter>
    </PortalProviders>,
  );
  await act(async () => {
    await vi.advanceTimersByTimeAsync(0);
  });
  return { ...drawn, raise };
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

beforeEach(() => vi.useFakeTimers());
afterEach(cleanup);

describe('[SEG+SESIONES] Sessions', () => {
  test('shows a single session as the current one, with nothing to end', async () => {
    const { container } = await draw(Sessions);
    expect(container.textContent).toContain('Esta sesión');
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Volver']);
  });

  test.each([
    ['shows the notice of its flow', null, 1],
    ['leaves the notice of its flow to the dialog above it', { name: 'a' }, 0],
  ])('%s', async (_, viewBelowModal, times) => {
    const notice = { intent: 'error', text: 'Sin conexión' };
    await draw(Sessions, {
      shown: { notice, viewBelowModal, view: { name: 'b', state: { screen: 'b', modal: true } } },
    });
    expect(screen.queryAllByText('Sin conexión')).toHaveLength(times);
  });

  test.each([
    [true, ['Cambiá también tu contraseña']],
    [false, []],
  ])('links to the password change if its flag is on: %s', async (contrasena, links) => {
    await draw(Sessions, { flags: { contrasena } });
    expect(screen.queryAllByRole('link').map(({ textContent }) => textContent)).toEqual(links);
  });

  test('shows device, network, times and applications of another session, and ends it by its id', async () => {
    const { container, raise } = await draw(Sessions, {
      sessions: {
        sesiones: [session('own', { actual: true }), session('other', { aplicaciones: ['Trámites', 'Turnos'] })],
      },
    });
    for (const text of [
      'Firefox en Windows',
      '190.64.x.x',
      '01/03/2026, 10:00\u00a0hs',
      '01/03/2026, 11:00\u00a0hs',
      'Trámites, Turnos',
    ])
      expect(container.textContent).toContain(text);
    press('Cerrar esta sesión');
    press('Cerrar las demás sesiones');
    expect(raise.mock.calls).toEqual([['end', { id: 'other', device: 'Firefox en Windows' }], ['endOthers']]);
  });

  test('offers to end the other sessions if there is only an unfinished sign-in', async () => {
    const { container } = await draw(Sessions, {
      sessions: { pendientes: [{ dispositivo: 'Chrome en Android', red: '', inicio: '2026-03-01T10:00:00-03:00' }] },
    });
    expect(container.textContent).toContain('Inicios de sesión sin terminar');
    expect(screen.getByRole('button', { name: 'Cerrar las demás sesiones' })).toBeTruthy();
  });
});

describe('[SEG+DATOS] OwnDataDownload', () => {
  test('raises `download` when its button is pressed', async () => {
    const { raise } = await draw(OwnDataDownload);
    press('Descargar mis datos');
    expect(raise.mock.calls).toEqual([['download']]);
  });

  test('saves the loaded data as a file, and then raises `saved`', async () => {
    const make = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
    const release = vi.spyOn(URL, 'revokeObjectURL');
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const { raise } = await draw(OwnDataDownload, {
      context: { archivo: 'mis-datos-2026-03-02.json', datos: { persona: {} } },
    });
    expect([
      (click.mock.contexts[0] as HTMLAnchorElement | undefined)?.download,
      make.mock.calls.length,
      release.mock.calls,
    ]).toEqual(['mis-datos-2026-03-02.json', 1, [['blob:x']]]);
    expect(raise.mock.calls).toEqual([['saved']]);
  });
});

describe('[SEG+INACTIVIDAD] IdleWarning', () => {
  const warn = (state: SessionExpiryState) => {
    const portal = openPortal(createPage({ id: 'main', initial: 'a', states: { a: { path: '/', block: 'a' } } }));
    vi.spyOn(portal.idle, 'state', 'get').mockReturnValue(state);
    const stay = vi.spyOn(portal, 'staySignedIn').mockResolvedValue();
    const dismiss = vi.spyOn(portal.idle, 'dismiss').mockImplementation(() => undefined);
    const leave = vi.spyOn(portal.navigation, 'leave').mockImplementation(() => undefined);
    render(
      <PortalProviders portal={portal}>
        <IdleWarning />
      </PortalProviders>,
    );
    return { stay, dismiss, leave };
  };

  test.each([
    [120, 'Te quedan menos de 2 minutos.'],
    [60, 'Te queda menos de 1 minuto.'],
    [20, 'Te quedan menos de 20 segundos.'],
  ])('announces with %i s left: %s', (leftS, text) => {
    warn({ kind: 'warning', reason: 'idle', leftS });
    expect([
      screen.getByRole('alertdialog', { name: 'Tu sesión está por terminar' }).querySelector('[role=status]')
        ?.textContent,
    ]).toEqual([text]);
  });

  test('offers to continue the session and to sign out', () => {
    const { stay, leave } = warn({ kind: 'warning', reason: 'idle', leftS: 60 });
    press('Seguir con la sesión');
    press('Cerrar sesión');
    expect([stay.mock.calls.length, leave.mock.calls]).toEqual([1, [['/logout-process']]]);
  });

  test('offers only to dismiss it if the session reaches its maximum lifetime', () => {
    const { stay, dismiss } = warn({ kind: 'warning', reason: 'limit', leftS: 60 });
    press('Entendido');
    expect([stay.mock.calls.length, dismiss.mock.calls.length]).toEqual([0, 1]);
  });

  test.each<SessionExpiryState>([{ kind: 'quiet' }, { kind: 'over' }])('is hidden if the state is $kind', (state) => {
    warn(state);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  test('buildLogoutUrl leads to /sesion-terminada with the current page to return to, or to the error of a blocked account', () => {
    const address = new URL(
      buildLogoutUrl({ pathname: '/seguridad/contrase%C3%B1a', search: '?a=1' }, 'over'),
      'http://x',
    );
    const said = new URL(address.searchParams.get('redirect_uri') ?? '', 'http://x');
    expect([address.pathname, said.pathname, said.searchParams.get('redirectUrl')]).toEqual([
      '/logout-process',
      '/sesion-terminada',
      '/seguridad/contraseña?a=1',
    ]);
    const blocked = new URL(buildLogoutUrl({ pathname: '/seguridad', search: '' }, 'blocked'), 'http://x');
    expect([blocked.pathname, blocked.searchParams.get('redirect_uri')]).toEqual([
      '/logout-process',
      '/error?errorCode=BLOCKED_ACCOUNT',
    ]);
  });
});
