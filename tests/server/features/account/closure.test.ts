import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as client from 'openid-client';
import { portalConstants } from '../../../../src/contract/constants.ts';
import { proofingPagePath } from '../../../../src/contract/page-paths.ts';
import type { Caller } from '../../../../src/server/platform/base/operation-request.ts';
import { saveForeignCitizen } from '../../../../src/server/trust/federation/upstream/provider-identities.ts';
import type { UpstreamUser } from '../../../../src/server/trust/federation/upstream/upstream-adapter.ts';
import { purgeExpiredData } from '../../../../src/server/app/purge-expired-data.ts';
import closing from '../../../../schemas/seguridad-cierre-pedir/ui.json' with { type: 'json' };
import { openBrowser as openHttpBrowser } from '../../support/browser.ts';
import { createActiveCitizen, createForeignRegistration, readMailedLink } from '../../support/citizen-data.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import {
  beginFlow,
  callback,
  finishFlow,
  followRedirects,
  configureRelyingParty,
  completeAuthorization,
} from '../../support/relying-party.ts';
import { openBrowser, setUpTotp, signInCitizen, steps } from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const password = 'la-frase-correcta';
const day = 24 * 60 * 60;

describe.each([defaultDatabase])('[SEG+CIERRE] account closure, on %s', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ database });
  });
  afterAll(() => server.close());

  const prove = (caller: Caller) =>
    server.parts.store.db
      .updateTable('broker_sessions')
      .set({ verified_at: server.clock.now() })
      .where('id', '=', caller.sessionId)
      .execute();
  const close = (caller: Caller) =>
    server.call('closeAccount', { caller, params: { id: caller.citizenId }, body: { confirmacion: 'CERRAR' } });
  const closed = async (number: string) => {
    const id = await createActiveCitizen(server, number, password);
    const { caller, browser } = await signInCitizen(server, number, password);
    await prove(caller);
    return { id, caller, browser, body: (await close(caller)).body };
  };
  const exists = async (id: string) =>
    (await server.parts.store.db.selectFrom('citizens').select('id').where('id', '=', id).executeTakeFirst()) !==
    undefined;
  const subjects = async (to: string) =>
    (await server.mails()).filter(({ recipient }) => recipient === to).map(({ subject }) => subject);

  test('requires a fresh identity proof', async () => {
    await createActiveCitizen(server, 'PROOF1', password);
    const { caller } = await signInCitizen(server, 'PROOF1', password);
    await expect(close(caller)).rejects.toMatchObject({
      status: 403,
      next: expect.stringContaining('next=%2Fseguridad%2Fcerrar-cuenta'),
    });
    expect((await server.call('getClosure', { caller })).body).toEqual({ fecha: null, dia: null });
  });

  test('sets the closing date, ends sessions and consents, and mails the date', async () => {
    const id = await createActiveCitizen(server, 'CLOSE1', password);
    const [own, other] = [
      await signInCitizen(server, 'CLOSE1', password),
      await signInCitizen(server, 'CLOSE1', password),
    ];
    await server.parts.store.db
      .insertInto('consents')
      .values({
        id: 'c1',
        citizen_id: id,
        client_id: 'app',
        scopes: 'openid',
        texts_version: 1,
        given_at: server.clock.now(),
      })
      .execute();
    await prove(own.caller);
    const { fecha, dia } = (await close(own.caller)).body;
    expect(new Date(fecha ?? 0).getTime() - server.clock.now().getTime()).toBe(
      portalConstants.closureGraceDays * day * 1000,
    );
    expect([await own.browser.caller(), await other.browser.caller()]).toEqual([null, null]);
    expect(
      await server.parts.store.db.selectFrom('consents').select('id').where('citizen_id', '=', id).execute(),
    ).toEqual([]);
    const mail = (await server.mails()).findLast(({ recipient }) => recipient === 'close1@example.com');
    expect(mail?.subject).toBe('Pediste cerrar tu cuenta de Usuario digital');
    expect(mail?.text).toContain(dia ?? 'no day');
  });

  test('a sign-in during the grace period asks whether to keep the account, and keepAccount cancels the closure', async () => {
    const { id } = await closed('KEEP1');
    const browser = openBrowser(server);
    await browser.start('KEEP1', { redirect_url: '/seguridad', agnt: null, process_state: null });
    const { body } = await browser.answer(steps.password, { password });
    expect(body.location).toBe('/seguridad/cerrar-cuenta/conservar?next=%2Fseguridad');
    const caller = (await browser.caller()) ?? expect.fail('not signed in');
    expect((await server.call('getClosure', { caller })).body.dia).toMatch(/^[a-záé]+ \d+ de [a-z]+, \d\d:\d\d$/);
    await server.call('keepAccount', { caller, params: { id } });
    expect((await server.call('getClosure', { caller })).body).toEqual({ fecha: null, dia: null });
    expect(await subjects('keep1@example.com')).toContain('Tu cuenta de Usuario digital se conserva');
    server.clock.advance(31 * day);
    await purgeExpiredData(server.parts, server.clock.now());
    expect(await exists(id)).toBe(true);
  });

  test('keepAccount does nothing without a pending closure, and a second request does not postpone the date', async () => {
    const id = await createActiveCitizen(server, 'KEEP2', password);
    const { caller } = await signInCitizen(server, 'KEEP2', password);
    const before = (await subjects('keep2@example.com')).length;
    await server.call('keepAccount', { caller, params: { id } });
    expect(await subjects('keep2@example.com')).toHaveLength(before);
    await prove(caller);
    await close(caller);
    const { fecha } = (await server.call('getClosure', { caller })).body;
    server.clock.advance(day);
    const again = await signInCitizen(server, 'KEEP2', password);
    await prove(again.caller);
    await expect(close(again.caller)).rejects.toMatchObject({ status: 409, code: 'cierre_ya_pedido' });
    expect((await server.call('getClosure', { caller })).body.fecha).toBe(fecha);
  });

  test('a "No fui yo" link cancels the closure', async () => {
    const { id } = await closed('UNDO1');
    const mail = (await server.mails()).findLast(({ recipient }) => recipient === 'undo1@example.com');
    const uuid =
      new URL(/https?:\/\/\S+uuid=\S+/.exec(mail?.text ?? '')?.[0] ?? 'http://none').searchParams.get('uuid') ?? '';
    await server.call('disavow', { body: { uuid } });
    server.clock.advance(31 * day);
    await purgeExpiredData(server.parts, server.clock.now());
    expect(await exists(id)).toBe(true);
  });

  test('the purge deletes the account on the closing date, and a blocked one only after it is unblocked', async () => {
    const [due, blocked] = [await closed('DUE1'), await closed('DUE2')];
    const block = (at: Date | null) =>
      server.parts.store.db.updateTable('citizens').set({ blocked_at: at }).where('id', '=', blocked.id).execute();
    await block(server.clock.now());
    server.clock.advance(30 * day - 1);
    await purgeExpiredData(server.parts, server.clock.now());
    expect([await exists(due.id), await exists(blocked.id)]).toEqual([true, true]);
    server.clock.advance(1);
    await purgeExpiredData(server.parts, server.clock.now());
    expect([await exists(due.id), await exists(blocked.id)]).toEqual([false, true]);
    await block(null);
    await purgeExpiredData(server.parts, server.clock.now());
    expect(await exists(blocked.id)).toBe(false);
  });

  test('[FED-02] the purge deletes a foreign record that was unused for a year, unless it is blocked', async () => {
    const come = (subject: string) =>
      server.parts.store.transaction((tx) =>
        saveForeignCitizen(
          tx,
          {
            provider: 'ar',
            issuer: 'https://ar.example',
            subject,
            document: { country: 'ar', type: 'dni', number: `1234567890${subject}` },
            person: { firstName: 'María', secondName: '', firstSurname: 'Lima', secondSurname: '' },
          } as UpstreamUser, // a partial fake: only these fields are stored
          server.clock.now(),
        ),
      );
    const [unused, used, blocked] = [await come('1'), await come('2'), await come('3')];
    await server.parts.store.db
      .updateTable('citizens')
      .set({ blocked_at: server.clock.now() })
      .where('id', '=', blocked)
      .execute();
    server.clock.advance(300 * day);
    expect(await come('2')).toBe(used);
    await purgeExpiredData(server.parts, server.clock.now());
    expect(await Promise.all([unused, used, blocked].map(exists))).toEqual([true, true, true]);
    server.clock.advance(66 * day);
    await purgeExpiredData(server.parts, server.clock.now());
    expect(await Promise.all([unused, used, blocked].map(exists))).toEqual([false, true, true]);
    expect(await findTraces(server, unused)).toEqual([expect.objectContaining({ table: 'audit' })]);
  });

  test('the purge leaves the id only in the audit log, and document and address nowhere; the document can register again', async () => {
    const id = await createActiveCitizen(server, 'GONE1X', password);
    const first = await signInCitizen(server, 'GONE1X', password);
    await setUpTotp(server, first.caller);
    const present = (await first.browser.caller()) ?? expect.fail('signed out');
    await server.parts.store.db
      .insertInto('email_changes')
      .values({ citizen_id: id, email: 'gone1x.nueva@example.com', requested_at: server.clock.now() })
      .execute();
    await openBrowser(server).start('GONE1X');
    await prove(present);
    await close(present);
    server.clock.advance(30 * day);
    await purgeExpiredData(server.parts, server.clock.now());
    expect((await findTraces(server, id)).map(({ table }) => table)).toEqual(['audit']);
    expect(await findTraces(server, 'gone1x')).toEqual([]);
    const actions = await server.parts.store.db
      .selectFrom('audit')
      .select('action')
      .where('citizen_id', '=', id)
      .orderBy('seq', 'desc')
      .execute();
    expect(actions[0]).toEqual({ action: 'account-deleted' });
    expect(await server.auditFaults()).toEqual([]);
    await server.call('registerCitizen', {
      body: await createForeignRegistration(server, 'GONE1X', { email: 'gone1x@example.com', password }),
    });
    await server.call('activateAccount', { body: { uuid: await readMailedLink(server, 'gone1x@example.com') } });
    expect((await signInCitizen(server, 'GONE1X', password)).caller.citizenId).not.toBe(id);
  });

  test("the purge deletes the account's mails, and keeps those of another account with the same address", async () => {
    const { id } = await closed('SHARE1');
    await server.call('registerCitizen', {
      body: await createForeignRegistration(server, 'SHARE2', { email: 'share1@example.com', password }),
    });
    await server.call('activateAccount', { body: { uuid: await readMailedLink(server, 'share1@example.com') } });
    server.clock.advance(30 * day);
    await server.parts.store.db
      .updateTable('outbox')
      .set({ created_at: server.clock.now() })
      .where('recipient', '=', 'share1@example.com')
      .execute();
    await purgeExpiredData(server.parts, server.clock.now());
    expect(await exists(id)).toBe(false);
    expect(await subjects('share1@example.com')).toEqual(['Activá tu cuenta de Usuario digital']);
  });
});

