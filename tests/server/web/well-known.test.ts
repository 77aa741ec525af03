import { describe, expect, test } from 'vitest';
import { pagePaths } from '../../../src/contract/page-paths.ts';
import { ConfigError, readConfig } from '../../../src/server/platform/config/read-config.ts';
import { startFakeServer } from '../support/fake-server.ts';

const env = {
  BASE_URL: 'https://identidad.example.uy',
  MALWARE_SCANNER: 'none',
  SMTP_URL: 'smtps://mail.example.uy',
  CARD_URL: '',
  SECURITY_CONTACT: 'mailto:seguridad@example.uy, https://example.uy/seguridad',
  SECURITY_EXPIRES: '2027-06-30',
};
const readAt = async (instant: string, settings: Record<string, string> = env) => {
  const { http } = await startFakeServer({ env: settings, now: () => new Date(instant) });
  return http.inject('/.well-known/security.txt');
};

describe('[SEC-08] /.well-known/security.txt (RFC 9116)', () => {
  test('lists the contacts in order, the expiry, the languages and its own address', async () => {
    const response = await readAt('2026-12-01T00:00:00Z');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(response.body).toBe(
      [
        'Contact: mailto:seguridad@example.uy',
        'Contact: https://example.uy/seguridad',
        'Expires: 2027-06-30T00:00:00Z',
        'Preferred-Languages: es, pt, en',
        'Canonical: https://identidad.example.uy/.well-known/security.txt',
        '',
      ].join('\n'),
    );
  });

  test('is not served without a contact or after its expiry', async () => {
    expect((await readAt('2026-12-01T00:00:00Z', { BASE_URL: 'http://localhost:3000' })).statusCode).toBe(404);
    expect((await readAt('2027-06-29T23:59:59Z')).statusCode).toBe(200);
    expect((await readAt('2027-06-30T00:00:00Z')).statusCode).toBe(404);
  });

  test.each([
    { note: 'a contact without an expiry', settings: { SECURITY_EXPIRES: '' }, problem: /must be set together/ },
    { note: 'an expiry without a contact', settings: { SECURITY_CONTACT: '' }, problem: /must be set together/ },
    {
      note: 'a web address without TLS',
      settings: { SECURITY_CONTACT: 'http://example.uy' },
      problem: /SECURITY_CONTACT must be/,
    },
    {
      note: 'a contact of two lines',
      settings: { SECURITY_CONTACT: 'mailto:a@example.uy\nExpires:' },
      problem: /SECURITY_CONTACT must be/,
    },
    { note: 'a bad date', settings: { SECURITY_EXPIRES: '2027-02-30' }, problem: /SECURITY_EXPIRES must be a date/ },
  ])('prevents the start if its configuration has $note', ({ settings, problem }) => {
    expect(() => readConfig({ ...env, ...settings })).toThrow(ConfigError);
    expect(() => readConfig({ ...env, ...settings })).toThrow(problem);
  });
});

describe('[SEC-08] /.well-known/change-password', () => {
  test('redirects password managers to the page that changes the password', async () => {
    const { http } = await startFakeServer();
    const response = await http.inject('/.well-known/change-password');
    expect(response.statusCode).toBe(303);
    expect(decodeURI(String(response.headers.location))).toBe(`http://localhost:3000${pagePaths.changePassword}`);
    expect(String(response.headers.location)).toMatch(/^[\x21-\x7e]+$/);
    const probe = await http.inject('/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200');
    expect(probe.statusCode).toBe(404);
  });

  test('does not exist if passwords are off', async () => {
    const { http } = await startFakeServer({ env: { FLAGS: 'contrasena=off' } });
    expect((await http.inject('/.well-known/change-password')).statusCode).toBe(404);
  });
});
