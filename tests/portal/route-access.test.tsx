// @vitest-environment happy-dom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Flow } from '../../src/engine/core/flow-and-screen-types.ts';
import { createPortalStore } from '../../src/domain/root-store.ts';
import { PortalApp } from '../../src/portal/portal-app.tsx';
import { citizen, fakeClient, memoryStorage, createFailure, createToken } from '../domain/support/store.ts';
import { openPortal, createPage } from './support/sample-page.ts';

const flow: Flow = {
  id: 'main',
  initial: 'open',
  states: {
    open: { path: '/abierta', block: 'landing' },
    own: { path: '/propia/ñandú', block: 'landing', access: 'citizen' },
    account: { path: '/cuenta', block: 'landing', access: 'account' },
    enrolment: { path: '/activar', block: 'landing', access: 'enrolment' },
    allowed: {
      path: '/permitida',
      block: 'landing',
      access: 'citizen',
      permissions: [
        ['otro', 'leer'],
        ['videollamada', 'crear'],
      ],
    },
    denied: { path: '/prohibida', block: 'landing', access: 'citizen', permissions: [['otro', 'leer']] },
    guests: { path: '/visitas', block: 'landing', access: 'guest' },
    lost: { path: '*', block: 'landing' },
  },
};

const inAnHour = Math.floor(Date.now() / 1000) + 3600;
const valid = createToken({ exp: inAnHour });
const foreign = createToken({ exp: inAnHour, idp: 'br' });
const expired = createToken({ exp: 1 });

/**
 * Opens the portal at a path, with `token` in its storage and a server that returns `record` as the citizen's record.
 */
async function open(
  address: string,
  token: string | null,
  record: ReturnType<typeof createFailure> = { ok: true, result: citizen },
  obtainToken = createFailure({ status: 401 }),
) {
  if (token !== null) localStorage.setItem('portal', JSON.stringify({ token, flows: {} }));
  window.history.replaceState(null, '', address);
  const portal = openPortal(createPage(flow));
  const { client, calls } = fakeClient({ getCitizen: record, getForeignCitizen: record, obtainToken });
  const store = createPortalStore({
    client,
    clock: () => new Date(),
    storage: token === null ? memoryStorage() : localStorage,
  });
  vi.spyOn(portal, 'store').mockResolvedValue(store);
  const leave = vi.spyOn(portal.navigation, 'leave').mockImplementation(() => undefined);
  render(<PortalApp portal={portal} />);
  await vi.waitFor(
    () => {
      if (screen.queryByRole('heading', { level: 1 }) === null && leave.mock.calls.length === 0)
        throw new Error('nothing happens');
    },
    { timeout: 15_000 },
  );
  await act(async () => undefined);
  return {
    left: leave.mock.calls.map(([address]) => address),
    calls: calls.map(({ name }) => name),
    drawn: screen.queryByRole('heading', { level: 1 }) !== null,
  };
}

beforeEach(() => localStorage.clear());
afterEach(cleanup);

describe('[RUTA-09] page for citizens', () => {
  const back = '/login?redirectUrl=%2Fpropia%2F%C3%B1and%C3%BA%3Fa%3D1';

  test.each([
    ['without a token, and sends no request', null, undefined, [], back],
    [
      'with an expired token, and reports the ended session',
      expired,
      undefined,
      ['obtainToken'],
      `${back}&mensaje=sesion_terminada`,
    ],
    [
      'with a rejected token, and reports the ended session',
      valid,
      createFailure({ status: 401 }),
      ['getCitizen', 'obtainToken'],
      `${back}&mensaje=sesion_terminada`,
    ],
  ])('redirects to the sign-in with a return address: %s', async (_, token, record, calls, address) => {
    expect(await open('/propia/%C3%B1and%C3%BA?a=1', token, record)).toEqual({ left: [address], calls, drawn: false });
  });

  test('[SES-01] keeps the session if the broker still knows the session of an expired token', async () => {
    expect(await open('/propia/%C3%B1and%C3%BA', expired, undefined, { ok: true, result: { token: valid } })).toEqual({
      left: [],
      calls: ['obtainToken', 'getCitizen'],
      drawn: true,
    });
  });

  test('[SEG-01 RUTA-02] redirects to the page of a blocked account if the block ended the session', async () => {
    const blocked = createFailure({ status: 401, code: 'account_blocked' });
    expect((await open('/propia/%C3%B1and%C3%BA', valid, createFailure({ status: 401 }), blocked)).left).toEqual([
      '/error?errorCode=BLOCKED_ACCOUNT',
    ]);
  });

  test.each([
    [0, []],
    [500, ['/error?errorCode=SERVER_ERROR']],
  ])('does not redirect to the sign-in if the broker fails with status %i', async (status, left) => {
    expect((await open('/propia/%C3%B1and%C3%BA', expired, undefined, createFailure({ status }))).left).toEqual(left);
  });

  test('is drawn after the citizen was loaded', async () => {
    expect(await open('/propia/%C3%B1and%C3%BA', valid)).toEqual({ left: [], calls: ['getCitizen'], drawn: true });
  });

  test.each([
    [500, 'SERVER_ERROR'],
    [403, 'SERVER_ERROR'],
    [404, 'NOT_FOUND_ERROR'],
  ])('[INI-08] redirects to the error page if the server returns %i', async (status, code) => {
    expect(await open('/propia/%C3%B1and%C3%BA', valid, createFailure({ status }))).toMatchObject({
      left: [`/error?errorCode=${code}`],
      drawn: false,
    });
  });

  test('[IDP-03] redirects to the logout if the server does not know the user of a foreign provider', async () => {
    expect(await open('/propia/%C3%B1and%C3%BA', foreign, createFailure({ status: 404 }))).toEqual({
      left: ['/logout-process'],
      calls: ['getForeignCitizen'],
      drawn: false,
    });
  });

  test('[RUTA-10] redirects to the overview if the citizen has none of its permissions', async () => {
    expect(await open('/permitida', valid)).toMatchObject({ left: [], drawn: true });
    cleanup();
    expect(await open('/prohibida', valid)).toEqual({ left: ['/seguridad'], calls: ['getCitizen'], drawn: false });
  });

  test.each([
    ['/cuenta', foreign, ['/seguridad-idp'], false],
    ['/cuenta', valid, [], true],
    ['/propia/%C3%B1and%C3%BA', foreign, [], true],
  ])(
    '[RUTA-13] is closed to users of foreign providers only if it manages the account: %s, case %#',
    async (address, token, left, drawn) => {
      expect(await open(address, token)).toMatchObject({ left, drawn });
    },
  );
});

