import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as client from 'openid-client';
import { sampleCitizens } from '../../src/server/app/sample/sample-citizens.ts';
import { supportedScopes } from '../../src/server/trust/federation/clients/scopes.ts';
import { samlPaths } from '../../src/server/trust/federation/saml/saml-constants.ts';
import { projectRoot, startPortalProcess } from '../e2e/support/portal.ts';
import { openBrowser, type Browser } from '../server/support/browser.ts';
import { findFreePort } from '../server/support/free-port.ts';
import { startPostgres } from '../server/support/postgres.ts';
import {
  beginFlow,
  callback,
  answerConsent,
  finishFlow,
  followRedirects,
  configureRelyingParty,
} from '../server/support/relying-party.ts';
import { followSaml, createProvider } from '../server/support/service-provider.ts';
import { startWireCounts, type WireCounts } from '../server/support/wire-counts.ts';
import { addCitizens, addInactiveCitizens } from './add-citizens.ts';

/**
 * Sends one request or completes one journey. Throws if it fails. Each lane has a separate browser and, on PostgreSQL,
 * a separate citizen.
 */
export type Run = (lane: number) => Promise<unknown>;

/** A server process to measure. */
export interface BenchServer {
  readonly works: Readonly<Record<string, Run>>;
  /** Counters of statements and round trips. `null` if `counted` was not set. */
  readonly wire: WireCounts | null;
  /** CPU time of the process and its threads, in milliseconds. */
  cpuMs(): Promise<number>;
  close(): Promise<void>;
}

interface Setup {
  /** Number of worker processes, with PostgreSQL. If omitted, one process with the embedded database. */
  readonly workers?: number;
  readonly counted?: boolean;
  readonly lanes: number;
}

/**
 * Number of citizens who do not sign in. In small tables, serializable transactions lock entire pages, and would
 * conflict with unrelated ones.
 */
const others = 20_000;

/**
 * Starts a server with an OpenID Connect application and a SAML service provider. Its citizens have already signed in
 * once.
 */
