import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import type * as client from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { command } from '../../../../src/cli/database/keys.ts';
import { StartError } from '../../../../src/server/platform/base/errors.ts';
import { samlPaths } from '../../../../src/server/trust/federation/saml/saml-constants.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { callback, configureRelyingParty, obtainTokens } from '../../support/relying-party.ts';
import { runInProcess } from '../../support/run-command.ts';
import { createProvider, obtainAssertion, type TestProvider } from '../../support/service-provider.ts';
import { placedSigningKey, placeSigningKey } from '../../support/signing-key.ts';

/** Two replicas of one portal, with separate ports. The URL of the first one is the origin of both. */
let replicas: readonly [LiveServer, LiveServer];
let postgres: TestPostgres;
let folder: string;
let env: Record<string, string>;
let application: client.Configuration;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-signing-'));
  await placeSigningKey(folder);
  postgres = await startPostgres({ tables: true });
  const port = await findFreePort();
  env = {
    DATABASE_URL: postgres.url,
    DATA_DIR: folder,
    KEYS_DIR: join(folder, 'keys'),
    BASE_URL: `http://127.0.0.1:${port}`,
  };
  const first = await startLiveServer({ ...env, PORT: String(port) });
  replicas = [first, await startLiveServer({ ...env, PORT: String(await findFreePort()) })];
  const secret = await first.register({ id: 'app', name: 'Trámites', redirectUris: [callback] });
  application = await configureRelyingParty(first.origin, 'app', secret);
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.close()));
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

// Runs a subcommand. `--` precedes the arguments, because a key id may begin with '-'.
const keys = (...words: readonly string[]) => runInProcess(command, words, env);
const file = () => join(folder, 'keys', 'signing.pem');
const reloadKeys = (...some: readonly LiveServer[]) => Promise.all(some.map(({ parts }) => parts.rereadKeys()));
/** Moves the start of the new key's waiting period into the past. */
const wait = async (seconds: number) => {
  const earlier = new Date(Date.now() - seconds * 1000).toISOString();
  await writeFile(file(), (await readFile(file(), 'utf8')).replace(/^since \S+/m, `since ${earlier}`));
};
const listSignedKids = async () => {
  const browser = openBrowser(replicas[0].origin);
  await browser.signIn();
  return browser;
};
/** RSA and P-256 keys rotate in pairs, and a bearer token names its P-256 key. Returns the id of the RSA key of that pair. */
const kidOf = (token: string) => {
  const { kid } = decodeProtectedHeader(token);
  const found = replicas
    .flatMap(({ parts }) => parts.oidc.signing.listCurrentKeys())
    .find(({ signers }) => Object.values(signers).some(({ publicJwk }) => publicJwk.kid === kid));
  return found?.kid ?? kid;
};
const readPublishedKeys = async ({ origin }: LiveServer) => {
  const { keys: found } = (await (await fetch(`${origin}/oidc/v1/jwks`)).json()) as {
    keys: readonly { kid: string; alg: string }[];
  };
  for (const alg of ['PS256', 'ES256'])
    expect(found.filter((key) => key.alg === alg)).toHaveLength(found.filter((key) => key.alg === 'RS256').length);
  return found.filter(({ alg }) => alg === 'RS256').map(({ kid }) => kid);
};
/** Returns the ID Token of a code flow, verified with the JWKS as an application does. */
async function idToken(browser: Browser): Promise<string> {
  const { origin } = replicas[0];
  const tokens = await obtainTokens(browser, application, { prompt: 'consent' });
  const jwks = createRemoteJWKSet(new URL(`${origin}/oidc/v1/jwks`));
  await jwtVerify(tokens.id_token ?? '', jwks, { issuer: origin, audience: 'app' });
  return tokens.id_token ?? '';
}
const certificates = async (path: string) => {
  const xml = await (await fetch(new URL(path, replicas[0].origin))).text();
  return [...xml.matchAll(/use="signing".*?<ds:X509Certificate>([^<]*)</g)].map(([, base64 = '']) => base64);
};
/** Signs in at a service provider. Validates the response with the metadata that the provider imported earlier. */
const readSaml = (provider: TestProvider, browser: Browser) => obtainAssertion(provider, browser, replicas[0].origin);