describe('[MFA-06] citizen who must set up a second factor first', () => {
  const record = { ok: true, result: { ...citizen, segundo_factor_pendiente: true } } as const;

  test.each([
    ['/cuenta?a=1', ['/configurar-segundo-factor?redirect_uri=%2Fcuenta%3Fa%3D1'], false],
    ['/activar', [], true],
    ['/propia/%C3%B1and%C3%BA', [], true],
    ['/abierta', [], true],
  ])('is redirected only from account pages: %s', async (address, left, drawn) => {
    expect(await open(address, valid, record)).toMatchObject({ left, drawn });
  });
});

describe('[RUTA-11] page for guests', () => {
  test('redirects a signed-in citizen to the home page', async () => {
    expect(await open('/visitas', valid)).toMatchObject({ left: ['/'], drawn: false });
  });

  test.each([
    ['without a token', null],
    ['with an expired token', expired],
  ])('is drawn %s, without a request', async (_, token) => {
    expect(await open('/visitas', token)).toEqual({ left: [], calls: [], drawn: true });
  });

  test('[SES-09 FED-05] is drawn for an application without an error if the stored session has ended', async () => {
    const ended = createFailure({ status: 401 });
    expect(await open('/visitas?process_state=p', valid, ended)).toEqual({
      left: [],
      calls: ['getCitizen', 'obtainToken'],
      drawn: true,
    });
    expect(screen.queryByRole('button', { name: 'Probar de nuevo' })).toBeNull();
  });
});

describe('[RUTA-01] page for everyone', () => {
  test.each([
    ['the address of a flow', '/abierta'],
    ['an address with a trailing slash', '/abierta/'],
    ['an unknown address', '/nada'],
    ['the address of the not-found route', '/*'],
    ['a malformed address', '/%C3'],
  ])('is drawn for a guest at %s', async (_, address) => {
    expect(await open(address, null)).toEqual({ left: [], calls: [], drawn: true });
  });

  test('is drawn for a citizen, whose record is loaded', async () => {
    expect(await open('/abierta', valid)).toEqual({ left: [], calls: ['getCitizen'], drawn: true });
  });
});

test('[ANA-02] App shows a focused error with a retry if the store cannot be loaded', async () => {
  localStorage.setItem('portal', JSON.stringify({ token: valid, flows: {} }));
  window.history.replaceState(null, '', '/abierta');
  const portal = openPortal(createPage(flow));
  vi.spyOn(portal, 'store').mockRejectedValue(new Error('offline'));
  render(<PortalApp portal={portal} />);
  const heading = await screen.findByRole('heading', { name: portal.t('failed.title') });
  await waitFor(() => expect(document.activeElement).toBe(heading)); // an effect moves the focus
  expect(screen.getAllByRole('button')[0]?.textContent).toBe('Probar de nuevo');
  const search = within(screen.getByRole('search')).getByRole('searchbox', { name: portal.t('help.search') });
  expect([search.closest('form')?.getAttribute('action'), search.getAttribute('name')]).toEqual(['/ayuda', 'busqueda']);
  const links = within(screen.getByRole('main')).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/', '/seguridad', '/contacto']);
});
