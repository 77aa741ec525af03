import { describe, expect, test } from 'vitest';
import { href, readPath } from '../../src/contract/href.ts';

const decomposed = '/contrasen\u0303a/restablecer';

describe('[RUTA-05] an address is built', () => {
  test.each([
    ['plain', href('/registro'), '/registro'],
    ['home', href('/'), '/'],
    ['with ñ', href('/contraseña/restablecer'), '/contrase%C3%B1a/restablecer'],
    ['with ñ in two characters', href(decomposed), '/contrase%C3%B1a/restablecer'],
    ['with signs that would start a query or a fragment', href('/a?b/c#d'), '/a%3Fb/c%23d'],
    [
      'with a query',
      href('/login', { redirectUrl: '/seguridad?a=1&b=2' }),
      '/login?redirectUrl=%2Fseguridad%3Fa%3D1%26b%3D2',
    ],
    ['with a value of other alphabets', href('/ayuda', { q: 'ñandú +' }), '/ayuda?q=%C3%B1and%C3%BA+%2B'],
    [
      'with a value that must not split a header',
      href('/login', { redirectUrl: '/a\r\nb' }),
      '/login?redirectUrl=%2Fa%0D%0Ab',
    ],
    ['without absent values', href('/login', { agnt: undefined, process_state: '' }), '/login?process_state='],
    ['on a base', href('/registro', {}, 'https://portal.uy'), 'https://portal.uy/registro'],
    ['on a base with a slash at its end', href('/registro', {}, 'https://portal.uy/'), 'https://portal.uy/registro'],
    [
      'on a base with a path',
      href('/registro', { a: '1' }, 'https://portal.uy/id/'),
      'https://portal.uy/id/registro?a=1',
    ],
  ])('%s', (_, built, expected) => {
    expect(built).toBe(expected);
  });

  test('of characters that a header can carry', () => {
    expect(href('/contraseña/☂', { a: 'ñ' })).toMatch(/^[\x21-\x7e]+$/);
  });
});

describe('[RUTA-05] an address is read', () => {
  test.each([
    ['as typed', '/contraseña/restablecer', '/contraseña/restablecer'],
    ['encoded', '/contrase%C3%B1a/restablecer', '/contraseña/restablecer'],
    ['encoded in small letters', '/contrase%c3%b1a/restablecer', '/contraseña/restablecer'],
    ['typed in two characters', decomposed, '/contraseña/restablecer'],
    ['encoded in two characters', '/contrasen%CC%83a/restablecer', '/contraseña/restablecer'],
    ['with a slash at its end', '/registro/', '/registro'],
    ['with slashes at its end', '/registro///', '/registro'],
    ['of home', '/', '/'],
    ['of slashes alone', '///', '/'],
    ['malformed', '/contrase%C3', null],
    ['malformed by a lonely sign', '/100%', null],
    ['in an old encoding', '/contrase%F1a', null],
  ])('%s', (_, path, expected) => {
    expect(readPath(path)).toBe(expected);
  });

  test.each(['/contraseña/restablecer', '/registro', '/'])('as it was built: %s', (path) => {
    expect(readPath(href(path))).toBe(path);
  });
});
