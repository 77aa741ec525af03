import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../../../src/server/platform/base/operation-request.ts';
import { saveForeignCitizen } from '../../../../src/server/trust/federation/upstream/provider-identities.ts';
import { startSession } from '../../../../src/server/trust/sessions/start-session.ts';
import { createOwner } from '../../support/account.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { createAgent, catchError } from '../../support/desk.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

describe.each([defaultDatabase])('[FED-02 DESK-06] records of foreign providers at the desk, on %s', (database) => {
  let server: TestServer;
  let agent: Caller;
  let count = 0;
  let subject = '';
  let number = '';
  let id = '';
  beforeAll(async () => {
    server = await openTestServer({ database });
    agent = await createAgent(server, 'AGE222');
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    count += 1;
    subject = `s:${count}`;
    number = `3012345${count}`;
    id = await come(subject, { country: 'ar', type: 'dni', number });
  });

  const come = (subject: string, document: { country: string; type: string; number: string }) =>
    server.parts.store.transaction((tx) =>
      saveForeignCitizen(
        tx,
        {
          provider: 'ar',
          issuer: 'https://ar.example',
          subject,
          nid: 1,
          signedInAt: null,
          document,
          person: { firstName: 'María', secondName: '', firstSurname: 'Lima', secondSurname: '' },
        },
        server.clock.now(),
      ),
    );
  const begin = () =>
    server.parts.store.transaction((tx) =>
      startSession(tx, {
        ...{ citizenId: id, amr: ['x'], nid: 1, role: 'citizen', idp: 'ar', now: server.clock.now(), idleS: 600 },
        ...{ lifeS: 600, device: { userAgent: '', address: '' } },
      }),
    );
  const find = async (documento: string, caller = agent) =>
    (await server.call('findDeskAccount', { caller, body: { documento } })).body;
  const act = (acto: string, quien = `ar:${subject}`, caller = agent) =>
    server.call('actOnForeignRecord', { caller, body: { quien, acto, motivo: ' Pedido del juzgado. ' } });
  const log = async (rows: number) =>
    (
      await server.parts.store.db
        .selectFrom('audit')
        .select(['action', 'actor', 'citizen_id', 'details'])
        .orderBy('seq', 'desc')
        .limit(rows)
        .execute()
    )
      .reverse()
      .map(({ action, actor, citizen_id, details }) => [action, actor, citizen_id, JSON.parse(details ?? 'null')]);
  const operator = expect.stringContaining('AGE222') as unknown;
  const named = () => ({ operator, provider: 'ar', subject });

  test('findDeskAccount finds a record by provider id and by exact document, and audits each look', async () => {
    await begin();
    const record = {
      quien: `ar:${subject}`,
      proveedor: 'ar',
      identificador: subject,
      pais: 'Argentina',
      documento: `ar-dni-${number}`,
      nombre: 'María Lima',
      bloqueada: false,
      propia: false,
      ultimo_uso: server.clock.now().toISOString(),
      sesiones: 1,
      actos: ['bloquear', 'cerrar_sesiones'],
    };
    expect(await find(` ar:${subject} `)).toEqual({ documento: `ar:${subject}`, cuenta: null, registros: [record] });
    expect(await log(1)).toEqual([['account-shown', 'agent', id, named()]]);
    const document = `ar-dni-${number}`;
    expect(await find(document)).toEqual({ documento: document, cuenta: null, registros: [record] });
    expect(await log(1)).toEqual([['account-shown', 'agent', id, { operator, document }]]);
  });

  test('findDeskAccount returns the same empty result for an unknown provider id and an unknown document', async () => {
    expect(await find('br:nadie')).toEqual({ documento: 'br:nadie', cuenta: null, registros: [] });
    expect(await log(1)).toEqual([['account-shown', 'agent', null, { operator, provider: 'br', subject: 'nadie' }]]);
    expect(await find('ar-dni-99')).toEqual({ documento: 'ar-dni-99', cuenta: null, registros: [] });
  });

  test('findDeskAccount returns a record and an account of the same document, and audits a look at each', async () => {
    const owner = await createOwner(server, `EXT${count}${database.length}`);
    const other = await come(`${subject}-2`, { country: 'ar', type: 'psp', number: owner.number });
    const found = await find(`ar-psp-${owner.number}`);
    expect([found.cuenta?.nombre, found.registros.map(({ identificador }) => identificador)]).toEqual([
      expect.any(String),
      [`${subject}-2`],
    ]);
    expect((await log(2)).map(([, , whose]) => whose).sort()).toEqual([owner.id, other].sort());
  });

  test.each([
    ['bloquear', 'account-blocked', ['desbloquear']],
    ['cerrar_sesiones', 'sessions-ended-by-agent', ['bloquear']],
  ])('%s ends the sessions of a record, and is audited with its reason', async (acto, noted, left) => {
    await begin();
    expect((await act(acto)).body).toEqual({ hecho: true });
    expect(await log(1)).toEqual([[noted, 'agent', id, { ...named(), reason: 'Pedido del juzgado.' }]]);
    expect((await find(`ar:${subject}`)).registros).toMatchObject([{ sesiones: 0, actos: left }]);
  });

  test('bloquear and desbloquear take effect once', async () => {
    expect((await act('bloquear')).body).toEqual({ hecho: true });
    expect((await act('bloquear')).body).toEqual({ hecho: false });
    expect((await act('desbloquear')).body).toEqual({ hecho: true });
    expect((await log(1))[0]?.[0]).toBe('account-unblocked');
    expect((await act('desbloquear')).body).toEqual({ hecho: false });
  });

  test("acts on an unknown record, on the agent's own document and with an account act are rejected", async () => {
    expect(await catchError(act('bloquear', 'ar:nadie'))).toMatchObject({ status: 409, code: 'cuenta_desconocida' });
    expect(await log(1)).toEqual([
      [
        'account-act-refused',
        'agent',
        null,
        { operator, act: 'block', provider: 'ar', subject: 'nadie', outcome: 'unknown' },
      ],
    ]);
    const own = await come(`${subject}-own`, { country: 'ar', type: 'psp', number: 'AGE222' });
    expect((await find(`ar:${subject}-own`)).registros).toMatchObject([{ propia: true, actos: [] }]);
    expect(await catchError(act('bloquear', `ar:${subject}-own`))).toMatchObject({ code: 'cuenta_propia' });
    expect((await log(1))[0]).toMatchObject(['account-act-refused', 'agent', own, { outcome: 'own' }]);
    expect(await catchError(act('elevar'))).toMatchObject({ status: 400 });
    expect(await catchError(act('bloquear', 'sin proveedor'))).toMatchObject({ code: 'cuenta_desconocida' });
  });

  test('looks and acts share their rate limits with those of accounts', async () => {
    const curious = await createAgent(server, `CUX${count}`);
    for (let tries = 0; tries < 30; tries += 1) {
      await find('ar:nadie', curious);
      await find('ar-dni-99', curious);
    }
    expect(await catchError(find('ar:nadie', curious))).toMatchObject({ status: 429 });
    for (let tries = 0; tries < 60; tries += 1) await catchError(act('bloquear', 'ar:nadie', curious));
    const account = { documento: 'ar-psp-NADIE', acto: 'bloquear', motivo: 'x' };
    for (const call of [
      () => act('bloquear', 'ar:nadie', curious),
      () => server.call('actOnAccount', { caller: curious, body: account }),
    ])
      expect(await catchError(call())).toMatchObject({ status: 429 });
  });
});
