import { describe, expect, test } from 'vitest';
import { listRedirectOrigins, sanitizeRedirect } from '../../src/contract/sanitize-redirect.ts';

const origins = ['https://portal.uy', 'http://localhost:3000'];

/** Redirect targets that must be replaced by the home page, each with its description. */
const hostile: readonly (readonly [note: string, target: unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['an empty string', ''],
  ['a number', 7],
  ['an array whose string form is an allowed URL', ['https://portal.uy/']],
  ['an object with a toString method', { toString: () => '/seguridad' }],
  ['a URL object', new URL('https://portal.uy/')],
  ['no slash', 'seguridad'],
  ['a relative step', '../seguridad'],
  ['only a query', '?redirectUrl=/'],
  ['only a fragment', '#x'],
  ['another host', 'https://evil.uy/'],
  ['another host, no scheme', '//evil.uy'],
  ['three slashes', '///evil.uy'],
  ['four slashes', '////evil.uy'],
  ['slash and backslash', '/\\evil.uy'],
  ['backslash and slash', '\\/evil.uy'],
  ['two backslashes', '\\\\evil.uy'],
  ['a backslash behind the scheme', 'https:\\\\evil.uy'],
  ['a backslash before the @', 'https://portal.uy\\@evil.uy/'],
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
  ['a right-to-left override', '/\u202eyu.live'],
  ['a byte order mark', '\ufeff/seguridad'],
  ['a path that normalizes to two slashes (one dot)', '/.//evil.uy'],
  ['a path that normalizes to two slashes (two dots)', '/a/..//evil.uy'],
  ['a path that normalizes to two slashes (encoded dot)', '/%2e//evil.uy'],
  ['a path that normalizes to two slashes (encoded dots)', '/a/%2e%2e//evil.uy'],
  ['encoded slashes without a real one', '%2f%2fevil.uy'],
  ['encoded backslashes', '%5c%5cevil.uy'],
  ['fullwidth slashes', '／／evil.uy'],
  ['fraction slashes', '⁄⁄evil.uy'],
  ['division slashes', '∕∕evil.uy'],
  ['a user name that looks like the host', 'https://portal.uy@evil.uy/'],
  ['a user name at the right host', 'https://someone@portal.uy/'],
  ['a user name and a password at the right host', 'https://a:b@portal.uy/'],
  ['only a password', 'https://:b@portal.uy/'],
  ['an encoded @', 'https://portal.uy%40evil.uy/'],
  ['the right host as a prefix', 'https://portal.uy.evil.uy/'],
  ['the right host as a suffix', 'https://evilportal.uy/'],
  ['the right host as a query', 'https://evil.uy/?https://portal.uy/'],
  ['the right host as a fragment', 'https://evil.uy#https://portal.uy'],
  ['the right host as a path', 'https://evil.uy/portal.uy'],
  ['a subdomain of the right host', 'https://a.portal.uy/'],
  ['the right host with a dot at its end', 'https://portal.uy./'],
  ['another port', 'https://portal.uy:8443/'],
  ['another port of localhost', 'http://localhost:3001/'],
  ['the right host without encryption', 'http://portal.uy/'],
  ['the loopback address', 'http://127.0.0.1:3000/'],
  ['a letter of another alphabet', 'https://pоrtal.uy/'],
  ['a host in punycode that looks like it', 'https://xn--prtal-cqf.uy/'],
  ['a scheme without slashes', 'http:evil.uy'],
  ['a scheme without slashes on the right host', 'https:portal.uy'],
  ['one slash behind the scheme', 'https:/evil.uy'],
  ['one slash behind the scheme of the right host', 'https:/portal.uy/'],
  ['a scheme without host', 'https://'],
  ['an invalid port', 'https://portal.uy:port/'],
  ['a javascript URL', 'javascript:alert(1)'],
  ['a javascript URL in mixed case', 'JaVaScRiPt:alert(1)'],
  ['a javascript URL with slashes', 'javascript://portal.uy/%0aalert(1)'],
  ['a javascript URL with a tab in its scheme', 'java\tscript:alert(1)'],
  ['a javascript URL with a line break in its scheme', 'java\nscript:alert(1)'],
  ['a javascript URL behind a control character', '\u0001javascript:alert(1)'],
  ['an encoded javascript URL', 'javascript%3aalert(1)'],
  ['a data URL', 'data:text/html,<script>alert(1)</script>'],
  ['a data URL in Base64', 'data:text/html;base64,PHNjcmlwdD4='],
  ['a vbscript URL', 'vbscript:msgbox(1)'],
  ['a blob URL of the right origin', 'blob:https://portal.uy/1234'],
  ['a file URL', 'file:///etc/passwd'],
  ['an FTP URL', 'ftp://portal.uy/'],
  ['a WebSocket URL', 'wss://portal.uy/'],
  ['a view-source URL', 'view-source:https://portal.uy/'],
  ['a mailto URL', 'mailto:ana@portal.uy'],
  ['about:blank', 'about:blank'],
];

const right: readonly (readonly [note: string, target: string, answer?: string])[] = [
  ['the home page', '/'],
  ['a path', '/seguridad'],
  ['a path with a query and a fragment', '/registro?next=%2Fseguridad#datos'],
  ['a path with another address in its query', '/login?redirectUrl=https://evil.uy//x'],
  ['a path that is not encoded', '/contraseña/restablecer'],
  ['an encoded path', '/contrase%C3%B1a/restablecer'],
  ['a path with two dots that stays below the root', '/a/../seguridad'],
  ['a path with a parameter after two dots', '/..;/seguridad'],
  ['a path with encoded slashes in a segment', '/%2f%2fevil.uy'],
  ['a path that contains an @', '/@evil.uy'],
  ['a scheme in a path', '/javascript:alert(1)'],
  ['an allowed origin', 'https://portal.uy/seguridad?a=1'],
  ['an allowed origin without a path', 'https://portal.uy', 'https://portal.uy/'],
  ['an allowed origin with its default port', 'https://portal.uy:443/x', 'https://portal.uy/x'],
  ['an allowed host in upper case', 'HTTPS://PORTAL.UY/X', 'https://portal.uy/X'],
  ['an allowed port', 'http://localhost:3000/a'],
];

describe('[ERR-01 SES-03] sanitizeRedirect with an unsafe target', () => {
  test.each(hostile)('returns the home page for %s', (_, target) => {
    expect(sanitizeRedirect(target, origins)).toBe('/');
  });

  test('returns the home page for another origin if no origin is allowed', () => {
    expect(sanitizeRedirect('https://portal.uy/')).toBe('/');
  });

  test('returns the home page for a data URL even if the origin "null" is allowed', () => {
    expect(sanitizeRedirect('data:text/html,x', ['null'])).toBe('/');
  });
});

describe('[ERR-01 SES-03] sanitizeRedirect with a safe target', () => {
  test.each(right)('returns the target for %s', (_, target, answer = target) => {
    expect(sanitizeRedirect(target, origins)).toBe(answer);
  });

  test.each(right.filter(([, target]) => target.startsWith('/')))(
    'stays on the origin of the page for %s',
    (_, target) => {
      expect(new URL(sanitizeRedirect(target, origins), 'https://portal.uy').origin).toBe('https://portal.uy');
    },
  );
});

test('[ERR-01 SES-03] listAllowedOrigins returns the origins of the page, its hosts, the agents and the configuration', () => {
  const hosts = { backend: 'https://api.portal.uy', broker: '' };
  const config = { hosts, agentsHost: 'https://agentes.uy/entrar', redirectOrigins: ['https://tramites.uy'] };
  expect(listRedirectOrigins('https://portal.uy/', config)).toEqual([
    'https://portal.uy',
    'https://api.portal.uy',
    'https://agentes.uy',
    'https://tramites.uy',
  ]);
});