export async function startBenchServer({ workers, counted = false, lanes }: Setup): Promise<BenchServer> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const closers: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const one of closers.splice(0).reverse()) await one();
  };
  try {
    const postgres = workers === undefined ? null : await startPostgres({ tables: true });
    closers.push(() => postgres?.stop());
    const wire = postgres && counted ? await startWireCounts(postgres.url) : null;
    closers.push(() => wire?.close());
    const [port, metricsPort] = [await findFreePort(), Number(await findFreePort())];
    const origin = `http://localhost:${port}`;
    let certificate = '';
    const provider = await createProvider(origin, () => certificate);
    const files = {
      'clients.json': [{ id: 'bench', name: 'Bench', redirectUris: [callback], scopes: [...supportedScopes] }],
      'saml.json': [{ id: 'bench-saml', name: 'Bench', scopes: ['personal_info', 'document'], metadata: 'sp.xml' }],
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(content));
    await writeFile(join(folder, 'sp.xml'), provider.metadata);
    const portal = await startPortalProcess(projectRoot, {
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      KEYS_DIR: join(folder, 'keys'), // the server reads its signing key from this folder, and would create a larger key without one
      CLIENTS_FILE: join(folder, 'clients.json'),
      SAML_FILE: join(folder, 'saml.json'),
      TRUST_PROXY: '1',
      LOG_LEVEL: 'info',
      ...(postgres && { DATABASE_URL: wire?.url ?? postgres.url, WORKERS: String(workers) }),
    });
    closers.push(() => portal.stop());
    // waits for all workers, because their start would distort the measurement
    for (let worker = 0; worker < (workers ?? 1); worker += 1)
      while ((await readMetrics(metricsPort + worker)) === '') await sleep(200);
    const metadata = await (await fetch(`${origin}${samlPaths.metadata}`)).text();
    certificate = /<(?:\w+:)?X509Certificate>([^<]+)</.exec(metadata)?.[1] ?? '';
    if (postgres) await addInactiveCitizens(postgres.url, others);
    const people: readonly Person[] = postgres
      ? (await addCitizens(postgres.url, lanes)).map((document) => ({
          document,
          country: 'ar',
          type: 'psp',
          password: sampleCitizens[0].password ?? '',
        }))
      : sampleCitizens.flatMap(({ document, password }) => (password === null ? [] : [{ document, password }]));
    const works = await createRuns(origin, people, provider);
    return {
      works,
      wire,
      cpuMs: async () =>
        Number(/^process_cpu_seconds_total ([\d.e+-]+)/m.exec(await readMetrics(metricsPort))?.[1]) * 1000,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Person = Omit<Parameters<Browser['signIn']>[0] & object, 'processState'>;

async function createRuns(
  origin: string,
  people: readonly Person[],
  provider: Awaited<ReturnType<typeof createProvider>>,
): Promise<BenchServer['works']> {
  // known browsers, each with its own network address and an expired session
  const browsers: Browser[] = [];
  const browserOf = (lane: number) => (browsers[lane] ??= openBrowser(origin, fetchFrom(`10.0.0.${lane + 1}`)));
  const signIn: Run = async (lane) => {
    browserOf(lane).forget('portal-session');
    const location = await browserOf(lane).signIn(people[lane % people.length]);
    if (!location.startsWith('/')) throw new Error(`not signed in: ${location}`);
  };
  const start: Run = async (lane) => {
    const { document, country = 'uy', type = 'ci' } = people[lane % people.length] ?? {};
    const data = { username: document, pais_emisor: country, tipo_documento: type };
    const body = { challenge: 'username', data_challenge: data, extra: null, token: null };
    await drainResponse(await browserOf(lane).post('/auth/login', body));
  };
  await signIn(0);
  const token = await browserOf(0).bearer();
  const { cid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { cid: string };
  const headers = { authorization: `Bearer ${token}` };
  const get = (path: string, own: Record<string, string>) => async () =>
    drainResponse(await fetch(origin + path, { headers: own }));
  const page = (path: string) => get(path, { 'accept-encoding': 'br', accept: 'text/html' });

  const config = await configureRelyingParty(origin, 'bench', '');
  const flow = async (browser: Browser): Promise<Browser> => {
    const request = await beginFlow(config);
    const address = await completeSignIn(browser, await followRedirects(browser, request.url.href, origin), origin);
    const location = address.includes('/autorizacion') ? await answerConsent(browser, address, origin) : address;
    const tokens = await finishFlow(request, location);
    await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '');
    return browser;
  };
  const respond = async (browser: Browser): Promise<Browser> => {
    const saml = async (address: string) => followSaml(browser, address, origin);
    let answer = await saml(await provider.saml.getAuthorizeUrlAsync('', undefined, {}));
    if (typeof answer === 'string') answer = await saml(await completeSignIn(browser, answer, origin));
    if (typeof answer === 'string' && answer.includes('/autorizacion'))
      answer = await saml(await answerConsent(browser, answer, origin));
    if (typeof answer === 'string') throw new Error(`no response: ${answer}`);
    await provider.read(answer.fields);
    return browser;
  };
  const signedIn = await respond(await flow(openBrowser(origin))); // gives consent to the application and to the service provider
  return {
    'a read with an access token': get(`/rest/ciudadanos/${cid}/`, headers),
    'an access token for a session': () => browserOf(0).bearer(),
    'a cached page: /': page('/'),
    'a cached page: /ayuda': page('/ayuda'),
    'the start of a sign-in': start,
    'a sign-in by password': signIn,
    'an OpenID Connect code flow with a session': () => flow(signedIn),
    'an OpenID Connect code flow with a sign-in': () => flow(openBrowser(origin)),
    'a SAML response with a session': () => respond(signedIn),
    'a SAML response with a sign-in': () => respond(openBrowser(origin)),
  };
}

/** Signs the sample citizen in if the URL requires it. Skips the reminder to set up a second factor. */
async function completeSignIn(browser: Browser, address: string, origin: string): Promise<string> {
  const processState = new URL(address).searchParams.get('process_state');
  if (processState === null || address.includes('/autorizacion')) return address;
  const next = new URL(await browser.signIn({ processState }), origin);
  return followRedirects(browser, next.searchParams.get('redirect_uri') ?? next.href, origin);
}

function fetchFrom(address: string): typeof fetch {
  const headers = { 'x-forwarded-for': address, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0' };
  return (url, init) => fetch(url, { ...init, headers: { ...headers, ...init?.headers } });
}

/** Returns the text of the metrics. Returns an empty text while the process does not serve them. */
async function readMetrics(port: number): Promise<string> {
  return fetch(`http://localhost:${port}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  );
}

async function drainResponse(answer: Response): Promise<void> {
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
  await answer.arrayBuffer();
}
