// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Flow } from '../../src/engine/core/flow-and-screen-types.ts';
import { createFailure, createToken } from '../domain/support/store.ts';
import { openPortal, createPage } from './support/sample-page.ts';

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
  portal.navigation.setRouter(navigate);
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  return { portal, navigate, assign };
}

/** A partial fake of an anonymous user's store. */
const nobody = { session: { token: null, authenticated: false } };

beforeEach(() => localStorage.clear());

describe('[ERR-01 SES-03] leaving for an address', () => {
  test.each([
    ['navigates to a route within the page', '/contraseña/nueva?a=1#b', ['/contraseña/nueva?a=1#b'], []],
    ['navigates to an encoded route within the page', '/contrase%C3%B1a/nueva', ['/contrase%C3%B1a/nueva'], []],
    ['loads a route that requires a page load', '/salida', [], ['/salida']],
    ['loads a path of the server', '/auth/otra', [], ['/auth/otra']],
    [
      'loads an address on the origin of the page',
      `${window.location.origin}/salida`,
      [],
      [`${window.location.origin}/salida`],
    ],
    ['loads an address on a configured origin', 'https://tramites.uy/x', [], ['https://tramites.uy/x']],
    ['navigates home for another origin', 'https://evil.uy/', ['/'], []],
    ['navigates home for a script address', 'javascript:alert(1)', ['/'], []],
    ['navigates home without an address', undefined, ['/'], []],
  ])('%s', (_, address, within, fresh) => {
    const { portal, navigate, assign } = open();
    portal.navigation.leave(address);
    expect([navigate.mock.calls.flat(), assign.mock.calls.flat()]).toEqual([within, fresh]);
  });

  test('[INI-02] replaces the history entry of a state that only redirects', () => {
    const { portal, navigate } = open();
    portal.flows.leave('/contraseña/nueva', { replace: true });
    expect(navigate.mock.calls).toEqual([['/contraseña/nueva', { replace: true }]]);
  });
});

