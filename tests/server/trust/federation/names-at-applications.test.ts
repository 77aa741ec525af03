import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../../support/browser.ts';
import { findFreePort } from '../../support/free-port.ts';
import {
  createAbitabEntry,
  createBrazilEntry,
  writeProvidersFile,
  startIssuer,
  type TestIssuer,
} from '../../support/test-issuer.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { callback, configureRelyingParty, obtainTokens } from '../../support/relying-party.ts';
import { createSamlProvider } from '../../support/saml-identity-provider.ts';
import { obtainAssertion, registerProvider, type TestProvider } from '../../support/service-provider.ts';

const document = { country: 'br', type: 'cpf', number: '12345678909' };

describe('[SES-11 FED-01] accounts with the same document from different sources', () => {
  let server: LiveServer;
  let issuer: TestIssuer;
  let provider: TestProvider;
  beforeAll(async () => {
    issuer = await startIssuer(await findFreePort());
    server = await startLiveServer({
      NODE_ENV: 'test',
      IDPS_FILE: writeProvidersFile([
        createBrazilEntry(issuer.origin),
        createBrazilEntry(`${issuer.origin}/py`, {
          identificador: 'py',
          nombre: 'Paraguay',
          claims: { country: 'br', type: 'cpf', number: { var: 'cpf' }, firstName: { var: 'name' } },
        }),
      ]),
    });
    await server.register({ id: 'app', name: 'App', redirectUris: [callback] }, 'public');
    provider = await registerProvider(server);
    const { db } = server.parts.store;
    const names = { first_name: 'Ana', second_name: '', first_surname: 'Pereira', second_surname: '' };
    await db
      .updateTable('citizens')
      .set({ ...document, ...names, email: 'ana@example.com' })
      .where('number', '=', '45123784')
      .execute();
  });
  afterAll(async () => {
    await server.close();
    await issuer.close();
  });

  /** Signs a user in through an identity provider. Returns the user's subject at each kind of application. */
  async function namesOf(idp: string | null, sub: string): Promise<Record<string, unknown>> {
    const browser = openBrowser(server.origin);
    if (idp === null) {
      const answer = await browser.post('/auth/login', {
        challenge: 'username',
        data_challenge: { username: document.number, pais_emisor: document.country, tipo_documento: document.type },
        extra: { agnt: null, process_state: null },
      });
      const { token } = await answer.json();
      await browser.post('/auth/login', {
        challenge: 'urn:iduruguay:am:password',
        data_challenge: { password: 'tres-tazas-de-mate' },
        extra: null,
        token,
      });
    } else {
      issuer.claims = { sub, name: 'João Souza', cpf: document.number, acr: 'gold' };
      const asked = await browser.get(`/auth/idp-login?idp=${idp}`);
      await browser.get(issuer.authorizationResponse(asked.headers.get('location') ?? ''));
    }
    const tokens = await obtainTokens(browser, await configureRelyingParty(server.origin, 'app', ''));
    const info = await fetch(`${server.origin}/oidc/v1/userinfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    const profile = await obtainAssertion(provider, browser, server.origin);
    return { sub: tokens.claims()?.sub, ...(await info.json()), nameId: profile.nameID, attribute: profile['uid'] };
  }

  test('have different subjects, uids and NameIDs at applications, the same at each sign-in', async () => {
    const account = await namesOf(null, '');
    const others = [await namesOf('br', 'a-1'), await namesOf('br', 'a-2'), await namesOf('py', 'a-1')];
    expect(account).toMatchObject({
      uid: 'br-cpf-12345678909',
      nameId: 'br-cpf-12345678909',
      attribute: 'br-cpf-12345678909',
    });
    for (const name of ['sub', 'uid', 'nameId', 'attribute'])
      expect(new Set([account, ...others].map((names) => names[name])).size, name).toBe(4);
    for (const { uid, nameId, attribute } of others) expect([nameId, attribute]).toEqual([uid, uid]);
    expect((await namesOf('br', 'a-1'))['uid'], 'the same uid at each sign-in').toBe(others[0]?.['uid']);
  });
});

const started = (entries: readonly object[], env: Record<string, string> = {}): Promise<string> =>
  startLiveServer({ NODE_ENV: 'test', IDPS_FILE: writeProvidersFile(entries), ...env }).then(
    async (server) => {
      await server.close();
      return 'it started';
    },
    (error: unknown) => String(error),
  );

test('[SES-03 FED-02] server start rejects a BROKER_URL on another host than BASE_URL if there are identity providers', async () => {
  const apart = {
    BASE_URL: 'https://mi.example.uy',
    MALWARE_SCANNER: 'none',
    BROKER_URL: 'https://entrar.example.uy',
    SMTP_URL: 'smtp://127.0.0.1:9',
  };
  const own = { ...apart, SAMPLE_DATA: 'off' };
  const entry = [createBrazilEntry('https://idp.example')];
  expect(await started(entry, own)).toMatch(
    /BROKER_URL .* is another host than BASE_URL .*: br\. Leave BROKER_URL empty/,
  );
  expect(await started([], own)).toBe('it started');
  expect(await started(entry, { ...own, BROKER_URL: 'https://mi.example.uy:8443' })).toBe('it started');
});

describe('[FED-02 FED-03] two entries of IDPS_FILE for one provider', () => {
  test('are rejected at the server start if they have the same issuer', async () => {
    const twice = [
      createBrazilEntry('https://idp.example'),
      createBrazilEntry('https://idp.example/', { identificador: 'py' }),
    ];
    expect(await started(twice)).toMatch(/br and py of IDPS_FILE are one provider: both are https:\/\/idp\.example/);
  });

  test('are rejected at the server start if they have the same entityID', async () => {
    const entry = async (identificador: string, entityId: string): Promise<object> => {
      const metadata = join(tmpdir(), `idp-${identificador}-${process.pid}.xml`);
      writeFileSync(metadata, (await createSamlProvider(entityId)).metadata);
      return { ...createBrazilEntry(''), oidc: undefined, identificador, saml: { metadata } };
    };
    const first = await entry('br', 'https://idp.example/metadata');
    expect(await started([first, await entry('py', 'https://idp.example/metadata')])).toMatch(/br and py of IDPS_FILE/);
    expect(
      await started([
        first,
        await entry('py', 'https://py.example/metadata'),
        createAbitabEntry('https://idp.example'),
      ]),
    ).toBe('it started');
  });
});
