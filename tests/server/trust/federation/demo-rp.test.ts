import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { command } from '../../../../src/cli/database/application-client.ts';
import { startRelyingParty } from '../../../../src/demo/sample-applications.ts';
import { listSampleClients } from '../../../../src/server/app/import-samples.ts';
import { loadFixedClients } from '../../../../src/server/trust/federation/clients/client-store.ts';
import { validateClientMetadata } from '../../../../src/server/trust/federation/oidc/provider-configuration.ts';

import { generateSamlCredential } from '../../../../src/server/trust/federation/saml/open-saml.ts';
import { signXmlElement } from '../../../../src/server/trust/federation/saml/xml-signature.ts';
import { startPostgres } from '../../support/postgres.ts';
import { runInProcess } from '../../support/run-command.ts';
import { openBrowser } from '../../support/browser.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { followRedirects, completeAuthorization } from '../../support/relying-party.ts';

describe('sample relying party', () => {
  let server: LiveServer;
  let origin: string;
  let rp: { close: () => Promise<void> };
  beforeAll(async () => {
    server = await startLiveServer();
    origin = `http://127.0.0.1:${await findFreePort()}`;
    await server.register(
      {
        id: 'sample',
        name: 'Sample',
        redirectUris: [`${origin}/callback`],
        postLogoutRedirectUris: [`${origin}/`],
        backchannelLogoutUri: `${origin}/backchannel-logout`,
        frontchannelLogoutUri: `${origin}/frontchannel-logout`,
      },
      'public',
    );
    rp = await startRelyingParty({ issuer: server.origin, origin, clientId: 'sample' });
  });
  afterAll(async () => {
    await rp.close();
    await server.close();
  });

  test('[SES-08] shows the claims of a signed-in citizen, and signs out when the portal does', async () => {
    const portal = openBrowser(server.origin);
    await portal.signIn();
    const app = openBrowser(origin);
    const begun = (await app.get('/login')).headers.get('location') ?? '';
    const back = await completeAuthorization(portal, begun, server.origin);
    expect((await app.get(back)).headers.get('location')).toBe('/');
    const shown = async () => (await app.get('/')).text();
    expect(await shown()).toContain('uy-ci-45123784');
    const step = (await app.get('/step-up')).headers.get('location') ?? '';
    expect(await followRedirects(portal, step, server.origin)).toContain('/login?process_state=');
    const { unreachable, logout_urls } = await (await portal.post('/auth/logout', {})).json();
    expect(unreachable).toEqual([]);
    expect(logout_urls).toEqual([expect.stringContaining(`${origin}/frontchannel-logout?iss=`)]);
    expect(await shown()).toContain('Nobody is signed in');
  });

  test('[SES-08] is registered with sample data, and not without', async () => {
    expect((await server.parts.oidc.clients.find('demo-rp'))?.registration.redirectUris).toEqual([
      'http://127.0.0.1:4000/callback',
    ]);
    expect(await listSampleClients({ sampleData: false })).toEqual([]);
  });
});

