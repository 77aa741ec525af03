import { describe, expect, test } from 'vitest';
import { findForcedSignIn } from '../../src/portal/navigation/page-redirect.ts';
import { resolveLeave } from '../../src/portal/navigation/navigation.ts';

const hosts = { backend: '', broker: 'https://broker.uy' };

describe('[LOG-11] where a flow leaves to', () => {
  test.each([
    ['an address as it stands', '/login', '/login', false],
    ['nothing', null, null, false],
    [
      'a path and its query, encoded',
      { to: '/contraseña', query: { a: 'x&y=ñ' } },
      '/contrase%C3%B1a?a=x%26y%3D%C3%B1',
      false,
    ],
    ['what is empty is left out', { to: '/login', query: { a: null, b: '', c: '1' } }, '/login?c=1', false],
    [
      'a page of the broker',
      { to: '/auth/cancel-login', host: 'broker', query: { process_state: 'p' } },
      'https://broker.uy/auth/cancel-login?process_state=p',
      false,
    ],
    ['a host on the page’s own origin', { to: '/rest', host: 'backend' }, '/rest', false],
    ['an unknown host', { to: '/rest', host: 'https://evil.uy' }, '/rest', false],
    ['a fresh page', { to: '/login', fresh: true }, '/login', true],
    [
      '[RUTA-08] an address from outside',
      { address: 'https://app.uy/volver?a=%20b#c', query: { state: 'x&y' } },
      'https://app.uy/volver?a=%20b&state=x%26y#c',
      false,
    ],
    [
      '[RUTA-08] an address from outside without more',
      { address: '/contacto', query: { state: null } },
      '/contacto',
      false,
    ],
    ['a query cannot become a path', { to: '/login', query: { a: '/../x?y#z' } }, '/login?a=%2F..%2Fx%3Fy%23z', false],
  ])('%s', (_, leave, address, fresh) => {
    expect(resolveLeave(leave, hosts)).toEqual({ address, fresh });
  });
});

describe('[LOG-01 RUTA-12] forceLogin', () => {
  test.each([
    ['leads through the logout', '?forceLogin=True', '/logout-process?redirect_uri=%2Flogin'],
    [
      'and back with everything else',
      '?a=1&forceLogin=True&redirectUrl=%2Fseguridad',
      '/logout-process?redirect_uri=%2Flogin%3Fa%3D1%26redirectUrl%3D%252Fseguridad',
    ],
    ['is not asked for', '?redirectUrl=%2F', null],
    ['is refused', '?forceLogin=False', null],
  ])('%s', (_, search, address) => {
    expect(findForcedSignIn({ pathname: '/login', search }, true)).toBe(address);
  });

  test('leads from any other page to the sign-in, and back there', () => {
    expect(findForcedSignIn({ pathname: '/seguridad/contrase%C3%B1a', search: '?a=1&forceLogin=True' }, false)).toBe(
      `/logout-process?redirect_uri=${encodeURIComponent(`/login?redirectUrl=${encodeURIComponent('/seguridad/contraseña?a=1')}`)}`,
    );
  });
});
