import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../../../src/server/platform/base/operation-request.ts';
import { findCitizen } from '../../../../src/server/trust/identity/citizens.ts';
import { listMailLinks, createOwner, password, listMailSubjects, type Owner } from '../../support/account.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { insertBookedCall, prepareApproval, createAgent, catchError } from '../../support/desk.ts';
import { setUpTotp, signInCitizen } from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

describe.each([defaultDatabase])('accounts at the desk, on %s', (database) => {
  let server: TestServer;
  let agent: Caller;
  let owner: Owner;
  let count = 0;
  beforeAll(async () => {
    server = await openTestServer({ database });
    agent = await createAgent(server, 'AGE111');
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    count += 1;
    owner = await createOwner(server, `CUE${count}${database.length}`);
  });

  const documento = (number: string) => `ar-psp-${number}`;
  const find = async (number: string, caller = agent) =>
    (await server.call('findDeskAccount', { caller, body: { documento: documento(number) } })).body;
  const act = (acto: string, more: object = {}, number = owner.number) =>
    server.call('actOnAccount', {
      caller: agent,
      body: { documento: documento(number), acto, motivo: 'Porque lo pidió.', ...more },
    });
  const record = () =>
    server.parts.store.db.selectFrom('citizens').selectAll().where('id', '=', owner.id).executeTakeFirstOrThrow();
  const entry = (action: string) =>
    server.parts.store.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', action)
      .where('citizen_id', '=', owner.id)
      .executeTakeFirstOrThrow();

  test('[DESK-06] findDeskAccount requires the exact document, and audits a look that finds nothing like one that finds an account', async () => {
    expect(await find(owner.number)).toMatchObject({
      cuenta: { bloqueada: false, correo_validado: true, sesiones: 1, propia: false, registro: 'otro' },
    });
    expect((await find(owner.number)).cuenta?.correo).not.toBe(owner.email);
    const missing = owner.number.slice(0, -1);
    expect(await find(missing)).toEqual({ documento: documento(missing), cuenta: null, registros: [] });
    const looks = await server.parts.store.db
      .selectFrom('audit')
      .select('details')
      .where('action', '=', 'account-shown')
      .execute();
    const text = JSON.stringify(looks);
    expect(text).toContain(documento(missing));
    expect(text).toContain('AGE111');
  });

  /** Operations that could reveal to an agent whether a document has an account. */
  const ways = (caller: Caller, number: string) => {
    const body = { documento: documento(number), motivo: 'x', visto: true };
    return [
      () => find(number, caller),
      () => server.call('actOnAccount', { caller, body: { ...body, acto: 'desbloquear' } }),
      () => server.call('startEmailChange', { caller, body: { ...body, email: 'a@b.uy' } }),
    ] as const;
  };

  test('[DESK-06] findDeskAccount and acts have separate rate limits per agent', async () => {
    const [look, ...acts] = ways(await createAgent(server, `CUR${count}`), 'NADIE1');
    const known = (error: unknown) => expect(error).toMatchObject({ code: 'cuenta_desconocida' });
    for (let tries = 0; tries < 60; tries += 1) await look();
    expect(await catchError(look())).toMatchObject({ status: 429 });
    for (let tries = 0; tries < 60; tries += acts.length) for (const act of acts) await act().then(() => null, known);
    for (const act of acts) expect(await catchError(act())).toMatchObject({ status: 429 });
  });

  test('[DESK-06] refused acts are audited with agent, document and outcome', async () => {
    const [, act, changeEmail] = ways(agent, 'NADIE2');
    await catchError(act());
    await catchError(changeEmail());
    await catchError(
      server.call('startEmailChange', {
        caller: agent,
        body: { documento: documento(owner.number), motivo: 'x', visto: true, email: owner.email },
      }),
    );
    const rows = await server.parts.store.db
      .selectFrom('audit')
      .select(['citizen_id', 'details'])
      .where('action', '=', 'account-act-refused')
      .orderBy('seq', 'desc')
      .limit(3)
      .execute();
    const operator = expect.stringContaining('AGE111') as unknown;
    const nobody = { operator, document: documento('NADIE2') };
    expect(rows.reverse().map((row) => [row.citizen_id, JSON.parse(String(row.details))])).toEqual([
      [null, { ...nobody, act: 'unblock', outcome: 'unknown' }],
      [null, { ...nobody, act: 'email', outcome: 'cuenta_desconocida' }],
      [owner.id, { operator, act: 'email', document: documento(owner.number), outcome: 'correo_igual' }],
    ]);
  });

  test.each([
    ['bloquear', 'account-blocked', 'desbloquear', 'account-unblocked'],
    ['restringir', 'account-restricted', 'habilitar', 'account-unrestricted'],
  ])(
    "[DESK-06] %s takes effect once and can be reversed, is mailed, and audited with the agent's name",
    async (there, noted, back, notedBack) => {
      expect((await act(there)).body).toMatchObject({ hecho: true });
      expect((await act(there)).body).toMatchObject({ hecho: false });
      expect((await find(owner.number)).cuenta?.actos).toContain(back);
      const told = await listMailSubjects(server, owner.email);
      expect(await entry(noted)).toMatchObject({ actor: 'agent' });
      expect(JSON.parse(String((await entry(noted)).details))).toMatchObject({
        reason: 'Porque lo pidió.',
        operator: expect.stringContaining('AGE111') as unknown,
      });
      expect((await act(back, { visto: true })).body).toMatchObject({ hecho: true });
      await entry(notedBack);
      expect((await listMailSubjects(server, owner.email)).length).toBe(told.length + 1);
    },
  );

  test('[DESK-06] cerrar_sesiones ends all sessions of the account and is audited', async () => {
    await act('cerrar_sesiones');
    expect(await find(owner.number)).toMatchObject({ cuenta: { sesiones: 0 } });
    await entry('sessions-ended-by-agent');
  });

  test('[DESK-07] elevar requires that the agent saw the document, raises the level, and does so once', async () => {
    expect(await catchError(act('elevar'))).toMatchObject({ code: 'documento_no_visto', field: 'visto' });
    expect((await record()).level).not.toBe('Verificado');
    expect((await act('elevar', { visto: true })).body).toEqual({ hecho: true, espera: false });
    expect((await record()).level).toBe('Verificado');
    expect((await act('elevar', { visto: true })).body).toMatchObject({ hecho: false });
    expect(JSON.parse(String((await entry('level-raised')).details))).toMatchObject({ by: 'in-person' });
  });

  test.each([
    { note: 'not activated', state: { active_at: null } },
    { note: 'blocked', state: { blocked_at: new Date(0) } },
  ])('[DESK-07 SEG-07] elevar is neither offered nor allowed if the account is $note', async ({ state }) => {
    await server.parts.store.db.updateTable('citizens').set(state).where('id', '=', owner.id).execute();
    expect((await find(owner.number)).cuenta?.actos).not.toContain('elevar');
    const before = (await record()).level;
    expect(await catchError(act('elevar', { visto: true }))).toMatchObject({ status: 409, code: 'cuenta_inactiva' });
    expect((await record()).level).toBe(before);
    expect(JSON.parse(String((await entry('account-act-refused')).details))).toMatchObject({ outcome: 'inactive' });
  });

  test('[DESK-07] startEmailChange rejects a blocked account', async () => {
    await act('bloquear');
    const body = { documento: documento(owner.number), email: 'b@example.com', motivo: 'x', visto: true };
    const change = server.call('startEmailChange', { caller: agent, body });
    expect(await catchError(change)).toMatchObject({ status: 409, code: 'cuenta_inactiva' });
  });

  test('[DESK-07] startEmailChange activates an account whose address was mistyped, once the new link is approved', async () => {
    const { db } = server.parts.store;
    const unproven = { active_at: null, email_verified_at: null };
    await db.updateTable('citizens').set(unproven).where('id', '=', owner.id).execute();
    const email = `bien${count}@example.com`;
    const body = { documento: documento(owner.number), email, motivo: 'Escribió mal el correo.', visto: true };
    await server.call('startEmailChange', { caller: agent, body });
    const [link] = await listMailLinks(server, email, 'aprobar');
    await server.call('approveEmailChange', { body: { uuid: link?.searchParams.get('uuid') ?? '' } });
    expect(await record()).toMatchObject({
      email,
      active_at: server.clock.now(),
      email_verified_at: server.clock.now(),
    });
  });

  test('[DESK-07] corregir copies the names from the registry, and is rejected without a registry record', async () => {
    expect(await catchError(act('corregir'))).toMatchObject({ code: 'registro_sin_datos' });
    const number = '34567822';
    await server.parts.store.db
      .updateTable('citizens')
      .set({ country: 'uy', type: 'ci', number, first_name: 'Nicolaso' })
      .where('id', '=', owner.id)
      .execute();
    const uruguayan = { documento: number };
    const { body } = await server.call('findDeskAccount', { caller: agent, body: uruguayan });
    expect(body.cuenta?.actos).toContain('corregir');
    expect((await act('corregir', uruguayan)).body).toMatchObject({ hecho: true });
    expect(await record()).toMatchObject({ first_name: 'Nicolás', second_name: 'Andrés', first_surname: 'Pérez' });
    expect((await act('corregir', uruguayan)).body).toMatchObject({ hecho: false });
    await entry('data-corrected');
  });

  test('[DESK-07] startEmailChange notifies the previous address; the new link works only after 48 hours', async () => {
    const email = `nueva${count}@example.com`;
    const start = (more: object) =>
      server.call('startEmailChange', {
        caller: agent,
        body: { documento: documento(owner.number), email, motivo: 'Perdió el correo.', ...more },
      });
    expect(await catchError(start({}))).toMatchObject({ code: 'documento_no_visto' });
    const before = (await listMailSubjects(server, owner.email)).length;
    await start({ visto: true });
    expect((await record()).email).toBe(owner.email);
    expect((await listMailSubjects(server, owner.email)).length).toBe(before + 1);
    const [link] = await listMailLinks(server, email, 'aprobar');
    const approve = () => server.call('approveEmailChange', { body: { uuid: link?.searchParams.get('uuid') ?? '' } });
    server.clock.advance(48 * 3_600 - 1);
    expect(await catchError(approve()), 'the previous address can object for 48 hours').toMatchObject({
      status: 409,
      code: 'correo_antes_de_plazo',
    });
    expect((await record()).email).toBe(owner.email);
    server.clock.advance(1);
    expect((await approve()).body).toEqual({ estado: 'confirmado' });
    expect((await record()).email).toBe(email);
  });

  test('[DESK-07 SEG-07] startEmailChange is undone by an objection from the previous address, and the new link is void', async () => {
    const email = `ajena${count}@example.com`;
    const body = { documento: documento(owner.number), email, motivo: 'Perdió el correo.', visto: true };
    expect((await server.call('startEmailChange', { caller: agent, body })).body).toEqual({
      hecho: true,
      espera: false,
    });
    const mail = (await server.mails()).filter(({ recipient }) => recipient === owner.email).at(-1);
    expect(mail?.subject).toContain('Un agente pidió cambiar el correo');
    const [objection] = (await listMailLinks(server, owner.email, '/no-fui-yo')).slice(-1);
    await server.call('disavow', { body: { uuid: objection?.searchParams.get('uuid') ?? '' } });
    const [link] = await listMailLinks(server, email, 'aprobar');
    server.clock.advance(48 * 3_600);
    expect(
      await catchError(server.call('approveEmailChange', { body: { uuid: link?.searchParams.get('uuid') ?? '' } })),
    ).toMatchObject({ code: 'vinculo_invalido' });
    expect((await record()).email).toBe(owner.email);
    expect(JSON.parse(String((await entry('disavowed')).details))).toEqual({ undone: ['email-change-by-agent'] });
  });

  test('[DESK-07 SEG-07] one agent cannot both raise the level and set the address of an account within seven days', async () => {
    const setEmail = (caller: Caller) =>
      server.call('startEmailChange', {
        caller,
        body: { documento: documento(owner.number), email: `nueva${count}@example.com`, motivo: 'x', visto: true },
      });
    expect((await act('elevar', { visto: true })).body).toMatchObject({ hecho: true });
    expect(await catchError(setEmail(agent))).toMatchObject({ status: 409, code: 'nivel_y_correo' });
    expect(await listMailLinks(server, `nueva${count}@example.com`, 'aprobar')).toEqual([]);
    const other = await createAgent(server, `OTRO${count}`);
    await setEmail(other);
    server.clock.advance(7 * 24 * 3_600);
    await setEmail(agent);
  });

  describe('[ASVS-6.4.4 DESK-07] quitar_doble_factor', () => {
    const remove = (caller = agent, visto = true) =>
      server.call('actOnAccount', {
        caller,
        body: { documento: documento(owner.number), acto: 'quitar_doble_factor', motivo: 'Perdió el celular.', visto },
      });
    const rows = async () => {
      const { db } = server.parts.store;
      const of = (table: 'second_factors' | 'passkeys' | 'recovery_codes') =>
        db.selectFrom(table).select('citizen_id').where('citizen_id', '=', owner.id).execute();
      return (await Promise.all([of('second_factors'), of('passkeys'), of('recovery_codes')])).flat().length;
    };

    test('removes all factors and sessions, mails a notice, and the next sign-in has level 1', async () => {
      expect((await find(owner.number)).cuenta?.actos).not.toContain('quitar_doble_factor');
      expect((await remove()).body, 'no factor to remove').toEqual({ hecho: false, espera: false });
      await setUpTotp(server, owner.caller);
      expect((await find(owner.number)).cuenta?.actos).toContain('quitar_doble_factor');
      expect(await catchError(remove(agent, false))).toMatchObject({ code: 'documento_no_visto', field: 'visto' });
      expect(await rows()).toBe(11);
      expect((await remove()).body).toEqual({ hecho: true, espera: false });
      expect(await rows()).toBe(0);
      expect(await find(owner.number)).toMatchObject({ cuenta: { sesiones: 0 } });
      expect((await listMailSubjects(server, owner.email)).slice(-2)).toEqual([
        'Se desactivó un doble factor de autenticación en Usuario digital',
        'Se quitó el doble factor de tu cuenta de Usuario digital',
      ]);
      await entry('second-factors-removed-by-agent');
      const again = await signInCitizen(server, owner.number, password);
      expect(again.caller.nid).toBe(1);
    });

    test('requires another agent than the one who set the address, and rejects the account of an agent', async () => {
      await setUpTotp(server, owner.caller);
      await server.call('startEmailChange', {
        caller: agent,
        body: { documento: documento(owner.number), email: `n${count}@example.com`, motivo: 'x', visto: true },
      });
      expect(await catchError(remove())).toMatchObject({ status: 409, code: 'nivel_y_correo' });
      const colleague = await createAgent(server, `COL${count}`);
      expect(
        await catchError(
          server.call('actOnAccount', {
            caller: agent,
            body: { documento: colleague.document, acto: 'quitar_doble_factor', motivo: 'x', visto: true },
          }),
        ),
      ).toMatchObject({ status: 409, code: 'cuenta_de_agente' });
      expect((await remove(colleague)).body).toMatchObject({ hecho: true });
    });
  });

  test('[ASVS-6.4.4 DESK-07] habilitar requires a seen document if proofing is due, and another agent than the one who set the address', async () => {
    const awaiting = { features: false, level: 'Certificado' };
    await server.parts.store.db.updateTable('citizens').set(awaiting).where('id', '=', owner.id).execute();
    const lift = (caller: Caller, visto: boolean) =>
      server.call('actOnAccount', {
        caller,
        body: { documento: documento(owner.number), acto: 'habilitar', motivo: 'Perdió el celular.', visto },
      });
    expect(await catchError(lift(agent, false))).toMatchObject({ code: 'documento_no_visto', field: 'visto' });
    await server.call('startEmailChange', {
      caller: agent,
      body: { documento: documento(owner.number), email: `libre${count}@example.com`, motivo: 'x', visto: true },
    });
    expect(await catchError(lift(agent, true))).toMatchObject({ status: 409, code: 'nivel_y_correo' });
    expect((await record()).features).toBe(false);
    expect((await lift(await createAgent(server, `LIB${count}`), true)).body).toEqual({ hecho: true, espera: false });
    expect((await record()).features).toBe(true);
  });

  describe('[DESK-06] help desk', () => {
    const set = (state: object) =>
      server.parts.store.db.updateTable('citizens').set(state).where('id', '=', owner.id).execute();
    const acts = async () => (await find(owner.number)).cuenta?.actos;

    test('finds an account by e-mail address in any case, and lists the documents if several accounts share it', async () => {
      const search = (text: string) => server.call('findDeskAccount', { caller: agent, body: { documento: text } });
      expect((await search(` ${owner.email.toUpperCase()} `)).body).toMatchObject({
        documento: documento(owner.number),
        cuenta: { propia: false },
      });
      expect((await search('nadie@example.com')).body).toEqual({
        documento: 'nadie@example.com',
        cuenta: null,
        registros: [],
      });
      const other = await createOwner(server, `DOS${count}`);
      await server.parts.store.db
        .updateTable('citizens')
        .set({ email: owner.email })
        .where('id', '=', other.id)
        .execute();
      expect(await catchError(search(owner.email))).toMatchObject({
        code: 'correo_de_varias',
        values: { documentos: [documento(owner.number), documento(other.number)].sort().join(', ') },
      });
      for (const { id } of [owner, other])
        expect(
          await server.parts.store.db
            .selectFrom('audit')
            .select('seq')
            .where('action', '=', 'account-shown')
            .where('citizen_id', '=', id)
            .execute(),
        ).not.toEqual([]);
    });

    test('resends the activation mail only to an account whose address is unconfirmed', async () => {
      expect(await acts()).not.toContain('reenviar_activacion');
      expect((await act('reenviar_activacion')).body).toMatchObject({ hecho: false });
      await set({ active_at: null, email_verified_at: null });
      expect(await acts()).toContain('reenviar_activacion');
      const before = (await listMailLinks(server, owner.email, '/activar-cuenta')).length;
      expect((await act('reenviar_activacion')).body).toMatchObject({ hecho: true });
      expect(await listMailLinks(server, owner.email, '/activar-cuenta')).toHaveLength(before + 1);
      await entry('activation-sent-by-agent');
      await set({ email: null });
      expect(await catchError(act('reenviar_activacion'))).toMatchObject({ status: 409, code: 'cuenta_sin_correo' });
    });

    test('mails a password reset link only to a confirmed address, and the mail says that an agent sent it', async () => {
      expect(await acts()).toContain('enviar_restablecimiento');
      expect((await act('enviar_restablecimiento')).body).toMatchObject({ hecho: true });
      const [link] = (await listMailLinks(server, owner.email, 'nueva')).slice(-1);
      expect(link?.searchParams.get('token')).toMatch(/^[\w-]{43}$/);
      expect((await listMailSubjects(server, owner.email)).at(-1)).toBe(
        'Un agente te mandó un vínculo para cambiar la contraseña de Usuario digital',
      );
      await entry('reset-sent-by-agent');
      await set({ email_verified_at: null });
      expect(await acts()).not.toContain('enviar_restablecimiento');
      expect(await catchError(act('enviar_restablecimiento'))).toMatchObject({ code: 'cuenta_sin_correo' });
      await set({ email_verified_at: new Date(), blocked_at: new Date() });
      expect(await catchError(act('enviar_restablecimiento'))).toMatchObject({ code: 'cuenta_inactiva' });
    });

    test('closes an account in person, not by the agent who set its address; the citizen can undo it', async () => {
      expect(await acts()).toContain('cerrar_cuenta');
      expect(await catchError(act('cerrar_cuenta'))).toMatchObject({ code: 'documento_no_visto' });
      const email = `c${count}@example.com`;
      await server.call('startEmailChange', {
        caller: agent,
        body: { documento: documento(owner.number), email, motivo: 'x', visto: true },
      });
      expect(await catchError(act('cerrar_cuenta', { visto: true }))).toMatchObject({ code: 'nivel_y_correo' });
      server.clock.advance(7 * 24 * 3_600);
      expect((await act('cerrar_cuenta', { visto: true })).body).toEqual({ hecho: true, espera: false });
      expect((await record()).closing_at).toEqual(new Date(server.clock.now().getTime() + 30 * 24 * 3_600_000));
      expect(await find(owner.number)).toMatchObject({ cuenta: { sesiones: 0 } });
      expect(await acts()).not.toContain('cerrar_cuenta');
      expect((await act('cerrar_cuenta', { visto: true })).body).toMatchObject({ hecho: false });
      await entry('closure-requested-by-agent');
      const [undo] = (await listMailLinks(server, owner.email, '/no-fui-yo')).slice(-1);
      await server.call('disavow', { body: { uuid: undo?.searchParams.get('uuid') ?? '' } });
      expect((await record()).closing_at).toBeNull();
    });

    test('does not close the account of an agent', async () => {
      const { document } = await createAgent(server, `CIE${count}`);
      expect(await catchError(act('cerrar_cuenta', { documento: document, visto: true }))).toMatchObject({
        code: 'cuenta_de_agente',
      });
    });
  });

  test('[DESK-04 DESK-07 SEG-07] an agent who set the address of an account cannot approve its call within seven days', async () => {
    const body = { documento: documento(owner.number), email: `n${count}@example.com`, motivo: 'x', visto: true };
    await server.call('startEmailChange', { caller: agent, body });
    const id = await insertBookedCall(server, { citizen_id: owner.id });
    await server.call('takeCall', { caller: agent, params: { id } });
    await prepareApproval(server, id, agent.citizenId);
    const approve = () =>
      server.call('decideDeskCall', { caller: agent, params: { id }, body: { decision: 'aprobar', motivo: 'x' } });
    expect(await catchError(approve())).toMatchObject({ status: 409, code: 'nivel_y_correo' });
    server.clock.advance(7 * 24 * 3_600);
    expect((await approve()).body).toEqual({ estado: 'Pendiente usuario' });
  });

  test('[DESK-04 DESK-06 DESK-07] an agent cannot act on their own account', async () => {
    const own = { documento: agent.document, motivo: 'x', visto: true };
    for (const acto of ['bloquear', 'elevar', 'restringir', 'cerrar_sesiones'])
      expect(await catchError(server.call('actOnAccount', { caller: agent, body: { ...own, acto } }))).toMatchObject({
        code: 'cuenta_propia',
      });
    expect(
      await catchError(server.call('startEmailChange', { caller: agent, body: { ...own, email: 'a@b.uy' } })),
    ).toMatchObject({ code: 'cuenta_propia' });
    expect((await find('AGE111')).cuenta).toMatchObject({ propia: true, actos: [] });
  });
});

