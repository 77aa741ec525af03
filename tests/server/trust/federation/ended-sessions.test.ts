import { createServer, type Server } from 'node:http';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { performAccountAction } from '../../../../src/server/features/account/account-actions.ts';
import { changePassword } from '../../../../src/server/features/password/index.ts';
import { findCitizen, type Citizen } from '../../../../src/server/trust/identity/citizens.ts';
import type { DatabaseCommand } from '../../../../src/server/trust/notices/database-commands.ts';
import { revokeOtherAccess } from '../../../../src/server/trust/sessions/revoke-other-access.ts';
import { verifyXmlSignature } from '../../../../src/server/trust/federation/saml/xml-signature.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { createOrigin } from '../../support/origin.ts';
import { callback, configureRelyingParty, obtainTokens } from '../../support/relying-party.ts';
import { createProvider, obtainAssertion, type TestProvider } from '../../support/service-provider.ts';
import { listenLocally } from '../../support/free-port.ts';

let server: LiveServer;
let receiver: Server;
let provider: TestProvider;
/** Ids of the ended sessions, as the application and the service provider received them. Each uses its own ids. */
let heard: { application: string[]; service: string[] };
/** HTTP status with which the application and the service provider respond to logout notifications. */
let status = 200;

beforeAll(async () => {
  server = await startLiveServer({ NODE_ENV: 'test', FLAGS: 'verificar_identidad=off' });
  receiver = createServer((request, response) => {
    let body = '';
    request
      .on('data', (chunk) => (body += String(chunk)))
      .on('end', () => {
        if (status !== 200) return void response.writeHead(status).end();
        if (request.url === '/soap') return void response.end(respondBySoap(body));
        heard.application.push(String(decodeJwt(new URLSearchParams(body).get('logout_token') ?? '')['sid']));
        response.end();
      });
  });
  const base = await listenLocally(receiver);
  const application = { id: 'app', name: 'App', redirectUris: [callback], backchannelLogoutUri: `${base}/back` };
  await server.register(application, 'public');
  const { saml } = server.parts;
  provider = await createProvider(server.origin, () => saml.credentials()[0].certificate);
  const metadata = provider.metadata.replace(
    /<SingleLogoutService [^>]*>/,
    `<SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:SOAP" Location="${base}/soap"/>`,
  );
  expect(metadata).toContain('bindings:SOAP');
  await saml.providers.add({ id: provider.id, name: 'Servicio', scopes: ['personal_info'] }, metadata, new Date());
});
beforeEach(async () => {
  heard = { application: [], service: [] };
  status = 200;
  const { db } = server.parts.store;
  await db.deleteFrom('broker_sessions').execute();
  await db.deleteFrom('session_ends').execute();
  await db.updateTable('citizens').set({ blocked_at: null, closing_at: null }).execute();
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await server.close();
});

/** Handles a logout request like a service provider: verifies the portal's signature and the destination. */
function respondBySoap(body: string): string {
  const [, signed = ''] = /<soap:Body>(.*)<\/soap:Body>/s.exec(body) ?? [];
  const { certificate } = server.parts.saml.credentials()[0];
  const root = verifyXmlSignature(signed, [certificate]);
  expect(root.localName).toBe('LogoutRequest');
  heard.service.push(root.getElementsByTagNameNS('*', 'SessionIndex')[0]?.textContent ?? '');
  const success = '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>';
  return `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><samlp:LogoutResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_a" Version="2.0" InResponseTo="${root.getAttribute('ID')}">${success}</samlp:LogoutResponse></e:Body></e:Envelope>`;
}

const ana = { document: '45123784', password: 'tres-tazas-de-mate' };

interface SignedInBrowser {
  readonly browser: Browser;
  readonly sid: string;
  readonly index: string;
  readonly session: string;
}

/** Signs a browser in to the application and to the service provider. */
async function enter(): Promise<SignedInBrowser> {
  const browser = openBrowser(server.origin);
  await browser.signIn(ana);
  const config = await configureRelyingParty(server.origin, 'app', '');
  const sid = String((await obtainTokens(browser, config, { scope: 'openid' })).claims()?.['sid']);
  const { sessionIndex = '' } = await obtainAssertion(provider, browser, server.origin);
  return { browser, sid, index: sessionIndex, session: String(decodeJwt(await browser.bearer())['sid']) };
}

const authorized = async (browser: Browser) => ({ authorization: `Bearer ${await browser.bearer()}` });
const cidOf = async (browser: Browser): Promise<string> => String(decodeJwt(await browser.bearer())['cid']);

/** Ends the other sessions of the account with a command, while the server runs. */
const endByCommand =
  (act: (command: DatabaseCommand, citizen: Citizen, keep: string) => Promise<unknown>) =>
  async (own: SignedInBrowser): Promise<void> => {
    const { parts } = server;
    const citizen = (await findCitizen(parts.store.db, await cidOf(own.browser))) ?? expect.fail('no citizen');
    await parts.commands.run(createOrigin(), (command) => act(command, citizen, own.session));
  };