describe('[ENG-02] flow services of the portal', () => {
  test('carry variables between flows without storing them', () => {
    const { portal } = open();
    portal.flows.carry?.({ pais_emisor: 'uy', numero_documento: '12345672' });
    portal.flows.carry?.({ numero_documento: '45123784' });
    expect(portal.flows.facts()).toMatchObject({ carried: { pais_emisor: 'uy', numero_documento: '45123784' } });
    expect(Object.values({ ...localStorage }).join()).not.toContain('45123784');
  });

  test('[RUTA-05] encode the address of a navigation, and drop the query for an empty path', () => {
    const { portal, navigate } = open();
    const state = { flow: 'main', step: 'a', variables: {}, depth: 0 };
    portal.flows.navigate('/contraseña/nueva', { replace: true, state });
    portal.flows.navigate('', { replace: false, state });
    expect(navigate.mock.calls).toEqual([
      ['/contrase%C3%B1a/nueva', { replace: true, state }],
      [{ search: '' }, { replace: false, state }],
    ]);
  });

  test('provide flags, user and authentication as facts', () => {
    const { portal } = open();
    expect(portal.flows.facts()).toMatchObject({ flags: portal.page.config.flags, user: null, authenticated: false });
    localStorage.setItem('portal', JSON.stringify({ token: createToken({ exp: Date.now() / 1000 + 60 }), flows: {} }));
    expect(portal.flows.facts()).toMatchObject({ authenticated: true });
  });

  test('[SES-02] recall the stored variables of a flow', () => {
    const { portal } = open();
    localStorage.setItem('portal', JSON.stringify({ token: null, flows: { main: { paso: 2 } } }));
    expect([portal.flows.recall('main'), portal.flows.recall('other')]).toEqual([{ paso: 2 }, {}]);
  });

  test('go back one entry, or home if there is no previous page of the portal', () => {
    const { portal, navigate } = open();
    vi.spyOn(history, 'length', 'get').mockReturnValue(1); // one entry, because other test files have left history entries in the window
    portal.flows.goBack(); // tests the fallback without the Navigation API
    vi.stubGlobal('navigation', { canGoBack: true });
    portal.flows.goBack();
    vi.stubGlobal('navigation', { canGoBack: false });
    portal.flows.goBack();
    expect(navigate.mock.calls).toEqual([['/'], [-1], ['/']]);
  });

  test('load a flow once and keep its runner', async () => {
    const { portal } = open();
    expect(portal.definitions.getLoadedRunner('main')).toBeNull();
    const runner = await portal.definitions.loadRunner('main', portal.flows);
    expect(await portal.definitions.loadRunner('main', portal.flows)).toBe(runner);
    expect(portal.definitions.getLoadedRunner('main')).toBe(runner);
    expect(runner.flow).toEqual(flow);
  });

  test.each([
    [404, 'NOT_FOUND_ERROR'],
    [500, 'SERVER_ERROR'],
    [0, null],
  ])('[INI-08] handle choices of a field that fail with %i with the error page %s', async (status, code) => {
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
  ])('[SES-01] refresh the session after a response %i: %i times', async (status, times) => {
    const { portal } = open();
    const refused = createFailure({ status });
    const renewTokenSerially = vi.fn();
    vi.spyOn(portal, 'store').mockResolvedValue({
      ...nobody,
      perform: () => Promise.resolve(refused),
      renewTokenSerially,
    } as never);
    expect(await portal.flows.invoke('getActions', {})).toBe(refused);
    expect(renewTokenSerially).toHaveBeenCalledTimes(times);
  });

  test('[SES-01] repeat a call once with a new token if its token ended early', async () => {
    const { portal } = open();
    const asked: string[] = [];
    const store = {
      session: { token: 'old', authenticated: true },
      renewTokenSerially: () => Promise.resolve((store.session.token = `new ${asked.push('refresh')}`)),
      perform: () => Promise.resolve(asked.push(store.session.token)).then(() => createFailure({ status: 401 })),
    };
    vi.spyOn(portal, 'store').mockResolvedValue(store as never);
    await portal.flows.invoke('getActions', {});
    expect(asked).toEqual(['old', 'refresh', 'new 2']);
  });

  test('[SES-01] refresh an ended token before a call', async () => {
    const { portal } = open();
    const asked: string[] = [];
    const store = {
      session: { token: 'ended', authenticated: false },
      renewTokenSerially: () => Promise.resolve(asked.push('refresh')),
      perform: () => Promise.resolve(asked.push('perform')).then(() => createFailure({ status: 404 })),
    };
    vi.spyOn(portal, 'store').mockResolvedValue(store as never);
    await portal.flows.invoke('getActions', {});
    expect(asked).toEqual(['refresh', 'perform']);
  });

  test('[MFA-06] redirect to the setup of the second factor if a call requires it', async () => {
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
    ['a lost connection', false, 'offline'],
    ['an outdated page', true, 'stale'],
  ] as const)('[ERR-03] report %s if the module of a call cannot be loaded', async (_, answers, text) => {
    vi.stubGlobal('fetch', () => (answers ? Promise.resolve(new Response()) : Promise.reject(new Error('offline'))));
    const { portal } = open();
    vi.spyOn(portal, 'store').mockRejectedValue(new Error('offline'));
    expect(await portal.flows.invoke('getCountries', {})).toMatchObject({
      ok: false,
      failure: { status: 0, error: portal.t(text) },
    });
  });

  test('load a flow again after a failure', async () => {
    const { portal } = open();
    const first = portal.definitions.loadRunner('unknown', portal.flows);
    await expect(first).rejects.toThrow();
    expect(portal.definitions.loadRunner('unknown', portal.flows)).not.toBe(first);
    await expect(portal.definitions.loadRunner('unknown', portal.flows)).rejects.toThrow();
  });
});

describe('[SEG+INACTIVIDAD] page that slept past the end of its token', () => {
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
    portal.idle.checkExpiry();
    return { portal, left: leave.mock.calls.length };
  };

  test.each([
    {
      note: 'continues if the citizen was active recently',
      endedMin: 2,
      idleMin: 6,
      kind: 'quiet',
      left: 0,
      kept: true,
    },
    {
      note: 'warns if the end of the idle time is near',
      endedMin: 2,
      idleMin: 29,
      kind: 'warning',
      left: 0,
      kept: true,
    },
    {
      note: 'warns before it ends if the citizen was idle for too long',
      endedMin: 2,
      idleMin: 31,
      kind: 'warning',
      left: 0,
      kept: true,
    },
    {
      note: 'continues however long ago the token ended',
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