describe('accounts at the desk with ELEVATION_SECOND_AGENT on', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ env: { ELEVATION_SECOND_AGENT: 'on' } });
  });
  afterAll(() => server.close());

  test('[DESK-07 SEG-07] raising a level or setting an address requires a second agent with the same act within seven days', async () => {
    const [ada, bea] = [await createAgent(server, 'ADA555'), await createAgent(server, 'BEA666')];
    const owner = await createOwner(server, 'DOBLE1');
    const documento = `ar-psp-${owner.number}`;
    const raise = async (caller: Caller) =>
      (
        await server.call('actOnAccount', {
          caller,
          body: { documento, acto: 'elevar', motivo: 'Visto.', visto: true },
        })
      ).body;
    const setEmail = async (caller: Caller, email = 'doble@example.com') =>
      (await server.call('startEmailChange', { caller, body: { documento, email, motivo: 'Visto.', visto: true } }))
        .body;
    const waits = { hecho: false, espera: true };
    const done = { hecho: true, espera: false };
    const record = () =>
      server.parts.store.db.selectFrom('citizens').selectAll().where('id', '=', owner.id).executeTakeFirstOrThrow();
    expect([await raise(ada), await raise(ada)], 'repeated by the same agent').toEqual([waits, waits]);
    expect((await record()).level).not.toBe('Verificado');
    const { body } = await server.call('findDeskAccount', { caller: bea, body: { documento } });
    expect(body.cuenta?.esperan).toEqual([expect.objectContaining({ acto: 'elevar', propio: false })]);
    server.clock.advance(7 * 24 * 3_600);
    expect(await raise(bea), 'repeated after seven days').toEqual(waits);
    expect(await raise(ada)).toEqual(done);
    expect((await record()).level).toBe('Verificado');
    expect(await setEmail(ada)).toEqual(waits);
    expect(await listMailLinks(server, 'doble@example.com', 'aprobar')).toEqual([]);
    expect(await setEmail(bea, 'otra@example.com'), 'repeated with another address').toEqual(waits);
    expect(await setEmail(ada, 'otra@example.com')).toEqual(done);
    expect(await listMailLinks(server, 'otra@example.com', 'aprobar')).toHaveLength(1);
    expect((await server.call('findDeskAccount', { caller: bea, body: { documento } })).body.cuenta?.esperan).toEqual(
      [],
    );
  });

  test('[ASVS-6.4.4 DESK-07] lifting a restriction requires a second agent only if proofing is due', async () => {
    const [ada, bea] = [await createAgent(server, 'ADA777'), await createAgent(server, 'BEA888')];
    const owner = await createOwner(server, 'DOBLE2');
    const documento = `ar-psp-${owner.number}`;
    const set = (state: object) =>
      server.parts.store.db.updateTable('citizens').set(state).where('id', '=', owner.id).execute();
    const lift = async (caller: Caller) =>
      (
        await server.call('actOnAccount', {
          caller,
          body: { documento, acto: 'habilitar', motivo: 'Visto.', visto: true },
        })
      ).body;
    await set({ features: false });
    expect(await lift(ada), 'one agent suffices if no second factor is required').toEqual({
      hecho: true,
      espera: false,
    });
    for (const state of [{ level: 'Certificado' }, { level: 'Autoregistrado', proofing_due: true }]) {
      await set({ features: false, ...state });
      expect(await lift(ada)).toEqual({ hecho: false, espera: true });
    }
    const { body } = await server.call('findDeskAccount', { caller: bea, body: { documento } });
    expect(body.cuenta?.esperan).toEqual([expect.objectContaining({ acto: 'habilitar', propio: false })]);
    expect(await lift(bea)).toEqual({ hecho: true, espera: false });
    expect(await findCitizen(server.parts.store.db, owner.id)).toMatchObject({ features: true, proofing_due: false });
  });
});