describe('loadFixedClients', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-clients-'));
  const file = join(folder, 'clients.json');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const good = { id: 'from-file', name: 'A', redirectUris: ['https://a.example/cb'], scopes: ['email'] };

  test('[SES-08] reads applications and their secrets from CLIENTS_FILE', async () => {
    writeFileSync(file, JSON.stringify([{ ...good, secret: 'sixteen-characters' }]));
    expect(await loadFixedClients(file, [], validateClientMetadata)).toEqual([
      { registration: good, secret: 'sixteen-characters' },
    ]);
  });

  test.each([
    ['invalid JSON', '[', /CLIENTS_FILE .* cannot be used/],
    ['an object instead of a list', '{}', /it must hold a list/],
    ['a short secret', JSON.stringify([{ ...good, secret: 'x' }]), /at least 16/],
    ['an unknown property', JSON.stringify([{ ...good, redirects: [] }]), /redirects/],
    ['no redirect URI', JSON.stringify([{ id: 'a', name: 'A', redirectUris: [] }]), /redirectUris/],
    ['a javascript URL as website', JSON.stringify([{ ...good, website: 'javascript:alert(1)' }]), /website/],
  ])('[SES-08] rejects a file with %s', async (_note, text, problem) => {
    writeFileSync(file, text);
    await expect(loadFixedClients(file, [], validateClientMetadata)).rejects.toThrow(problem);
  });

  const native = ['uy.ejemplo.app:/callback'];
  type InvalidClient = [note: string, given: Record<string, unknown>, problem: string];
  test.each<InvalidClient>([
    ['a secret with an accent', { secret: 'contraseña-del-cliente-0123456789' }, 'secret'],
    ['a javascript scheme with two slashes', { redirectUris: ['javascript://a.example/%0aalert(1)'] }, 'redirectUris'],
    ['a javascript scheme with one slash', { redirectUris: ['javascript:/%0aalert(1)'] }, 'redirectUris'],
    ['a data scheme', { redirectUris: ['data://text/html,x'] }, 'redirectUris'],
    ['an ftp scheme', { redirectUris: ['ftp://a.example/cb'] }, 'redirectUris'],
    ['a private scheme without a dot', { redirectUris: ['miapp:/cb'] }, 'redirectUris'],
    ['a private scheme without a slash', { redirectUris: ['uy.ejemplo.app:cb'] }, 'redirectUris'],
    ['a URL without slashes', { redirectUris: ['https:evil'] }, 'redirectUris'],
    ['a URL with three slashes', { redirectUris: ['https:///evil'] }, 'redirectUris'],
    ['a URL without a host', { redirectUris: ['https://'] }, 'redirectUris'],
    ['a URL with an invalid port', { redirectUris: ['https://a.example:port/cb'] }, 'redirectUris'],
    ['a URL with a user name', { redirectUris: ['https://a.example@evil.example/cb'] }, 'redirectUris'],
    ['a URL with a fragment', { redirectUris: ['https://a.example/#/cb'] }, 'redirectUris'],
    [
      'a post-logout URI with a fragment',
      { postLogoutRedirectUris: ['https://a.example/#/bye'] },
      'postLogoutRedirectUris',
    ],
    ['a private post-logout scheme for web', { postLogoutRedirectUris: native }, 'postLogoutRedirectUris'],
    ['a remote http redirect URI, native', { redirectUris: [...native, 'http://a.example/cb'] }, 'redirectUris'],
    ['an https localhost URI, native', { redirectUris: [...native, 'https://localhost/cb'] }, 'redirectUris'],
    [
      'a remote http post-logout URI, native',
      { redirectUris: native, postLogoutRedirectUris: ['http://a.example/'] },
      'postLogoutRedirectUris',
    ],
    ...['website', 'terms', 'privacy', 'logo', 'issuer', 'backchannelLogoutUri', 'frontchannelLogoutUri'].flatMap(
      (field) =>
        ['https:evil', 'https:///evil', 'https://', 'javascript:alert(1)'].map((value): InvalidClient => [
          `${field} ${value}`,
          { [field]: value },
          field,
        ]),
    ),
  ])('[SES-08] names the application and the field in the error for %s', async (_note, given, problem) => {
    writeFileSync(file, JSON.stringify([good, { ...good, id: 'wrong', ...given }]));
    await expect(loadFixedClients(file, [], validateClientMetadata)).rejects.toThrow(
      new RegExp(`wrong: ${problem}.* must `),
    );
  });

  test('[SES-08] lists the errors of all applications at once', async () => {
    const wrong = (id: string) => ({ ...good, id, redirectUris: ['https:evil'] });
    writeFileSync(file, JSON.stringify([wrong('one'), good, wrong('two'), { name: 'no id' }]));
    await expect(loadFixedClients(file, [], validateClientMetadata)).rejects.toThrow(/one: .*two: .*client 4: /s);
  });

  test('[SES-08] accepts private schemes, loopback addresses, international host names and special characters in secrets', async () => {
    const list = [
      good,
      { ...good, id: 'claimed', redirectUris: ['uy.ejemplo.app://callback', 'https://a.example/cb'] },
      { ...good, id: 'one-slash', redirectUris: native, postLogoutRedirectUris: ['uy.ejemplo.app:/bye'] },
      { ...good, id: 'old-scheme', redirectUris: ['miapp://callback'] },
      { ...good, id: 'loopback', redirectUris: ['http://127.0.0.1/cb', 'http://[::1]/cb'] },
      { ...good, id: 'letters', redirectUris: ['https://ñandú.ejemplo.uy/cb?a=b'], website: 'https://ñandú.uy/' },
      { ...good, id: 'signs', secret: 's%cr+t/n:con espacio-largo-0123456789' },
    ];
    writeFileSync(file, JSON.stringify(list));
    expect(
      (await loadFixedClients(file, [], validateClientMetadata)).map(({ registration }) => registration.id),
    ).toEqual(list.map(({ id }) => id));
  });
});

