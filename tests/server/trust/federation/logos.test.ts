import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServerJobs } from '../../../../src/server/app/create-server-services.ts';
import { command } from '../../../../src/cli/database/application-client.ts';
import { runInProcess } from '../../support/run-command.ts';
import { systemClock } from '../../../../src/server/platform/base/clock.ts';
import { createLogoFetcher, createLogoStore } from '../../../../src/server/trust/federation/clients/logo-store.ts';
import { createBrazilEntry, writeProvidersFile } from '../../support/test-issuer.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { listenLocally } from '../../support/free-port.ts';

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('the rest of a picture')]);
const webp = Buffer.concat([Buffer.from('52494646', 'hex'), Buffer.alloc(4), Buffer.from('WEBPVP8 ')]);
const addressOf = (content: Buffer) => `/logos/${createHash('sha256').update(content).digest('hex')}`;
/** Responses of the application's web server, by path. */
const answers: Readonly<
  Record<
    string,
    { readonly status?: number; readonly type?: string; readonly location?: string; readonly content: Buffer | string }
  >
> = {
  '/logo.png': { type: 'text/html', content: png }, // the portal must ignore the declared type
  '/logo.webp': { content: webp },
  '/scanned.png': { content: png },
  '/late.png': { content: png },
  '/logo.svg': {
    type: 'image/svg+xml',
    content: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  },
  '/page.png': { type: 'image/png', content: '<!doctype html><script>alert(1)</script>' },
  '/large.png': { content: Buffer.concat([png, Buffer.alloc(100 * 1024)]) },
  '/away.png': { status: 302, location: '/logo.png', content: '' },
  '/gone.png': { status: 404, content: png },
};

let origin: string;
let application: Server;
let postgres: TestPostgres;
let server: LiveServer;
let asked = 0;
beforeAll(async () => {
  application = createServer((request, response) => {
    asked += 1;
    const {
      status = 200,
      type = 'image/png',
      location,
      content,
    } = answers[request.url ?? ''] ?? { status: 404, content: '' };
    response.writeHead(status, { 'content-type': type, ...(location !== undefined && { location }) }).end(content);
  });
  origin = await listenLocally(application);
  postgres = await startPostgres({ tables: true });
  const provider = (identificador: string, logo: string) =>
    createBrazilEntry(`https://${identificador}.example`, { identificador, nombre: identificador, logo });
  server = await startLiveServer({
    NODE_ENV: 'test',
    DATABASE_URL: postgres.url,
    IDPS_FILE: writeProvidersFile([
      provider('good', `${origin}/logo.png`),
      provider('bad', `${origin}/logo.svg`),
      provider('own', '/own.png'),
      provider('none', ''),
    ]),
  });
  await createLogoFetcher(server.parts)();
}, 60_000);
afterAll(async () => {
  await server.close();
  await postgres.stop();
  application.close();
});

test('[LOG-02] GET /rest/idps/ lists providers with name, description, level and logo, and whether card and gub.uy are allowed', async () => {
  const answer: unknown = await (await fetch(`${server.origin}/rest/idps/`)).json();
  const said = { descripcion: 'Com a sua conta do Brasil.', nivel_seguridad: 'avanzado', idioma: 'pt' };
  expect(answer).toEqual({
    idps: [
      { ...said, identificador: 'good', nombre: 'good', logo: addressOf(png) },
      { ...said, identificador: 'bad', nombre: 'bad', logo: '' },
      { ...said, identificador: 'own', nombre: 'own', logo: '/own.png' },
      { ...said, identificador: 'none', nombre: 'none', logo: '' },
    ],
    ci_allowed: server.parts.config.flags.ci_electronica,
    gub_uy_allowed: true,
  });
});

