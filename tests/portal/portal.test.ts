// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Flow } from '../../src/engine/core/definition.ts';
import { createFailure, createToken } from '../domain/support/store.ts';
import { openPortal, createPage } from './support/page.ts';

const flow: Flow = {
  id: 'main',
  initial: 'a',
  states: {
    a: { path: '/contraseña/nueva', screen: 'a' },
    b: { path: '/salida', block: 'logout', load: 'document' },
    home: { path: '/', block: 'landing' },
  },
};

function open() {
  const page = createPage(flow);
  const portal = openPortal({ ...page, config: { ...page.config, redirectOrigins: ['https://tramites.uy'] } });
  const navigate = vi.fn();
  portal.navigation.connect(navigate);
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  return { portal, navigate, assign };
}

/** A partial fake of an anonymous user's store. */
const nobody = { session: { token: null, authenticated: false } };

beforeEach(() => localStorage.clear());

describe('[ERR-01 SES-03] leaving for an address', () => {
  test.each([
    ['a route, within the page', '/contraseña/nueva?a=1#b', ['/contraseña/nueva?a=1#b'], []],
    ['a route, encoded', '/contrase%C3%B1a/nueva', ['/contrase%C3%B1a/nueva'], []],
    ['a route that asks for a fresh page', '/salida', [], ['/salida']],
    ['a path of the server', '/auth/otra', [], ['/auth/otra']],
    ['the page’s own origin', `${window.location.origin}/salida`, [], [`${window.location.origin}/salida`]],
    ['an origin of the configuration', 'https://tramites.uy/x', [], ['https://tramites.uy/x']],
    ['another origin leads home', 'https://evil.uy/', ['/'], []],
    ['a script leads home', 'javascript:alert(1)', ['/'], []],
    ['nothing leads home', undefined, ['/'], []],
  ])('%s', (_, address, within, fresh) => {
    const { portal, navigate, assign } = open();
    portal.navigation.leave(address);
    expect([navigate.mock.calls.flat(), assign.mock.calls.flat()]).toEqual([within, fresh]);
  });

  test('[INI-02] a state that only leads away stays out of the history', () => {
    const { portal, navigate } = open();
    portal.flows.leave('/contraseña/nueva', { replace: true });
    expect(navigate.mock.calls).toEqual([['/contraseña/nueva', { replace: true }]]);
  });
});

