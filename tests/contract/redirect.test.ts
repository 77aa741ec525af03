import { describe, expect, test } from 'vitest';
import { listAllowedOrigins, sanitizeRedirect } from '../../src/contract/redirect.ts';

const origins = ['https://portal.uy', 'http://localhost:3000'];

/** Redirect targets that must be replaced by the home page, each with its description. */
const hostile: readonly (readonly [note: string, target: unknown])[] = [
  ['nothing', undefined],
  ['null', null],
  ['an empty text', ''],
  ['a number', 7],
  ['a list, which reads as its text', ['https://portal.uy/']],
  ['an object with a text', { toString: () => '/seguridad' }],
  ['a true URL object', new URL('https://portal.uy/')],
  ['no slash', 'seguridad'],
  ['a relative step', '../seguridad'],
  ['a query alone', '?redirectUrl=/'],
  ['a fragment alone', '#x'],
  ['another host', 'https://evil.uy/'],
  ['another host, no scheme', '//evil.uy'],
  ['three slashes', '///evil.uy'],
  ['four slashes', '////evil.uy'],
  ['slash and backslash', '/\\evil.uy'],
  ['backslash and slash', '\\/evil.uy'],
  ['two backslashes', '\\\\evil.uy'],
  ['a backslash behind the scheme', 'https:\\\\evil.uy'],
  ['a backslash before the at', 'https://portal.uy\\@evil.uy/'],
  ['a backslash in a path', '/a\\b'],
  ['a tab between slashes, which browsers drop', '/\t/evil.uy'],
  ['a line break between slashes', '/\n/evil.uy'],
  ['a carriage return between slashes', '/\r/evil.uy'],
  ['a line break that starts a header', '/seguridad\r\nSet-Cookie: a=b'],
  ['a NUL', '/seguridad\u0000'],
  ['a delete character', '/seguridad\u007f'],
  ['a control character of the second block', '/seguridad\u0085'],
  ['a blank in front', ' https://portal.uy/'],
  ['a blank between slashes', '/ /evil.uy'],
  ['a blank at the end', '/seguridad '],
  ['a no-break space', '/\u00a0/evil.uy'],
  ['a line separator', '/\u2028/evil.uy'],
  ['a zero-width space in the host', 'https://portal.uy\u200b.evil.uy/'],
  ['a soft hyphen in the host', 'https://port\u00adal.uy/'],
  ['an override of the direction', '/\u202eyu.live'],
  ['a byte order mark', '\ufeff/seguridad'],
  ['a path that folds to two slashes by a dot', '/.//evil.uy'],
  ['a path that folds to two slashes by two dots', '/a/..//evil.uy'],
  ['an encoded dot that folds likewise', '/%2e//evil.uy'],
  ['encoded dots that fold likewise', '/a/%2e%2e//evil.uy'],
  ['encoded slashes without a real one', '%2f%2fevil.uy'],
  ['encoded backslashes', '%5c%5cevil.uy'],
  ['fullwidth slashes', '／／evil.uy'],
  ['fraction slashes', '⁄⁄evil.uy'],
  ['division slashes', '∕∕evil.uy'],
  ['user name that looks like the host', 'https://portal.uy@evil.uy/'],
  ['user name at the right host', 'https://someone@portal.uy/'],
  ['user name and password at the right host', 'https://a:b@portal.uy/'],
  ['a password alone', 'https://:b@portal.uy/'],
  ['an encoded at', 'https://portal.uy%40evil.uy/'],
  ['the right host as a prefix', 'https://portal.uy.evil.uy/'],
  ['the right host as a suffix', 'https://evilportal.uy/'],
  ['the right host as a query', 'https://evil.uy/?https://portal.uy/'],
  ['the right host as a fragment', 'https://evil.uy#https://portal.uy'],
  ['the right host as a path', 'https://evil.uy/portal.uy'],
  ['a host below the right one', 'https://a.portal.uy/'],
  ['the right host with a dot at its end', 'https://portal.uy./'],
  ['another port', 'https://portal.uy:8443/'],
  ['another port of this machine', 'http://localhost:3001/'],
  ['the right host without encryption', 'http://portal.uy/'],
  ['this machine by its number', 'http://127.0.0.1:3000/'],
  ['a letter of another alphabet', 'https://pоrtal.uy/'],
  ['a host in punycode that looks like it', 'https://xn--prtal-cqf.uy/'],
  ['a scheme without slashes', 'http:evil.uy'],
  ['a scheme without slashes on the right host', 'https:portal.uy'],
  ['one slash behind the scheme', 'https:/evil.uy'],
  ['one slash behind the scheme of the right host', 'https:/portal.uy/'],
  ['a scheme without host', 'https://'],
  ['a host that is no host', 'https://portal.uy:port/'],
  ['script', 'javascript:alert(1)'],
  ['script in mixed case', 'JaVaScRiPt:alert(1)'],
  ['script with slashes', 'javascript://portal.uy/%0aalert(1)'],
  ['script with a tab in its scheme', 'java\tscript:alert(1)'],
  ['script with a line break in its scheme', 'java\nscript:alert(1)'],
  ['script behind a control character', '\u0001javascript:alert(1)'],
  ['script, encoded', 'javascript%3aalert(1)'],
  ['a page as data', 'data:text/html,<script>alert(1)</script>'],
  ['a page as data, encoded', 'data:text/html;base64,PHNjcmlwdD4='],
  ['visual basic', 'vbscript:msgbox(1)'],
  ['a blob of the right origin', 'blob:https://portal.uy/1234'],
  ['a file', 'file:///etc/passwd'],
  ['file transfer', 'ftp://portal.uy/'],
  ['a web socket', 'wss://portal.uy/'],
  ['the source of a page', 'view-source:https://portal.uy/'],
  ['a mail', 'mailto:ana@portal.uy'],
  ['a blank page', 'about:blank'],
];

