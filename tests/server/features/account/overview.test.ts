import { addSeconds } from '../../../../src/server/platform/base/clock.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiContract } from '../../../../src/contract/contract.ts';
import { authorizeOperation } from '../../../../src/server/web/operations/operation-route.ts';
import { authenticateBearerToken } from '../../../../src/server/trust/sessions/access-tokens.ts';
import { addConsent } from '../../../../src/server/trust/federation/clients/scopes.ts';
import { findLiveSession } from '../../../../src/server/trust/sessions/broker-sessions.ts';
import { startSession } from '../../../../src/server/trust/sessions/start-session.ts';
import { findCitizen } from '../../../../src/server/trust/identity/citizens.ts';
import type { ChangeOrigin } from '../../../../src/server/platform/base/change-origin.ts';
import { createOrigin } from '../../support/origin.ts';
import { createActiveCitizen } from '../../support/citizen-data.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { openBrowser, recordIdentityProof, setUpTotp, signInCitizen, steps } from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const password = 'la-frase-correcta';

describe.each([defaultDatabase])('account overview, on %s', (database) => {
  let server: TestServer;
  let serial = 0;
  beforeAll(async () => {
    server = await openTestServer({ database });
    await server.parts.oidc.clients.add(
      {
        id: 'app',
        name: 'Trámites',
        redirectUris: ['https://app.example/cb'],
        scopes: ['personal_info', 'profile', 'document', 'email', 'auth_info', 'offline_access'],
        logo: 'https://app.example/l.png',
      },
      'public',
      server.clock.now(),
    );
    await server.parts.store.db
      .insertInto('logos')
      .values({
        source: 'https://app.example/l.png',
        hash: 'abc',
        type: 'image/png',
        content: '',
        fetched_at: server.clock.now(),
      })
      .execute();
  });
  afterAll(() => server.close());

  async function citizen() {
    const number = `VER${++serial}`;
    const id = await createActiveCitizen(server, number, password);
    return {
      number,
      id,
      email: `${number.toLowerCase()}@example.com`,
      ...(await signInCitizen(server, number, password)),
    };
  }
  const consent = (citizenId: string, clientId = 'app') =>
    server.parts.store.transaction((tx) =>
      addConsent(tx, { citizenId, clientId, scopes: ['openid', 'email', 'document'], now: server.clock.now() }),
    );
  const undoLink = async (email: string): Promise<string> => {
    const links = (await server.mails())
      .filter(({ recipient }) => recipient === email)
      .flatMap(({ text }) => /https?:\S+no-fui-yo\S+/.exec(text) ?? []);
    return new URL(links.at(-1) ?? 'http://none').searchParams.get('uuid') ?? '';
  };

  test.each([
    { note: 'features off', change: { features: false } },
    { note: 'the lowest level', change: { level: '' } },
  ])(
    '[SEG-07] a citizen with $note is restricted in running sessions, and sign-in does not ask for a second factor',
    async ({ change }) => {
      const { id, number, browser } = await citizen();
      expect(await browser.caller()).toMatchObject({ restricted: false });
      await server.parts.store.db.updateTable('citizens').set(change).where('id', '=', id).execute();
      const caller = await browser.caller();
      expect(caller).toMatchObject({ restricted: true });
      expect(() => authorizeOperation(apiContract.updatePhone, caller, { id })).toThrow(
        expect.objectContaining({ status: 403, code: 'usuario_restringido' }),
      );
      expect(() => authorizeOperation(apiContract.endOtherSessions, caller, {})).not.toThrow();
      const again = openBrowser(server);
      await again.start(number);
      expect((await again.answer(steps.password, { password })).body.location).toBe('/');
    },
  );

  test('[SEG-04 SEG-06] getSessions returns the current session first and at most one hundred sessions', async () => {
    const { caller } = await citizen();
    const { db } = server.parts.store;
    const own = await db
      .selectFrom('broker_sessions')
      .selectAll()
      .where('id', '=', caller.sessionId)
      .executeTakeFirst();
    if (own === undefined) throw new Error('no session');
    const later = addSeconds(own.seen_at, 60);
    const others = Array.from({ length: 120 }, (_, at) => ({
      ...own,
      id: `${own.id}-${at}`,
      hash: `${own.hash}-${at}`,
    }));
    await db
      .insertInto('broker_sessions')
      .values(others.map((row) => ({ ...row, seen_at: later })))
      .execute();
    const { sesiones } = (await server.call('getSessions', { caller })).body;
    expect(sesiones).toHaveLength(100);
    expect(sesiones[0]).toMatchObject({ id: own.id, actual: true });
  });

  test('[SEG-05 ENT-03] getApplications lists each application with a consent, its logo and the data it may read', async () => {
    const { id, caller } = await citizen();
    await consent(id);
    await consent(id, 'gone');
    const { body } = await server.call('getApplications', { caller });
    expect(body).toHaveLength(2);
    expect(body.find(({ client }) => client.name === 'Trámites')).toEqual({
      id: expect.any(String),
      client: { name: 'Trámites', logo: '/logos/abc' },
      scopes: [
        { scope: 'email', name: 'correo electrónico' },
        { scope: 'document', name: 'documento' },
      ],
      date_given: server.clock.now().toISOString(),
    });
    expect(body.find(({ client }) => client.name === 'gone')?.client.logo).toBeNull();
  });

  test('[SEG-05] revokeApplication removes consent and tokens once under parallel requests, and mails a notice', async () => {
    const { id, caller, email } = await citizen();
    await consent(id);
    await server.parts.store.db
      .insertInto('oidc_records')
      .values({
        model: 'RefreshToken',
        id: `token-${id}`,
        payload: 'x',
        grant_id: 'g',
        uid: null,
        account_id: id,
        client_id: 'app',
        expires_at: new Date(server.clock.now().getTime() + 1e6),
        consumed_at: null,
      })
      .execute();
    const [application] = (await server.call('getApplications', { caller })).body;
    const params = { consent: application?.id ?? '' };
    const results = await Promise.allSettled([1, 2, 3].map(() => server.call('revokeApplication', { caller, params })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await server.call('getApplications', { caller })).body).toEqual([]);
    expect(
      await server.parts.store.db.selectFrom('oidc_records').select('id').where('account_id', '=', id).execute(),
    ).toEqual([]);
    expect((await server.mails()).filter(({ recipient }) => recipient === email).at(-1)?.subject).toContain(
      'Se retiró el acceso de una aplicación',
    );
  });

  test('[ASVS-10.7.3] revokeScope removes one scope; the last one removes the consent and mails a notice', async () => {
    const { id, caller, email } = await citizen();
    await server.parts.store.transaction((tx) =>
      addConsent(tx, {
        ...{ citizenId: id, clientId: 'app', now: server.clock.now() },
        scopes: ['openid', 'personal_info', 'document', 'email'],
      }),
    );
    const [application] = (await server.call('getApplications', { caller })).body;
    const withdraw = (scope: string) =>
      server.call('revokeScope', { caller, params: { consent: application?.id ?? '', scope } });
    const stored = async () =>
      (await server.parts.store.db.selectFrom('consents').select('scopes').where('citizen_id', '=', id).execute()).map(
        ({ scopes }) => scopes,
      );
    for (const scope of ['document', 'openid', 'auth_info', 'x'])
      await expect(withdraw(scope), scope).rejects.toMatchObject({ status: 404 });
    expect((await withdraw('personal_info')).body[0]?.scopes).toEqual([{ scope: 'email', name: 'correo electrónico' }]);
    expect(await stored(), 'the document is part of it').toEqual(['openid email']);
    await expect(withdraw('personal_info')).rejects.toMatchObject({ status: 404 });
    const told = async () =>
      (await server.mails()).filter(({ recipient, subject }) => recipient === email && subject.includes('aplicación'));
    expect(await told(), 'no logout while other scopes remain').toEqual([]);
    expect((await withdraw('email')).body).toEqual([]);
    expect(await told(), 'logout after the last scope').toHaveLength(1);
    expect(await stored()).toEqual([]);
    const { caller: other } = await citizen();
    await consent(id);
    const [own] = (await server.call('getApplications', { caller })).body;
    const params = { consent: own?.id ?? '', scope: 'email' };
    await expect(server.call('revokeScope', { caller: other, params })).rejects.toMatchObject({ status: 404 });
  });

  test("[SEG-05 ROL-01] revokeApplication returns 404 for another citizen's consent as for an unknown one", async () => {
    const owner = await citizen();
    const other = await citizen();
    await consent(owner.id);
    const [application] = (await server.call('getApplications', { caller: owner.caller })).body;
    for (const id of [application?.id ?? '', 'made-up', '']) {
      await expect(
        server.call('revokeApplication', { caller: other.caller, params: { consent: id } }),
      ).rejects.toMatchObject({ status: 404 });
    }
    expect((await server.call('getApplications', { caller: owner.caller })).body).toHaveLength(1);
  });

  test("[SEG-04 ENT-03] getActions describes only the citizen's own actions, newest first, in Spanish and Portuguese", async () => {
    const { id, caller } = await citizen();
    await citizen();
    const { body } = await server.call('getActions', { caller, params: { id } });
    expect(body.map(({ descripcion }) => descripcion)).toEqual([
      'Inicio de sesión',
      'Activación de la cuenta',
      'Registro',
    ]);
    expect(body[0]).toEqual({
      id: expect.any(String),
      timestamp_access: server.clock.now().toISOString(),
      descripcion: 'Inicio de sesión',
      responsable: 'Vos',
      dispositivo: null,
      red: '203.0.x.x',
    });
    const inPortuguese = (await server.call('getActions', { caller, params: { id }, language: 'pt' })).body;
    expect(inPortuguese[0]).toMatchObject({ descripcion: 'Acesso à conta', responsable: 'Você' });
  });

  test('[SEG-04] getActions names the actor of each action (citizen, unidentified, agent, system), its device and network', async () => {
    const { id, number, caller } = await citizen();
    const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36';
    const stranger = openBrowser(server, '198.51.100.7');
    await stranger.start(number);
    await expect(stranger.answer(steps.password, { password: 'no-es-esta' })).rejects.toMatchObject({ status: 400 });
    await server.call('endOtherSessions', { caller, address: '2001:db8:1:2::1', userAgent: windows });
    const other = await citizen();
    await recordIdentityProof(server, other.caller);
    await server.call('updatePhone', {
      caller: other.caller,
      params: { id: other.id },
      body: { numero_telefono: '+59899123456' },
    });
    const note = (action: string, more: Partial<ChangeOrigin>) =>
      server.parts.commands.run(createOrigin(more), ({ audit }) => audit(action, id));
    await note('disavowed', { by: 'system', address: '' });
    await note('disavowed', { by: 'agent', address: '' });
    const { body } = await server.call('getActions', { caller, params: { id } });
    expect(body.slice(0, 5).map(({ responsable, dispositivo, red }) => [responsable, dispositivo, red])).toEqual([
      ['Un agente', null, null],
      ['El sistema', null, null],
      ['Vos', 'Chrome en Windows', '2001:db8:1:x'],
      ['Sin identificar', null, '198.51.x.x'],
      ['Vos', null, '203.0.x.x'],
    ]);
    expect(await server.auditFaults()).toEqual([]);
  });

  test('[SEG-04] getActions groups consecutive looks at a picture, so that other actions stay visible', async () => {
    const { id, caller } = await citizen();
    const note = (action: string) =>
      server.parts.commands.run(createOrigin({ by: 'agent' }), ({ audit }) => audit(action, id));
    for (const action of [...Array.from({ length: 25 }, () => 'call-still-seen'), 'disavowed', 'call-still-seen'])
      await note(action);
    const { body } = await server.call('getActions', { caller, params: { id } });
    const seen = 'Consulta de una foto tomada en una videollamada';
    expect(body.map(({ descripcion }) => descripcion).filter((text) => text === seen)).toHaveLength(2);
    expect(body[2]?.descripcion).toBe(seen);
    expect(body.length).toBeGreaterThan(3);
    expect(body.length).toBeLessThanOrEqual(20);
  });

  test('[SEG+NOFUI] the link of a notice ends session, password and factors once under parallel use, and mails a notice', async () => {
    const { id, caller, email, number } = await citizen();
    await setUpTotp(server, caller);
    const uuid = await undoLink(email);
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => server.call('disavow', { body: { uuid } })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await findLiveSession(server.parts.store.db, caller.sessionId, server.clock.now())).toBeNull();
    const browser = openBrowser(server);
    await browser.start(number);
    await expect(browser.answer(steps.password, { password })).rejects.toMatchObject({ code: 'credenciales' });
    expect(
      await server.parts.store.db.selectFrom('second_factors').select('id').where('citizen_id', '=', id).execute(),
    ).toEqual([]);
    expect((await server.mails()).at(-1)).toMatchObject({
      recipient: email,
      subject: 'Protegimos tu cuenta de Usuario digital',
    });
    expect(await server.auditFaults()).toEqual([]);
  });

  test.each([
    ['unknown', 'x'.repeat(43)],
    ['empty', ''],
  ])('[SEG+NOFUI] disavow rejects an %s link and ends no session', async (_, uuid) => {
    const { caller } = await citizen();
    await expect(server.call('disavow', { body: { uuid } })).rejects.toMatchObject({ status: 400, invalidToken: true });
    expect(await findLiveSession(server.parts.store.db, caller.sessionId, server.clock.now())).not.toBeNull();
  });

  test('[SEG+NOFUI] notices are not mailed to an unverified address', async () => {
    const { id, email } = await citizen();
    const record = await findCitizen(server.parts.store.db, id);
    if (record === null) throw new Error('no record');
    const before = (await server.mails()).length;
    await server.parts.commands.run(createOrigin(), ({ notify }) =>
      notify('password-changed', { ...record, email_verified_at: null }, { sessionId: null }),
    );
    expect((await server.mails()).length, email).toBe(before);
  });

  test.each([
    ['br', 'foreign'],
    ['abitab', 'citizen'],
  ] as const)('[IDP-03 ROL-01] a session through the identity provider %s has the role %s', async (idp, role) => {
    const { id } = await citizen();
    const now = server.clock.now();
    const { id: sessionId } = await server.parts.store.transaction((tx) =>
      startSession(tx, {
        citizenId: id,
        amr: [],
        nid: 1,
        role: 'citizen',
        idp,
        now,
        lifeS: 600,
        idleS: 600,
        device: { userAgent: '', address: '' },
      } as Parameters<typeof startSession>[1]),
    );
    const session = await findLiveSession(server.parts.store.db, sessionId, now);
    if (session === null) throw new Error('no session');
    const caller = await authenticateBearerToken(server.parts, await server.parts.tokens.issueToken(session));
    expect(caller?.role).toBe(role);
    if (role === 'foreign')
      expect((await server.call('getForeignCitizen', { caller, params: { id } })).body.id).toBe(id);
  });
});