test('[OPER-07] new signing key is published before it signs, and the old one until its tokens end, while two replicas serve', async () => {
  const [first, second] = replicas;
  const browser = await listSignedKids();
  const [old] = await readPublishedKeys(first);
  if (old === undefined) throw new Error('no key is published');
  const before = { bearer: await browser.bearer(), idToken: await idToken(browser) };
  expect([kidOf(before.bearer), kidOf(before.idToken)]).toEqual([old, old]);

  expect(await keys('add', 'signing')).toMatchObject({ status: 0, stderr: '' });
  await reloadKeys(first, second);
  const both = await readPublishedKeys(first);
  expect(both).toHaveLength(2);
  expect([both[0], kidOf(await browser.bearer()), kidOf(await idToken(browser))]).toEqual([old, old, old]);
  expect((await keys('list')).stdout).toMatch(
    new RegExp(`^signing {2}${old} {2}signs$[^]*^signing {2}\\S+ {2}waits until`, 'm'),
  );
  expect(await keys('retire', '--', old)).toMatchObject({ status: 1, stderr: expect.stringContaining('signs now') });
  // this service provider imports the metadata during the waiting period of the new key
  const idpCert = await certificates(samlPaths.metadata);
  expect(idpCert, 'RSA and P-256 certificates of both keys').toHaveLength(4);
  const provider = await createProvider(first.origin, () => '', { options: { idpCert } });
  await first.parts.saml.providers.add(
    { id: provider.id, name: 'Servicio', scopes: ['personal_info', 'document'] },
    provider.metadata,
    new Date(),
  );
  expect(await readSaml(provider, browser)).toMatchObject({ NumeroDocumento: '45123784' });

  await wait(1);
  await reloadKeys(first); // the other replica reloads its keys within ten seconds
  const fresh = await browser.bearer();
  const [next] = await readPublishedKeys(first);
  expect([next, kidOf(fresh), kidOf(await idToken(browser))]).toEqual([both[1], both[1], both[1]]);
  for (const { parts } of replicas)
    for (const token of [before.bearer, fresh]) expect(await parts.tokens.readSessionId(token)).not.toBe(null);
  await reloadKeys(second);
  expect(second.parts.oidc.signing.listCurrentKeys()[0].kid).toBe(next);
  expect(await readSaml(provider, browser)).toMatchObject({ NumeroDocumento: '45123784' });
  const logout = new URL(`${first.origin}/oidc/v1/logout`);
  logout.searchParams.set('id_token_hint', before.idToken);
  expect((await browser.get(logout.href)).status, 'hint signed with the old key').toBeLessThan(400);

  expect(await keys('retire', '--', old)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('may be used until'),
  });
  await wait(first.parts.config.sessionLifeS + 60);
  expect(await keys('retire', '--', old)).toMatchObject({ status: 0, stdout: `${old} is retired.\n`, stderr: '' });
  await reloadKeys(first, second);
  expect(await readPublishedKeys(first)).toEqual([next]);
  for (const { parts } of replicas)
    expect([await parts.tokens.readSessionId(before.bearer), await parts.tokens.readSessionId(fresh)]).toEqual([
      null,
      expect.any(String),
    ]);
  expect(await certificates(samlPaths.metadata)).toEqual([idpCert[1], idpCert[3]]);
}, 120_000);

test('[OPER-07] audit log records each added and retired key with its operator', async () => {
  const { db } = replicas[0].parts.store;
  const rows = await db
    .selectFrom('audit')
    .select(['action', 'actor', 'details'])
    .where('action', 'like', 'key%')
    .orderBy('seq')
    .execute();
  const [key] = await readPublishedKeys(replicas[0]);
  expect(rows.map(({ action, actor, details }) => [action, actor, JSON.parse(details)])).toEqual([
    ['key-added', 'agent', { operator: expect.stringMatching(/./), use: 'signing', key }],
    [
      'key-retired',
      'agent',
      { operator: expect.stringMatching(/./), use: 'signing', key: expect.not.stringContaining(key ?? '') },
    ],
  ]);
});

test('[SEC-11] [ASVS-13.3.4] portal keys retire --compromised replaces the signing key at once, and lists the next steps', async () => {
  const [first, second] = replicas;
  const browser = await listSignedKids();
  const [lost] = await readPublishedKeys(first);
  const bearer = await browser.bearer();
  const [certificate] = await certificates(samlPaths.metadata);
  const { status, stdout } = await keys('retire', '--compromised', '--', lost ?? '');
  expect(status).toBe(0);
  expect(stdout).toContain(`${lost} is retired: it is in no JWK set, verifies nothing`);
  expect(stdout).toMatch(
    /takes its place at once[^]*Copy signing\.pem to all others[^]*applications[^]*A key is exposed/,
  );
  await reloadKeys(first, second);
  const left = await readPublishedKeys(first);
  expect(left).toHaveLength(1);
  expect(left).not.toContain(lost);
  for (const { parts } of replicas) expect(await parts.tokens.readSessionId(bearer)).toBeNull();
  expect(await certificates(samlPaths.metadata)).not.toContain(certificate);
  expect(kidOf(await browser.bearer())).toBe(left[0]);
  const { details } = await first.parts.store.db
    .selectFrom('audit')
    .select('details')
    .where('action', '=', 'key-retired')
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow();
  expect(JSON.parse(details)).toMatchObject({ use: 'signing', key: lost, compromised: 'yes' });
});

test('[SEC-11] decryption key signs nothing, can be rotated, and is published only while it is current', async () => {
  const { parts } = replicas[0];
  const { stdout } = await keys('list');
  const [, old = ''] = /^decryption {2}(\S+) {2}published$/m.exec(stdout) ?? [];
  expect(parts.oidc.signing.listCurrentKeys().map(({ kid }) => kid)).not.toContain(old);
  const before = parts.saml.decryption.credentials()[0].certificate;
  expect(parts.saml.credentials().map(({ certificate }) => certificate)).not.toContain(before);
  expect(await keys('add', 'decryption', '--wait', '0')).toMatchObject({ status: 0, stderr: '' });
  await reloadKeys(...replicas);
  expect(parts.saml.decryption.keys()).toHaveLength(2);
  expect(parts.saml.decryption.credentials()[0].certificate).not.toBe(before);
  expect(await keys('retire', '--', old)).toMatchObject({ status: 1, stderr: expect.stringContaining('until') });
  expect(await keys('retire', '--compromised', '--', old)).toMatchObject({ status: 0, stderr: '' });
  await reloadKeys(...replicas);
  expect(parts.saml.decryption.keys()).toHaveLength(1);
});

test('[OPER-07] replica with only the retired key does not start', async () => {
  const kept = await readFile(file(), 'utf8');
  await copyFile(placedSigningKey, file()); // the initial key, which has been retired
  await expect(startLiveServer({ ...env, PORT: String(await findFreePort()) })).rejects.toThrow(StartError);
  await writeFile(file(), kept);
});