describe('[ENG-02] what flows are given', () => {
  test('what other flows of the page left, and nothing of it in storage', () => {
    const { portal } = open();
    portal.flows.carry?.({ pais_emisor: 'uy', numero_documento: '12345672' });
    portal.flows.carry?.({ numero_documento: '45123784' });
    expect(portal.flows.facts()).toMatchObject({ carried: { pais_emisor: 'uy', numero_documento: '45123784' } });
    expect(Object.values({ ...localStorage }).join()).not.toContain('45123784');
  });

  test('[RUTA-05] navigation encodes, and an empty path stays and loses its query', () => {
    const { portal, navigate } = open();
    const state = { flow: 'main', step: 'a', variables: {}, depth: 0 };
    portal.flows.navigate('/contraseña/nueva', { replace: true, state });
    portal.flows.navigate('', { replace: false, state });
    expect(navigate.mock.calls).toEqual([
      ['/contrase%C3%B1a/nueva', { replace: true, state }],
      [{ search: '' }, { replace: false, state }],
    ]);
  });

  test('facts are flags, user and whether someone is signed in', () => {
    const { portal } = open();
    expect(portal.flows.facts()).toMatchObject({ flags: portal.page.config.flags, user: null, authenticated: false });
    localStorage.setItem('portal', JSON.stringify({ token: createToken({ exp: Date.now() / 1000 + 60 }), flows: {} }));
    expect(portal.flows.facts()).toMatchObject({ authenticated: true });
  });

  test('[SES-02] remembered variables come from storage, by flow', () => {
    const { portal } = open();
    localStorage.setItem('portal', JSON.stringify({ token: null, flows: { main: { paso: 2 } } }));
    expect([portal.flows.recall('main'), portal.flows.recall('other')]).toEqual([{ paso: 2 }, {}]);
  });

  test('back leads home where no page of the portal lies before, else one entry back', () => {
    const { portal, navigate } = open();
    vi.spyOn(history, 'length', 'get').mockReturnValue(1); // other test files have left history entries in the window
    portal.flows.goBack(); // tests the fallback without the Navigation API
    vi.stubGlobal('navigation', { canGoBack: true });
    portal.flows.goBack();
    vi.stubGlobal('navigation', { canGoBack: false });
    portal.flows.goBack();
    expect(navigate.mock.calls).toEqual([['/'], [-1], ['/']]);
  });

  test('a flow is loaded once, and its runner lives as long as the page', async () => {
    const { portal } = open();
    expect(portal.definitions.getLoadedRunner('main')).toBeNull();
    const runner = await portal.definitions.runner('main', portal.flows);
    expect(await portal.definitions.runner('main', portal.flows)).toBe(runner);
    expect(portal.definitions.getLoadedRunner('main')).toBe(runner);
    expect(runner.flow).toEqual(flow);
  });

  test.each([
    [404, 'NOT_FOUND_ERROR'],
    [500, 'SERVER_ERROR'],
    [0, null],
  ])('[INI-08] choices of a field that end in %i lead to %s', async (status, code) => {
    const { portal } = open();
    vi.spyOn(portal, 'store').mockResolvedValue({
      ...nobody,
      perform: () => Promise.resolve(createFailure({ status })),
    } as never);
    const leave = vi.spyOn(portal.navigation, 'leave').mockImplementation(() => undefined);
    const told = vi.fn();
    portal.engine.subscribe('getCountries', told);
    portal.engine.source('getCountries');
    await vi.waitFor(() => expect(told).toHaveBeenCalled());
    expect(leave.mock.calls).toEqual(code === null ? [] : [[`/error?errorCode=${code}`, { replace: true }]]);
    expect(portal.engine.source('getCountries')).toEqual({ state: 'failed', status });
    portal.engine.retry('getCountries');
    expect([told.mock.calls.length, portal.engine.source('getCountries')]).toEqual([2, { state: 'loading' }]);
  });

  test.each([
    [401, 1],
    [403, 0],
  ])('[SES-01] a call refused with %i asks the broker of the session %i times', async (status, times) => {
    const { portal } = open();
    const refused = createFailure({ status });
    const refresh = vi.fn();
    vi.spyOn(portal, 'store').mockResolvedValue({
      ...nobody,
      perform: () => Promise.resolve(refused),
      refresh,
    } as never);
    expect(await portal.flows.invoke('getActions', {})).toBe(refused);
    expect(refresh).toHaveBeenCalledTimes(times);
  });

  test('[SES-01] a call whose token ended early is repeated once with the one that the broker gives', async () => {
    const { portal } = open();
    const asked: string[] = [];
    const store = {
      session: { token: 'old', authenticated: true },
      refresh: () => Promise.resolve((store.session.token = `new ${asked.push('refresh')}`)),
      perform: () => Promise.resolve(asked.push(store.session.token)).then(() => createFailure({ status: 401 })),
    };
    vi.spyOn(portal, 'store').mockResolvedValue(store as never);
    await portal.flows.invoke('getActions', {});
    expect(asked).toEqual(['old', 'refresh', 'new 2']);
  });

  test('[SES-01] a call with a token that ended in a sleep waits for a fresh one', async () => {
    const { portal } = open();
    const asked: string[] = [];
    const store = {
      session: { token: 'ended', authenticated: false },
      refresh: () => Promise.resolve(asked.push('refresh')),
      perform: () => Promise.resolve(asked.push('perform')).then(() => createFailure({ status: 404 })),
    };
    vi.spyOn(portal, 'store').mockResolvedValue(store as never);
    await portal.flows.invoke('getActions', {});
    expect(asked).toEqual(['refresh', 'perform']);
  });

  test('[MFA-06] a call that a missing second factor closes leads to its set-up, and back', async () => {
    const { portal } = open();
    const refused = createFailure({ status: 403, code: 'segundo_factor_pendiente' });
    const invalidateUser = vi.fn();
    vi.spyOn(portal, 'store').mockResolvedValue({
      ...nobody,
      perform: () => Promise.resolve(refused),
      invalidateUser,
    } as never);
    const leave = vi.spyOn(portal.navigation, 'leave').mockImplementation(() => undefined);
    window.history.replaceState(null, '', '/seguridad/sesiones?a=1');
    await portal.flows.invoke('getSessions', {});
    expect(leave.mock.calls).toEqual([['/configurar-segundo-factor?redirect_uri=%2Fseguridad%2Fsesiones%3Fa%3D1']]);
    expect(invalidateUser).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['the connection', false, 'offline'],
    ['a reload', true, 'stale'],
  ] as const)(
    '[ERR-03] a call whose part of the portal cannot be loaded is answered by %s',
    async (_, answers, text) => {
      vi.stubGlobal('fetch', () => (answers ? Promise.resolve(new Response()) : Promise.reject(new Error('offline'))));
      const { portal } = open();
      vi.spyOn(portal, 'store').mockRejectedValue(new Error('offline'));
      expect(await portal.flows.invoke('getCountries', {})).toMatchObject({
        ok: false,
        failure: { status: 0, error: portal.t(text) },
      });
    },
  );

  test('a flow that cannot be loaded is tried again', async () => {
    const { portal } = open();
    const first = portal.definitions.runner('unknown', portal.flows);
    await expect(first).rejects.toThrow();
    expect(portal.definitions.runner('unknown', portal.flows)).not.toBe(first);
    await expect(portal.definitions.runner('unknown', portal.flows)).rejects.toThrow();
  });
});

describe('[SEG+INACTIVIDAD] a page that slept through the end of its token', () => {
  const minute = 60_000;
  const wake = (endedMin: number, idleMin: number) => {
    const now = Date.now();
    localStorage.setItem(
      'portal',
      JSON.stringify({ token: createToken({ exp: (now - endedMin * minute) / 1000 }), flows: {} }),
    );
    localStorage.setItem('portal-activity', String(now - idleMin * minute));
    const { portal } = open();
    const leave = vi.spyOn(portal.navigation, 'leave').mockImplementation(() => undefined);
    portal.idle.tick();
    return { portal, left: leave.mock.calls.length };
  };

  test.each([
    {
      note: 'goes on where the citizen was there not long ago',
      endedMin: 2,
      idleMin: 6,
      kind: 'quiet',
      left: 0,
      kept: true,
    },
    { note: 'warns where the end is near', endedMin: 2, idleMin: 29, kind: 'warning', left: 0, kept: true },
    {
      note: 'warns where the citizen was away too long, as nobody has asked them',
      endedMin: 2,
      idleMin: 31,
      kind: 'warning',
      left: 0,
      kept: true,
    },
    {
      note: 'goes on however long ago the token ended',
      endedMin: 600,
      idleMin: 6,
      kind: 'quiet',
      left: 0,
      kept: true,
    },
  ])('$note', ({ endedMin, idleMin, kind, left, kept }) => {
    const woken = wake(endedMin, idleMin);
    expect([woken.portal.idle.state.kind, woken.left, localStorage.getItem('portal-activity') !== null]).toEqual([
      kind,
      left,
      kept,
    ]);
  });
});