/** Finds rows of any table that contain a text, ignoring case. */
async function findTraces(server: TestServer, text: string): Promise<{ table: string; row: string }[]> {
  const tables = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(server.parts.store.db);
  const found = await Promise.all(
    tables.rows.map(async ({ name }) => {
      const { rows } = await sql<{
        row: string;
      }>`select t::text as row from ${sql.table(name)} t where t::text ilike ${`%${text}%`} limit 1`.execute(
        server.parts.store.db,
      );
      return rows.map(({ row }) => ({ table: name, row }));
    }),
  );
  return found.flat();
}

test('[SEG+CIERRE] the screen that closes an account names the length of the grace period', () => {
  expect(JSON.stringify(closing.intro)).toContain(`Tenés ${portalConstants.closureGraceDays} días`);
});

describe('[SEG+CIERRE] sign-in at an application', () => {
  let server: LiveServer;
  let config: client.Configuration;
  beforeAll(async () => {
    server = await startLiveServer();
    config = await configureRelyingParty(
      server.origin,
      'app',
      await server.register({ id: 'app', name: 'App', redirectUris: [callback] }),
    );
  });
  afterAll(() => server.close());
  const closeAna = (at: Date | null) =>
    server.parts.store.db.updateTable('citizens').set({ closing_at: at }).where('number', '=', '45123784').execute();

  test('stops at the question whether to keep a closing account, with or without a session, then continues', async () => {
    const browser = openHttpBrowser(server.origin);
    await closeAna(new Date(Date.now() + day * 1000));
    const request = await beginFlow(config);
    const login = await followRedirects(browser, request.url.href, server.origin);
    const location = await browser.signIn({ processState: new URL(login).searchParams.get('process_state') });
    expect(location).toMatch(/^\/seguridad\/cerrar-cuenta\/conservar\?next=%2Foidc%2Fv1%2Fauthorize%2F/);
    const asked = await followRedirects(
      browser,
      new URL(location, server.origin).searchParams.get('next') ?? '',
      server.origin,
    );
    expect(asked).toContain('/seguridad/cerrar-cuenta/conservar?next=');
    await closeAna(null);
    const next = new URL(asked).searchParams.get('next') ?? '';
    const back = await completeAuthorization(browser, next, server.origin);
    expect((await finishFlow(request, back)).access_token).toBeTruthy();
    await closeAna(new Date(Date.now() + day * 1000));
    expect(await followRedirects(browser, (await beginFlow(config)).url.href, server.origin)).toContain(
      '/seguridad/cerrar-cuenta/conservar?next=',
    );
    const silent = new URL(
      await followRedirects(browser, (await beginFlow(config, { prompt: 'none' })).url.href, server.origin),
    );
    expect(silent.searchParams.get('error')).toBe('login_required');
    await closeAna(null);
  });

  test('[ASVS-6.4.4] stops at the identity check while a restricted account lacks the second factor of its level', async () => {
    const change = (features: boolean, level: string) =>
      server.parts.store.db.updateTable('citizens').set({ features, level }).where('number', '=', '45123784').execute();
    const { level } = await server.parts.store.db
      .selectFrom('citizens')
      .select('level')
      .where('number', '=', '45123784')
      .executeTakeFirstOrThrow();
    const browser = openHttpBrowser(server.origin);
    await change(false, 'Certificado');
    const login = await followRedirects(browser, (await beginFlow(config)).url.href, server.origin);
    const location = await browser.signIn({ processState: new URL(login).searchParams.get('process_state') });
    expect(location).toBe(proofingPagePath);
    expect(await followRedirects(browser, (await beginFlow(config)).url.href, server.origin)).toContain(
      proofingPagePath,
    );
    const silent = new URL(
      await followRedirects(browser, (await beginFlow(config, { prompt: 'none' })).url.href, server.origin),
    );
    expect(silent.searchParams.get('error')).toBe('login_required');
    await change(true, level);
    expect(await followRedirects(browser, (await beginFlow(config)).url.href, server.origin)).not.toContain(
      proofingPagePath,
    );
  });
});
