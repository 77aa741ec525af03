import { describe, expect, test } from 'vitest';
import { buildForceLoginRedirect } from '../../src/portal/navigation/page-redirect.ts';
import { resolveLeaveTarget } from '../../src/portal/navigation/portal-navigation.ts';

const hosts = { backend: '', broker: 'https://broker.uy' };

describe('[LOG-11] resolveLeaveTarget', () => {
  test.each([
    ['returns a plain address unchanged', '/login', '/login', false],
    ['returns null without an address', null, null, false],
    [
      'encodes path and query',
      { to: '/contraseña', query: { a: 'x&y=ñ' } },
      '/contrase%C3%B1a?a=x%26y%3D%C3%B1',
      false,
    ],
    ['omits empty query values', { to: '/login', query: { a: null, b: '', c: '1' } }, '/login?c=1', false],
    [
      'adds the origin of the broker',
      { to: '/auth/cancel-login', host: 'broker', query: { process_state: 'p' } },
      'https://broker.uy/auth/cancel-login?process_state=p',
      false,
    ],
    ['adds no origin for a host on the origin of the page', { to: '/rest', host: 'backend' }, '/rest', false],
    ['ignores an unknown host', { to: '/rest', host: 'https://evil.uy' }, '/rest', false],
    ['returns that the page must be reloaded', { to: '/login', fresh: true }, '/login', true],
    [
      '[RUTA-08] adds the query to an external address',
      { address: 'https://app.uy/volver?a=%20b#c', query: { state: 'x&y' } },
      'https://app.uy/volver?a=%20b&state=x%26y#c',
      false,
    ],
    [
      '[RUTA-08] returns the address unchanged without query values',
      { address: '/contacto', query: { state: null } },
      '/contacto',
      false,
    ],
    [
      'encodes a query value that looks like a path',
      { to: '/login', query: { a: '/../x?y#z' } },
      '/login?a=%2F..%2Fx%3Fy%23z',
      false,
    ],
  ])('%s', (_, leave, address, fresh) => {
    expect(resolveLeaveTarget(leave, hosts)).toEqual({ address, fresh });
  });
});

describe('[LOG-01 RUTA-12] buildForceLoginRedirect', () => {
  test.each([
    ['returns the logout address with forceLogin=True', '?forceLogin=True', '/logout-process?redirect_uri=%2Flogin'],
    [
      'keeps the other parameters in the return address',
      '?a=1&forceLogin=True&redirectUrl=%2Fseguridad',
      '/logout-process?redirect_uri=%2Flogin%3Fa%3D1%26redirectUrl%3D%252Fseguridad',
    ],
    ['returns null without forceLogin', '?redirectUrl=%2F', null],
    ['returns null with forceLogin=False', '?forceLogin=False', null],
  ])('%s', (_, search, address) => {
    expect(buildForceLoginRedirect({ pathname: '/login', search }, true)).toBe(address);
  });

  test('returns from any other page to the sign-in, and then to that page', () => {
    expect(
      buildForceLoginRedirect({ pathname: '/seguridad/contrase%C3%B1a', search: '?a=1&forceLogin=True' }, false),
    ).toBe(
      `/logout-process?redirect_uri=${encodeURIComponent(`/login?redirectUrl=${encodeURIComponent('/seguridad/contraseña?a=1')}`)}`,
    );
  });
});
