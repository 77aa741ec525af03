import { describe, expect, test } from 'vitest';
import { buildHref, parseUrlPath } from '../../src/contract/build-href.ts';

const decomposed = '/contrasen\u0303a/restablecer';

describe('[RUTA-05] href', () => {
  test.each([
    ['from a path', buildHref('/registro'), '/registro'],
    ['of the home page', buildHref('/'), '/'],
    ['with ñ', buildHref('/contraseña/restablecer'), '/contrase%C3%B1a/restablecer'],
    ['with a decomposed ñ', buildHref(decomposed), '/contrase%C3%B1a/restablecer'],
    ['with ? and # in its path', buildHref('/a?b/c#d'), '/a%3Fb/c%23d'],
    [
      'with a query',
      buildHref('/login', { redirectUrl: '/seguridad?a=1&b=2' }),
      '/login?redirectUrl=%2Fseguridad%3Fa%3D1%26b%3D2',
    ],
    ['with a query value outside ASCII', buildHref('/ayuda', { q: 'ñandú +' }), '/ayuda?q=%C3%B1and%C3%BA+%2B'],
    [
      'with a line break in the value of a query',
      buildHref('/login', { redirectUrl: '/a\r\nb' }),
      '/login?redirectUrl=%2Fa%0D%0Ab',
    ],
    ['without absent values', buildHref('/login', { agnt: undefined, process_state: '' }), '/login?process_state='],
    ['on a base', buildHref('/registro', {}, 'https://portal.uy'), 'https://portal.uy/registro'],
    [
      'on a base with a slash at its end',
      buildHref('/registro', {}, 'https://portal.uy/'),
      'https://portal.uy/registro',
    ],
    [
      'on a base with a path',
      buildHref('/registro', { a: '1' }, 'https://portal.uy/id/'),
      'https://portal.uy/id/registro?a=1',
    ],
  ])('builds an address %s', (_, built, expected) => {
    expect(built).toBe(expected);
  });

  test('returns only characters that are valid in a header', () => {
    expect(buildHref('/contraseña/☂', { a: 'ñ' })).toMatch(/^[\x21-\x7e]+$/);
  });
});

describe('[RUTA-05] parseUrlPath', () => {
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
    expect(parseUrlPath(path)).toBe(expected);
  });

  test.each(['/contraseña/restablecer', '/registro', '/'])('reverses href for %s', (path) => {
    expect(parseUrlPath(buildHref(path))).toBe(path);
  });
});
