import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { pino } from 'pino';
import { parseSampleOrigin } from '../../../../src/demo/sample-application-server.ts';
import { openClientCertificateListener } from '../../../../src/server/app/start-server.ts';
import { openBrowser } from '../../support/browser.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { followRedirects, completeAuthorization } from '../../support/relying-party.ts';
import { followSaml } from '../../support/service-provider.ts';

const root = resolve(import.meta.dirname, '../../../..');
const closers: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Runs a command of package.json until its output matches `until`. Returns the output. */
async function run(command: string, env: Record<string, string>, until: RegExp): Promise<string> {
  const child = spawn('npm', ['run', '--silent', command], {
    cwd: root,
    env: { ...process.env, ...env },
    detached: true,
  });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  closers.push(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  });
  let printed = '';
  await new Promise<void>((done, failed) => {
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      if (until.test(printed)) done();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', (code) => failed(new Error(`${command} ended with ${code}: ${printed}`)));
  });
  return printed;
}

/** Parses the settings in an output line such as 'Start the portal: A=b C=d npm start'. */
function settingsIn(printed: string): Record<string, string> {
  const line = /Start the portal(?: now)?: (.*?) ?npm start/.exec(printed)?.[1] ?? '';
  return Object.fromEntries([...line.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]));
}

async function portal(port: number, env: Record<string, string>): Promise<LiveServer> {
  const server = await startLiveServer({ PORT: String(port), ...env });
  closers.push(() => server.close());
  return server;
}

const textAt = async (address: string): Promise<string> => {
  const response = await fetch(address);
  expect(response.status, address).toBe(200);
  return response.text();
};

describe('[FED-08] sample partners', () => {
  test('npm run demo:rp prints portal settings with which its sign-in works at another address', async () => {
    const port = await findFreePort();
    const ISSUER = `http://127.0.0.1:${port}`;
    const ORIGIN = `http://127.0.0.1:${await findFreePort()}`;
    const settings = settingsIn(await run('demo:rp', { ISSUER, ORIGIN: `${ORIGIN}/` }, /npm start/));
    expect(settings).toEqual({ CLIENTS_FILE: expect.stringContaining('clients.json') });
    const server = await portal(port, settings);
    const home = () =>
      fetch(ORIGIN).then(
        (answer) => answer.text(),
        () => '',
      );
    await expect.poll(home, { timeout: 20_000 }).toContain('Nobody is signed in');
    const browser = openBrowser(server.origin);
    const begun = await fetch(`${ORIGIN}/login`, { redirect: 'manual' });
    expect(await followRedirects(browser, begun.headers.get('location') ?? '', ISSUER)).toContain(
      '/login?process_state=',
    );
    await browser.signIn();
    const asked = await fetch(`${ORIGIN}/login`, { redirect: 'manual' });
    const back = await completeAuthorization(browser, asked.headers.get('location') ?? '', ISSUER);
    expect(back).toMatch(new RegExp(`^${ORIGIN}/callback\\?code=`));
  });

  test.each(['https://app.example', 'http://127.0.0.1', 'nowhere'])(
    'ORIGIN=%s is not an HTTP origin with a port',
    (ORIGIN) => {
      expect(parseSampleOrigin(ORIGIN)).toBeNull();
    },
  );

  test('npm run demo:rp rejects an ORIGIN without a port and says how to correct it', async () => {
    await expect(run('demo:rp', { ORIGIN: 'http://127.0.0.1' }, /Sample relying party/)).rejects.toThrow(
      /ended with 2: ORIGIN must be http with a port, for example http:\/\/127\.0\.0\.1:4000/,
    );
  });

  test('npm run demo:sp prints portal settings with which the portal accepts its request', async () => {
    const port = await findFreePort();
    const ISSUER = `http://127.0.0.1:${port}`;
    const ORIGIN = `http://127.0.0.1:${await findFreePort()}`;
    const told = await run('demo:sp', { ISSUER, ORIGIN }, /npm start/);
    const settings = settingsIn(told);
    expect(settings).toEqual({ SAML_FILE: expect.stringContaining('providers.json') });
    const server = await portal(port, settings);
    await expect
      .poll(
        () =>
          fetch(ORIGIN).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 20_000 },
      )
      .toBe(200);
    const begun = await fetch(`${ORIGIN}/login`, { redirect: 'manual' });
    const asked = await followSaml(openBrowser(server.origin), begun.headers.get('location') ?? '', server.origin);
    expect(asked).toContain('/login?process_state=');
  });

  test('npm run demo:idp prints portal settings with which the portal offers both providers', async () => {
    const port = await findFreePort();
    const ORIGIN = `http://localhost:${await findFreePort()}`;
    const told = await run('demo:idp', { ISSUER: `http://127.0.0.1:${port}`, ORIGIN }, /npm start/);
    expect(await textAt(`${ORIGIN}/br/.well-known/openid-configuration`)).toContain(`${ORIGIN}/br`);
    const server = await portal(port, settingsIn(told));
    const { idps } = await (await openBrowser(server.origin).get('/rest/idps/')).json();
    expect(idps).toHaveLength(2);
    for (const { identificador } of idps)
      expect(
        ['identificador', 'nombre', 'descripcion', 'nivel_seguridad', 'logo'].map((name) => [
          identificador,
          name in idps[0],
        ]),
      ).not.toContainEqual([identificador, false]);
  });

  test("npm run demo:wallet prints portal settings, and shows the portal's request", async () => {
    const ORIGIN = `http://127.0.0.1:${await findFreePort()}`;
    const told = await run('demo:wallet', { ORIGIN }, /npm start/);
    expect(settingsIn(told)).toMatchObject({ WALLET_SCHEME: `${ORIGIN}/` });
    const server = await portal(await findFreePort(), settingsIn(told));
    const sent = { challenge: 'urn:iduruguay:am:wallet', data_challenge: {}, extra: null, token: null };
    const { options } = await (await openBrowser(server.origin).post('/auth/login', sent)).json();
    const link = JSON.stringify(options).match(new RegExp(`${ORIGIN}/[^"\\\\]*`))?.[0] ?? 'no link';
    expect(await textAt(link)).toContain('asks for the number of your document');
  });

  test('npm run demo:card prints portal settings with which the portal accepts its cards', async () => {
    const told = await run('demo:card', {}, /Remove what you imported/);
    const settings = settingsIn(told);
    expect(settings).toMatchObject({ FLAGS: 'ci_electronica=on', CARD_PORT: '3443' });
    const port = await findFreePort();
    const moved = { ...settings, CARD_PORT: String(port), CARD_URL: `https://localhost:${port}` };
    const server = await portal(await findFreePort(), moved);
    const listener = await openClientCertificateListener(server.parts.config, server.parts, pino({ level: 'silent' }));
    closers.push(() => listener?.close());
    const sent = { challenge: 'ci_electronica', data_challenge: {}, extra: null, token: null };
    const { location } = await (await openBrowser(server.origin).post('/auth/login', sent)).json();
    const file = /[\w./-]+\.p12/.exec(told)?.[0] ?? '';
    const card = { pfx: readFileSync(join(root, file)), passphrase: 'cedula', rejectUnauthorized: false };
    const back = await new Promise<string>((done, failed) => {
      request(location, card, (response) => done(response.headers.location ?? String(response.statusCode)))
        .on('error', failed)
        .end();
    });
    expect(back).toContain('tarjeta=');
  });
});