const countWaiting = async () =>
  server.parts.store.db.selectFrom('session_ends').select(['attempts', 'told']).execute();
const listDue = async () =>
  server.parts.store.db
    .updateTable('session_ends')
    .set({ due_at: new Date(0) })
    .execute();

describe('[SEG+SESIONES SES-06] relying party and service provider of an ended session', () => {
  test.each<{ by: string; end: (own: SignedInBrowser, other: SignedInBrowser) => Promise<unknown>; both?: true }>([
    {
      by: 'a new password',
      end: endByCommand(async (command, citizen, keep) => {
        const { password_hash: passwordHash } = await command.tx
          .selectFrom('credentials')
          .select('password_hash')
          .where('citizen_id', '=', citizen.id)
          .executeTakeFirstOrThrow();
        await changePassword(command, { citizen, passwordHash, keep });
      }),
    },
    {
      by: 'revokeOtherAccess',
      end: endByCommand(({ tx, now }, { id }, keep) => revokeOtherAccess(tx, id, now, keep)),
    },
    {
      by: 'the deletion of one session',
      end: async (own, other) =>
        fetch(`${server.origin}/rest/sesiones/${other.session}/`, {
          method: 'DELETE',
          headers: await authorized(own.browser),
        }),
    },
    {
      by: 'the end of all other sessions',
      end: async (own) => own.browser.post('/rest/sesiones/cerrar_otras/', {}, await authorized(own.browser)),
    },
    {
      by: 'the closure of the account',
      both: true,
      end: async (own) => {
        await own.browser.post(
          `/rest/ciudadanos/${await cidOf(own.browser)}/cerrar_cuenta/`,
          { confirmacion: 'CERRAR' },
          await authorized(own.browser),
        );
      },
    },
    {
      by: 'a block of the account',
      both: true,
      end: () =>
        performAccountAction(server.parts, {
          act: 'block',
          document: { country: 'uy', type: 'ci', number: ana.document },
          reason: 'x',
          operator: 'y',
        }),
    },
  ])('are notified once each after $by', async ({ end, both }) => {
    const own = await enter();
    const other = await enter();
    await end(own, other);
    await server.parts.notifyEnds();
    const ended = both ? [own, other] : [other];
    await expect
      .poll(() => [heard.application.length, heard.service.length], { timeout: 10_000 })
      .toEqual([ended.length, ended.length]);
    expect(heard.application.toSorted()).toEqual(ended.map(({ sid }) => sid).toSorted());
    expect(heard.service.toSorted()).toEqual(ended.map(({ index }) => index).toSorted());
    await expect.poll(countWaiting, { timeout: 10_000 }).toEqual([]);
  });
});

describe('[SEG+SESIONES OPER-04] logout notification of an unreachable application', () => {
  test('is sent later, and only once by parallel workers', async () => {
    const own = await enter();
    const other = await enter();
    status = 503;
    await endByCommand(({ tx, now }, { id }, keep) => revokeOtherAccess(tx, id, now, keep))(own);
    expect((await server.parts.notifyEnds()).toSorted()).toEqual(['App', 'Servicio']);
    expect(await server.parts.notifyEnds(), 'not due yet').toEqual([]);
    expect(await countWaiting()).toEqual([{ attempts: 1, told: '[]' }]);
    status = 200;
    await listDue();
    await Promise.all([server.parts.notifyEnds(), server.parts.notifyEnds()]);
    expect(heard).toEqual({ application: [other.sid], service: [other.index] });
    expect(await countWaiting()).toEqual([]);
  });

  test('is sent by notifyEnds after the transaction that ended the session, and not within it', async () => {
    const own = await enter();
    const other = await enter();
    await endByCommand(({ tx, now }, { id }, keep) => revokeOtherAccess(tx, id, now, keep))(own);
    expect(heard.application, 'nothing is sent within the transaction').toEqual([]);
    await server.parts.notifyEnds();
    expect(heard.application).toEqual([other.sid]);
  });

  test('is given up after twenty attempts', async () => {
    const own = await enter();
    await enter();
    status = 500;
    await endByCommand(({ tx, now }, { id }, keep) => revokeOtherAccess(tx, id, now, keep))(own);
    await server.parts.store.db.updateTable('session_ends').set({ attempts: 19 }).execute();
    await server.parts.notifyEnds();
    expect(await countWaiting()).toEqual([]);
  });

  test('is not sent if the transaction is rolled back, or if the citizen signs in again in the same browser', async () => {
    const own = await enter();
    const other = await enter();
    const failing = endByCommand(async ({ tx, now }, { id }, keep) => {
      await revokeOtherAccess(tx, id, now, keep);
      throw new Error('it was not to be');
    });
    await expect(failing(own)).rejects.toThrow('it was not to be');
    await other.browser.signIn(ana);
    await server.parts.notifyEnds();
    expect(heard).toEqual({ application: [], service: [] });
  });
});
