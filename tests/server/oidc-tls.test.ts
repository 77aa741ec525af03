import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brazil, providersFile } from './support/identity-provider.ts';
import { startLiveServer, type LiveServer } from './support/live-server.ts';

let server: LiveServer;
let address: string;
beforeAll(async () => {
  server = await startLiveServer({
    BASE_URL: 'https://portal.example',
    SMTP_URL: 'smtp://127.0.0.1:9',
    FLAGS: 'ci_electronica=on',
    NODE_ENV: 'test',
    IDPS_FILE: providersFile([brazil('https://br.example', { logo: '/otro.svg' })]),
  });
  await server.register({ id: 'app', name: 'App', redirectUris: ['https://rp.example/cb'], legacy: true });
  address = `http://127.0.0.1:${server.parts.config.port}`;
});
afterAll(() => server.close());

describe('behind TLS', () => {
  const query = new URLSearchParams({
    response_type: 'code',
    scope: 'openid',
    client_id: 'app',
    redirect_uri: 'https://rp.example/cb',
    state: 's',
  });

  test.each(['GET', 'POST'])(
    '[SES-08] %s of a request sets cookies that only TLS carries, whatever the Host header says',
    async (method) => {
      const response = await fetch(`${address}/oidc/v1/authorize${method === 'GET' ? `?${query}` : ''}`, {
        method,
        redirect: 'manual',
        headers: { 'x-forwarded-host': 'evil.example' },
        ...(method === 'POST' && { body: query }),
      });
      expect(response.headers.get('location')).toMatch(/^\/login\?process_state=/);
      const cookies = response.headers.getSetCookie();
      expect(cookies.length).toBeGreaterThan(1);
      for (const cookie of cookies) {
        expect(cookie).toMatch(/^__(Host|Secure)-portal-/);
        expect(cookie).toMatch(/; secure/i);
        expect(cookie).toMatch(/; httponly/i);
        expect(cookie).not.toContain('domain=');
      }
    },
  );

  test('[SES-08] the issuer is the origin of the configuration', async () => {
    const found = await (
      await fetch(`${address}/.well-known/openid-configuration`, { headers: { 'x-forwarded-host': 'evil.example' } })
    ).json();
    expect(found).toMatchObject({
      issuer: 'https://portal.example',
      token_endpoint: 'https://portal.example/oidc/v1/token',
    });
  });

  test('[SES-08] the sample relying party is unknown', async () => {
    expect(await server.parts.oidc.clients.find('demo-rp')).toBeNull();
  });

  test('[CFG-06] identity providers come from the configuration, the card from its flag', async () => {
    expect(await (await fetch(`${address}/rest/idps/`)).json()).toEqual({
      idps: [
        {
          identificador: 'br',
          nombre: 'gov.br',
          descripcion: 'Com a sua conta do Brasil.',
          nivel_seguridad: 'avanzado',
          logo: '/otro.svg',
          idioma: 'pt',
        },
      ],
      ci_allowed: true,
      gub_uy_allowed: true,
    });
  });
});
