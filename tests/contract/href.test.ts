import { describe, expect, test } from 'vitest';
import { href, readPath } from '../../src/contract/href.ts';

const decomposed = '/contrasen\u0303a/restablecer';

describe('[RUTA-05] href', () => {
  test.each([
    ['from a path', href('/registro'), '/registro'],
    ['of the home page', href('/'), '/'],
    ['with ñ', href('/contraseña/restablecer'), '/contrase%C3%B1a/restablecer'],
    ['with a decomposed ñ', href(decomposed), '/contrase%C3%B1a/restablecer'],
    ['with ? and # in its path', href('/a?b/c#d'), '/a%3Fb/c%23d'],
    [
      'with a query',
      href('/login', { redirectUrl: '/seguridad?a=1&b=2' }),
      '/login?redirectUrl=%2Fseguridad%3Fa%3D1%26b%3D2',
    ],
    ['with a query value outside ASCII', href('/ayuda', { q: 'ñandú +' }), '/ayuda?q=%C3%B1and%C3%BA+%2B'],
    [
      'with a line break in the value of a query',
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
  ])('builds an address %s', (_, built, expected) => {
    expect(built).toBe(expected);
  });

  test('returns only characters that are valid in a header', () => {
    expect(href('/contraseña/☂', { a: 'ñ' })).toMatch(/^[\x21-\x7e]+$/);
  });
});

describe('[RUTA-05] readPath', () => {
  test.each([
    ['not encoded', '/contraseña/restablecer', '/contraseña/restablecer'],
    ['encoded', '/contrase%C3%B1a/restablecer', '/contraseña/restablecer'],
    ['encoded in lower case', '/contrase%c3%b1a/restablecer', '/contraseña/restablecer'],
    ['decomposed', decomposed, '/contraseña/restablecer'],
    ['decomposed and encoded', '/contrasen%CC%83a/restablecer', '/contraseña/restablecer'],
    ['with a slash at its end', '/registro/', '/registro'],
    ['with slashes at its end', '/registro///', '/registro'],
    ['home page', '/', '/'],
    ['only slashes', '///', '/'],
    ['truncated escape sequence', '/contrase%C3', null],
    ['percent sign without digits', '/100%', null],
    ['encoded in ISO 8859-1', '/contrase%F1a', null],
  ])('returns the decoded path, or null if it is malformed: %s', (_, path, expected) => {
    expect(readPath(path)).toBe(expected);
  });

  test.each(['/contraseña/restablecer', '/registro', '/'])('reverses href for %s', (path) => {
    expect(readPath(href(path))).toBe(path);
  });
});