const right: readonly (readonly [note: string, target: string, answer?: string])[] = [
  ['home', '/'],
  ['a path', '/seguridad'],
  ['a path with a query and a fragment', '/registro?next=%2Fseguridad#datos'],
  ['an address in its query is data', '/login?redirectUrl=https://evil.uy//x'],
  ['a path as people write it', '/contraseña/restablecer'],
  ['an encoded path', '/contrase%C3%B1a/restablecer'],
  ['dots that stay below', '/a/../seguridad'],
  ['a parameter in a path is a name like another', '/..;/seguridad'],
  ['encoded slashes are part of a name', '/%2f%2fevil.uy'],
  ['a path that holds an at', '/@evil.uy'],
  ['a scheme in a path', '/javascript:alert(1)'],
  ['an origin of the list', 'https://portal.uy/seguridad?a=1'],
  ['an origin of the list without a path', 'https://portal.uy', 'https://portal.uy/'],
  ['its port written out', 'https://portal.uy:443/x', 'https://portal.uy/x'],
  ['a host in capitals', 'HTTPS://PORTAL.UY/X', 'https://portal.uy/X'],
  ['a port of the list', 'http://localhost:3000/a'],
];

describe('[ERR-01 SES-03] a target leads home', () => {
  test.each(hostile)('when it is %s', (_, target) => {
    expect(sanitizeRedirect(target, origins)).toBe('/');
  });

  test('when its origin is on no list', () => {
    expect(sanitizeRedirect('https://portal.uy/')).toBe('/');
  });

  test('when the list itself holds the origin of what has none', () => {
    expect(sanitizeRedirect('data:text/html,x', ['null'])).toBe('/');
  });
});

describe('[ERR-01 SES-03] a target is followed', () => {
  test.each(right)('when it is %s', (_, target, answer = target) => {
    expect(sanitizeRedirect(target, origins)).toBe(answer);
  });

  test.each(right.filter(([, target]) => target.startsWith('/')))(
    'and stays on the origin of the page: %s',
    (_, target) => {
      expect(new URL(sanitizeRedirect(target, origins), 'https://portal.uy').origin).toBe('https://portal.uy');
    },
  );
});

test('[ERR-01 SES-03] the portal leads to itself, to its hosts, and to what is listed', () => {
  const hosts = { backend: 'https://api.portal.uy', broker: '' };
  const config = { hosts, agentsHost: 'https://agentes.uy/entrar', redirectOrigins: ['https://tramites.uy'] };
  expect(listAllowedOrigins('https://portal.uy/', config)).toEqual([
    'https://portal.uy',
    'https://api.portal.uy',
    'https://agentes.uy',
    'https://tramites.uy',
  ]);
});