describe('portal client', { timeout: 60_000 }, () => {
  const data = mkdtempSync(join(tmpdir(), 'portal-client-cli-'));
  afterAll(() => rmSync(data, { recursive: true, force: true }));
  let database = '';
  beforeAll(async () => {
    const postgres = await startPostgres({ tables: true });
    database = postgres.url;
    return postgres.stop;
  });
  const run = (...parameters: string[]) =>
    runInProcess(command, parameters, { DATABASE_URL: database, DATA_DIR: data, BASE_URL: 'http://localhost:3000' });

  test('[SES-08] adds, lists and removes applications, and shows a secret once', async () => {
    const added = await run(
      'add',
      '--id',
      'mine',
      '--name',
      'Mine',
      '--redirect',
      'https://a.example/cb',
      '--scope',
      'email',
      '--profile',
      'specification',
      '--legacy',
      '--legacy-until',
      '2099-12-31',
    );
    expect(added).toMatchObject({ status: 0, stderr: '' });
    expect(added.stdout).toMatch(/^mine is registered\. Its secret, which is shown only now: [\w-]{43}\n$/);
    expect((await run('list')).stdout).toContain(
      'mine  Mine  https://a.example/cb  (specification, legacy until 2099-12-31)',
    );
    expect(await run('remove', 'mine')).toMatchObject({ status: 0 });

    const [jwks, key] = [join(data, 'jwks.json'), { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }];
    writeFileSync(jwks, JSON.stringify({ keys: [key] }));
    const own = ['--name', 'Keys', '--redirect', 'https://a.example/cb', '--scope', 'email'];
    const weak = await run('add', '--id', 'keys', ...own);
    expect(weak.stderr, 'fapi2 by default').toContain('tokenEndpointAuthMethod is required');
    const keyed = await run('add', '--id', 'keys', ...own, '--auth', 'private_key_jwt', '--jwks', jwks);
    expect(keyed.stdout).toBe('keys is registered. It authenticates itself with its keys.\n');
    expect((await run('list')).stdout).toContain('keys  Keys  https://a.example/cb  (fapi2)');
    expect(await run('remove', 'keys')).toMatchObject({ status: 0 });
    expect(await run('remove', 'mine')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('No application mine'),
    });
  });

  test('[FED-01] adds a SAML service provider from its metadata, and explains why it rejects invalid metadata', async () => {
    const file = join(data, 'sp.xml');
    const metadata = (location: string) =>
      `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://sp.example/m"><md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:AssertionConsumerService index="0" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${location}"/></md:SPSSODescriptor></md:EntityDescriptor>`;
    const add = (id = 'sp') => run('add-saml', '--id', id, '--name', 'Trámites', '--metadata', file);
    writeFileSync(file, metadata('javascript:alert(1)'));
    expect(await add()).toMatchObject({ status: 1, stderr: expect.stringContaining('no address of https') });
    writeFileSync(file, metadata('https://sp.example/acs'));
    expect((await add()).stdout).toContain(
      'sp is registered: https://sp.example/m; answers go to https://sp.example/acs',
    );
    expect(await add('otro')).toMatchObject({ status: 1, stderr: expect.stringContaining('is registered as sp') });
    expect((await run('list')).stdout).toContain('sp  Trámites  https://sp.example/m  (SAML)');
    expect(await run('remove', 'sp')).toMatchObject({ status: 0 });
  });

  test('[SEC-07] adds a service provider with profile saml2int, using the name and links in its metadata', async () => {
    const federation = await generateSamlCredential('federacion.example');
    const [file, signer] = [join(data, 'saml2int.xml'), join(data, 'federation.pem')];
    const base64 = (await generateSamlCredential('sp')).certificate.replace(/-----[A-Z ]+-----|\s/g, '');
    const logo = '<u:Logo height="1" width="1">https://127.0.0.1:1/l.png</u:Logo>';
    const publish = (until: number) =>
      signXmlElement(
        `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" ID="_m" validUntil="${new Date(Date.now() + until).toISOString()}" entityID="https://fed.example/m"><md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:Extensions><u:UIInfo xmlns:u="urn:oasis:names:tc:SAML:metadata:ui"><u:DisplayName xml:lang="es">Trámites federados</u:DisplayName>${logo}<u:PrivacyStatementURL xml:lang="es">https://fed.example/p</u:PrivacyStatementURL></u:UIInfo></md:Extensions><md:KeyDescriptor use="encryption"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:AssertionConsumerService index="0" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://fed.example/acs"/></md:SPSSODescriptor></md:EntityDescriptor>`,
        { id: '_m', hasIssuer: false },
        federation,
      );
    writeFileSync(signer, federation.certificate);
    writeFileSync(file, await publish(3_600_000));
    const add = (...more: string[]) =>
      run('add-saml', '--id', 'fed', '--profile', 'saml2int', '--metadata', file, ...more);
    expect(await add()).toMatchObject({ status: 2, stderr: expect.stringContaining('requires metadata from a URL') });
    expect(await add('--sha1', '--metadata-certificate', signer)).toMatchObject({ status: 2 });
    const added = await add('--metadata-certificate', signer, '--alg', 'ES256');
    expect(added).toMatchObject({ status: 0, stderr: '' });
    expect(added.stdout).toContain('fed is registered: https://fed.example/m');
    expect(added.stdout).toContain('its requests may be unsigned; assertions are encrypted');
    expect(added.stdout).toContain('warning: saml2int requires more of its metadata: technical contact');
    expect(added.stdout, 'the invalid logo is omitted').toContain('warning: The logo at https://127.0.0.1:1/l.png');
    expect((await run('list')).stdout).toContain('fed  Trámites federados  https://fed.example/m  (SAML, saml2int)');
    writeFileSync(file, await publish(-600_000));
    expect(await add('--metadata-certificate', signer)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('out of date'),
    });
    expect(await run('remove', 'fed')).toMatchObject({ status: 0 });
  });

  test.each([
    ['no subcommand', [], 'Usage:'],
    ['an unknown option', ['add', '--colour', 'red'], '--colour'],
    ['no name', ['add', '--id', 'x', '--redirect', 'https://a.example/'], 'name'],
  ])('[SES-08] exits with status 2 and an explanation for %s', async (_note, parameters, says) => {
    expect(await run(...parameters)).toMatchObject({ status: 2, stderr: expect.stringContaining(says) });
  });

  test('[SES-08] does not open an embedded database that a server has locked', async () => {
    const stat = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ')[19] ?? '-';
    writeFileSync(join(data, 'database.lock'), `${process.pid} ${stat}\n`);
    const embedded = { DATABASE_URL: '', DATA_DIR: data, BASE_URL: 'http://localhost:3000' };
    expect(await runInProcess(command, ['list'], embedded)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is in use by process'),
    });
  });
});