describe('logos of applications and providers', { timeout: 60_000 }, () => {
  test("[LOG-02] are served from the portal's origin, without another request to the application", async () => {
    const before = asked;
    const picture = await fetch(server.origin + addressOf(png));
    expect(Buffer.from(await picture.arrayBuffer()).equals(png)).toBe(true);
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    expect(asked, 'no request to the application').toBe(before);
  });

  test.each(['/logos/', `/logos/${'0'.repeat(64)}`, '/logos/..%2f..%2fetc', '/logos/%00'])(
    '[LOG-02] return a client error for %s',
    async (path) => {
      expect((await fetch(server.origin + path)).status).toBeGreaterThanOrEqual(400);
      expect((await fetch(server.origin + path)).status).toBeLessThan(500);
    },
  );

  test.each([
    { path: '/logo.svg', says: 'PNG, WebP or JPEG', note: 'an SVG with scripts' },
    { path: '/page.png', says: 'PNG, WebP or JPEG', note: 'an HTML page with an image type' },
    { path: '/large.png', says: 'longer than', note: 'a file of over 100 KiB' },
    { path: '/away.png', says: 'answers 302', note: 'a URL that redirects' },
    { path: '/gone.png', says: 'answers 404', note: 'a URL that returns 404' },
  ])('[LOG-02] exclude $note', async ({ path, says }) => {
    await expect(server.parts.logos.take(origin + path)).rejects.toThrow(says);
    expect(await server.parts.logos.findLogoPath(origin + path)).toBeNull();
  });

  test('[LOG-02] are not fetched from a private address', async () => {
    const before = asked;
    const outward = createLogoStore(server.parts.store, systemClock, {
      allowsPrivateTargets: false,
      scanner: server.parts.scanner,
    });
    await expect(outward.take(`${origin}/logo.png`)).rejects.toThrow('private');
    await expect(outward.take(`${origin.replace('127.0.0.1', 'localhost')}/logo.png`)).rejects.toThrow('private');
    expect(asked).toBe(before);
  });

  test('[ASVS-5.4.3] are rejected with malware, or without a verdict of the scanner', async () => {
    const createStore = (scan: () => Promise<string | null>) =>
      createLogoStore(server.parts.store, systemClock, { allowsPrivateTargets: true, scanner: { scanFile: scan } });
    const source = `${origin}/scanned.png`;
    await expect(createStore(async () => 'Eicar').take(source)).rejects.toThrow('it contains malware: Eicar');
    await expect(createStore(() => Promise.reject(new Error('no verdict'))).take(source)).rejects.toThrow('no verdict');
    expect(await server.parts.logos.findLogoPath(source)).toBeNull();
    await createStore(async () => null).take(source);
    expect(await server.parts.logos.findLogoPath(source)).toMatch(/^\/logos\//);
  });

  test('[LOG-02] are fetched later if the scanner was not ready at the start, and a failure is logged once', async () => {
    let isReady = false;
    const scan = async () => (isReady ? null : Promise.reject(new Error('not ready')));
    const logos = createLogoStore(server.parts.store, systemClock, {
      allowsPrivateTargets: true,
      scanner: { scanFile: scan },
    });
    const warnings: unknown[] = [];
    const { config, log } = server.parts;
    const [own] = config.identityProviders;
    const identityProviders = own === undefined ? [] : [{ ...own, logo: `${origin}/late.png` }];
    const parts = { ...server.parts, config: { ...config, identityProviders }, logos };
    const jobs = createServerJobs({
      ...parts,
      log: Object.assign(Object.create(log), { warn: (fact: unknown) => warnings.push(fact) }),
    });
    const { run } = jobs.find(({ name }) => name === 'fetch missing logos') ?? expect.fail('no job');
    await run();
    await run();
    expect(await logos.findLogoPath(`${origin}/late.png`)).toBeNull();
    expect(warnings).toEqual([expect.objectContaining({ source: `${origin}/late.png` })]);
    isReady = true;
    await run();
    expect(await logos.findLogoPath(`${origin}/late.png`)).toMatch(/^\/logos\//);
    const before = asked;
    await run();
    expect(asked, 'a stored logo is not fetched again').toBe(before);
  });

  test('[LOG-02] are fetched by portal client add, which rejects an application with an invalid logo', async () => {
    const named = [
      '--id',
      'app',
      '--name',
      'App',
      '--redirect',
      'https://a.example/',
      '--scope',
      'email',
      '--profile',
      'oidc',
    ];
    const env = { BASE_URL: '', DATABASE_URL: postgres.url, KEYS_DIR: server.parts.config.keys.dir };
    const add = (logo: string) => runInProcess(command, ['add', ...named, '--logo', logo], env);
    expect(await add(`${origin}/logo.svg`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        `The logo at ${origin}/logo.svg cannot be used: it must be a PNG, WebP or JPEG picture.`,
      ),
    });
    expect(await server.parts.oidc.clients.find('app')).toBeNull();
    expect((await add(`${origin}/logo.webp`)).status).toBe(0);
    expect(
      await server.parts.logos.findLogoPath((await server.parts.oidc.clients.find('app'))?.registration.logo),
    ).toBe(addressOf(webp));
  });
});
