import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { command } from '../../../../src/cli/database/calls.ts';
import type { Caller } from '../../../../src/server/platform/base/operation-request.ts';
import { addSeconds } from '../../../../src/server/platform/base/clock.ts';
import { OperationError } from '../../../../src/server/platform/base/errors.ts';
import { createInternalChangeOrigin } from '../../../../src/server/platform/base/change-origin.ts';
import { authorizeOperation } from '../../../../src/server/web/operations/operation-route.ts';
import { apiContract } from '../../../../src/contract/contract.ts';
import { performAccountAction } from '../../../../src/server/features/account/account-actions.ts';
import { RegistryUnreachableError } from '../../../../src/server/trust/identity/registry/identity-registry.ts';
import { authenticateBearerToken } from '../../../../src/server/trust/sessions/access-tokens.ts';
import {
  findNewestCallsOfCitizen,
  applyCallTransition,
} from '../../../../src/server/features/video-calls/call-records.ts';
import { decideCall, type CallDecision } from '../../../../src/server/features/video-calls/decide-call.ts';
import type { CallTransitionName } from '../../../../src/server/features/video-calls/call-states.ts';
import { processDueCalls } from '../../../../src/server/features/video-calls/process-due-calls.ts';
import { runInProcess } from '../../support/run-command.ts';
import { createOwner, withoutLimits } from '../../support/account.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { completeChecklist, prepareApproval, simulatePresence, createAgent } from '../../support/desk.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const serial = '007HEC';

/** Returns the error with which a call is rejected. */
async function catchError(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OperationError)) throw new Error(`not refused: ${String(error)}`);
  const { status, code, field } = error;
  return { status, code, ...(field !== undefined && { field }) };
}

describe.each([defaultDatabase])('elevation by video call, on %s', (database) => {
  let server: TestServer;
  let count = 0;
  let date: string;
  beforeAll(async () => {
    server = await openTestServer({ database, parts: withoutLimits, env: { ELEVATION_HOURS: 'mon-sun 09:00-10:00' } });
    const { body } = await server.call('getElevationDates');
    date = body[1]?.fecha ?? '';
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await server.parts.store.db.deleteFrom('video_calls').execute();
  });

  /** Creates an adult national citizen at level Básico, with an identity card in the registry. */
  async function citizen(card: Partial<{ first_surname: string; birth_date: string; serial: string }> = {}) {
    count += 1;
    const number = `7${database.length}00${String(count).padStart(4, '0')}`;
    const owner = await createOwner(server, `ELE${number}`);
    const { db } = server.parts.store;
    await db
      .insertInto('registry')
      .values({
        number,
        first_name: 'María',
        second_name: 'José',
        first_surname: 'Fernández',
        second_surname: 'Ñíguez',
        birth_date: '1995-07-21',
        serial,
        ...card,
      })
      .execute();
    await db.updateTable('citizens').set({ country: 'uy', type: 'ci', number }).where('id', '=', owner.id).execute();
    return { ...owner, number };
  }
  const check = (caller: Caller, query: Record<string, string> = { numero_serie: serial }) =>
    server.call('checkCard', { caller, query });
  const book = (caller: Caller, body: object = {}) =>
    server.call('bookElevation', {
      caller,
      body: { numero_serie: serial, numero_telefono: '+598 99 123 456', fecha: date, hora: '09:00:00', ...body },
    });
  const record = async (id: string, caller: Caller) =>
    (await server.call('getCitizen', { caller, params: { id } })).body;
  const move = async (id: string, act: CallTransitionName<'elevation'>) => {
    await server.parts.commands.run(createInternalChangeOrigin('agent', 'test'), async (command) => {
      const { elevation: call } = await findNewestCallsOfCitizen(command.tx, id);
      if (call === undefined || (await applyCallTransition(command, call, act)) === null)
        throw new Error(`cannot ${act}`);
    });
  };
  const subjects = async (email: string) =>
    (await server.mails()).filter(({ recipient }) => recipient === email).map(({ subject }) => subject);

  test('[ELEV-02] checkCard compares serial number, surname and document with the registry, and reveals no registry data', async () => {
    const { caller, number } = await citizen();
    const good = { primer_apellido: true, numero_serie: true, mayor_de_edad: true };
    const named = (primer_apellido: string) => check(caller, { numero_serie: serial, cedula: number, primer_apellido });
    expect((await check(caller)).body).toEqual(good);
    expect((await check(caller, { numero_serie: ' 007hec ', cedula: number })).body).toEqual(good);
    for (const same of ['Fernández', ' fernandez ', 'FERNANDEZ', 'Fernández Ñíguez'])
      expect((await named(same)).body, same).toEqual(good);
    for (const other of ['Otro', 'Fernand', 'Ñíguez', ''])
      expect((await named(other)).body, other).toEqual({ ...good, primer_apellido: false });
    expect((await check(caller, { numero_serie: '007HEO' })).body).toEqual({ ...good, numero_serie: false });
    expect((await check(caller, {})).body).toEqual({ ...good, numero_serie: false });
    expect(await catchError(check(caller, { numero_serie: serial, cedula: '45123784' }))).toEqual({
      status: 404,
      code: 'no_encontrado',
    });
    const married = await citizen({ first_surname: 'Otro' });
    expect((await check(married.caller)).body).toEqual({ ...good, primer_apellido: false });
    const guess = await check(married.caller, { numero_serie: serial, primer_apellido: 'Otro' });
    expect(guess.body, 'the response reveals no registry data').toEqual({ ...good, primer_apellido: false });
  });

  test('[ELEV-02] checkCard reports eighteen-year-olds as of age from their birthday in official time', async () => {
    const born = async (birth_date: string) => (await check((await citizen({ birth_date })).caller)).body.mayor_de_edad;
    expect(await born('2053-03-04'), '18 years old today').toBe(true);
    expect(await born('2053-03-05'), '18 years old tomorrow').toBe(false);
    expect(await born(''), 'unknown birth date').toBe(false);
  });

  test('[ELEV-02] checkCard returns 503 if the registry is unreachable, and no match for an unknown number', async () => {
    const { caller, number } = await citizen();
    const unreachable = {
      ...server.parts,
      registry: { findHolder: () => Promise.reject(new RegistryUnreachableError('silent')) },
    };
    const { checkCard } = await import('../../../../src/server/features/elevation/index.ts');
    const { store } = server.parts;
    const request = {
      params: {},
      query: { numero_serie: serial },
      body: {},
      caller,
      cookies: {},
      origin: createInternalChangeOrigin('system', 't'),
    };
    expect(await catchError(checkCard(unreachable, request))).toEqual({ status: 503, code: 'registro_no_disponible' });
    await store.db.deleteFrom('registry').where('number', '=', number).execute();
    expect((await check(caller)).body).toEqual({ primer_apellido: false, numero_serie: false, mayor_de_edad: false });
  });

  test('[ELEV-02] bookElevation checks serial number, surname and age in the registry itself', async () => {
    const { caller } = await citizen();
    expect(await catchError(book(caller, { numero_serie: 'AAAAAA' }))).toEqual({
      status: 400,
      code: 'serie_no_coincide',
      field: 'numero_serie',
    });
    expect(await catchError(book(caller, { numero_serie: undefined }))).toEqual({
      status: 400,
      code: 'identidad_sin_comprobar',
      field: 'numero_serie',
    });
    expect(await catchError(book((await citizen({ first_surname: 'Otro' })).caller))).toMatchObject({
      code: 'apellido_no_coincide',
    });
    expect(await catchError(book((await citizen({ birth_date: '2060-01-01' })).caller))).toMatchObject({
      code: 'menor_de_edad',
    });
  });

  test('[CFG-03 ELEV-02] bookElevation without a serial number requires a passed card check of this session within 30 minutes', async () => {
    const { caller, number } = await citizen();
    const without = () => book(caller, { numero_serie: undefined });
    const missing = { code: 'identidad_sin_comprobar' };
    await check(caller, { numero_serie: 'AAAAAA' });
    expect(await catchError(without()), 'checked with another serial number').toMatchObject(missing);
    await check(caller, { numero_serie: serial, primer_apellido: 'Otro' });
    expect(await catchError(without()), 'checked with another surname').toMatchObject(missing);
    await check((await citizen()).caller);
    expect(await catchError(without()), 'checked in another session').toMatchObject(missing);
    await check(caller);
    server.clock.advance(30 * 60);
    expect(await catchError(without()), 'checked more than 30 minutes ago').toMatchObject(missing);
    await check(caller);
    const { db } = server.parts.store;
    await db.updateTable('registry').set({ first_surname: 'Otro' }).where('number', '=', number).execute();
    expect(await catchError(without()), 'the registry is queried again').toMatchObject({
      code: 'apellido_no_coincide',
    });
    await db.updateTable('registry').set({ first_surname: 'Fernández' }).where('number', '=', number).execute();
    expect((await without()).body).toMatchObject({ estado: 'Agendado' });
  });

  test("[ELEV-01] bookElevation books a call, mails it with a calendar entry, and adds it to the citizen's record", async () => {
    const { id, caller, email } = await citizen();
    expect((await record(id, caller)).info_tramite_videollamada_pendiente).toBeNull();
    const { body } = await book(caller);
    expect(body).toEqual({ id: body.id, estado: 'Agendado', fecha: date, hora_inicio: '09:00:00', minutos: 20 });
    expect((await record(id, caller)).info_tramite_videollamada_pendiente).toEqual({
      ...body,
      link: null,
      jwt: null,
      sala: false,
      abre: expect.stringMatching(/T11:55:00.000Z$/), // five minutes before nine in Montevideo
    });
    const mail = (await server.mails()).filter(({ recipient }) => recipient === email).at(-1);
    expect(mail?.subject).toBe('Tu videollamada para subir tu nivel está confirmada');
    expect(mail?.calendar).toContain('STATUS:CONFIRMED');
    expect(mail?.text).not.toContain('007HEC');
    expect(await server.auditFaults()).toEqual([]);
  });

  test('[ELEV-03] bookElevation rejects a taken place, and a citizen who has a pending call', async () => {
    const { caller } = await citizen();
    await book(caller);
    expect(await catchError(book(caller, { hora: '09:20:00' }))).toEqual({ status: 409, code: 'tramite_en_curso' });
    const other = await citizen();
    expect(await catchError(book(other.caller))).toEqual({ status: 409, code: 'cupo_ocupado' });
    expect((await book(other.caller, { hora: '09:20:00' })).body.estado).toBe('Agendado');
  });

  test('[ELEV-03] bookElevation gives the last place to one of four citizens, and one call to a citizen who asks four times', async () => {
    const many = await Promise.all(Array.from({ length: 4 }, () => citizen()));
    const races = await Promise.allSettled(many.map(({ caller }) => book(caller)));
    expect(races.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const race of races)
      if (race.status === 'rejected') expect(race.reason).toMatchObject({ code: 'cupo_ocupado' });
    const { caller } = await citizen();
    const wishes = await Promise.allSettled(
      ['09:20:00', '09:40:00', '09:20:00', '09:40:00'].map((hora) => book(caller, { hora })),
    );
    expect(wishes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('[ELEV-04] checkCard and bookElevation reject foreign documents, and bookElevation a level already reached', async () => {
    const foreign = await createOwner(server, `ELEX${database}`.toUpperCase());
    expect(await catchError(check(foreign.caller))).toEqual({ status: 403, code: 'sin_permiso' });
    expect(await catchError(book(foreign.caller))).toEqual({ status: 403, code: 'sin_permiso' });
    const { id, caller } = await citizen();
    await server.parts.store.db.updateTable('citizens').set({ level: 'Certificado' }).where('id', '=', id).execute();
    expect(await catchError(book(caller))).toEqual({ status: 409, code: 'nivel_ya_alcanzado' });
  });

  test('[ELEV-04 RUTA-10] operations of elevation require the permission, which is granted by default and can be revoked', async () => {
    const { id, number, browser } = await citizen();
    const document = { country: 'uy', type: 'ci', number };
    const act = (name: 'grant' | 'revoke', permission: [string, string]) =>
      performAccountAction(server.parts, { act: name, document, reason: 'r', operator: 'o', permission });
    const operations = ['getElevationDates', 'getElevationHours', 'checkCard', 'bookElevation'] as const;
    const permitted = async () => {
      const caller = (await browser.caller()) ?? expect.fail('signed out');
      return operations.filter((name) => {
        try {
          authorizeOperation(apiContract[name], caller, {});
          return true;
        } catch {
          return false;
        }
      });
    };
    expect(await permitted()).toEqual(operations);
    expect(await act('revoke', ['tramitar_videollamada', 'crear'])).toBe('done');
    expect(await permitted()).toEqual([]);
    expect(await act('revoke', ['tramitar_videollamada', 'crear'])).toBe('unchanged');
    expect(await act('grant', ['videollamada', 'crear'])).toBe('done');
    expect(await permitted()).toEqual(operations);
    await act('revoke', ['videollamada', 'crear']);
    await act('grant', ['tramitar_videollamada', 'crear']);
    expect(await permitted()).toEqual(operations);
    const { permissions } = await server.parts.store.db
      .selectFrom('citizens')
      .select('permissions')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(permissions).toEqual({ tramitar_videollamada: ['crear'] });
    const foreign = await createOwner(server, `ELEP${database}`.toUpperCase());
    expect(foreign.caller.permisos).toEqual({});
    const none = { ...server.parts, config: { ...server.parts.config, citizenPermissions: {} } };
    const caller = await browser.caller();
    expect(await authenticateBearerToken(none, 'nothing')).toBeNull();
    expect(caller?.permisos).toEqual({ tramitar_videollamada: ['crear'] });
  });

  test('[ELEV-05] cancelElevation cancels a pending call once, only for its own citizen', async () => {
    const { id, caller, email } = await citizen();
    const { body: booked } = await book(caller);
    const cancel = (by: Caller, call = booked.id) =>
      server.call('cancelElevation', { caller: by, params: { id: call } });
    const none = { status: 404, code: 'no_encontrado' };
    expect(await catchError(cancel((await citizen()).caller))).toEqual(none);
    expect(await catchError(cancel(caller, 'nada'))).toEqual(none);
    await cancel(caller);
    expect(await catchError(cancel(caller))).toEqual(none);
    expect((await record(id, caller)).info_tramite_videollamada_pendiente).toBeNull();
    expect((await subjects(email)).at(-1)).toBe('Se canceló tu videollamada para subir tu nivel');
    await book(caller);
  });

  test('[ELEV-06] acceptElevation raises the level once after approval, and mails a notice', async () => {
    const { id, caller, email, browser } = await citizen();
    const accept = () => server.call('acceptElevation', { caller });
    const gone = { status: 404, code: 'accion_ya_realizada' };
    expect(await catchError(accept())).toEqual(gone);
    await book(caller);
    expect(await catchError(accept()), 'before the call').toEqual(gone);
    await move(id, 'approve');
    const results = await Promise.allSettled([accept(), accept(), accept()]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const answer = await record(id, caller);
    expect(answer).toMatchObject({ nivel: 'CERTIFICADO', rid: 'Medio', firma_validada: null });
    expect(answer.info_tramite_videollamada_pendiente).toMatchObject({ estado: 'Exitoso' });
    expect((await browser.caller())?.citizenId).toBe(id);
    expect((await subjects(email)).filter((subject) => subject.includes('pasó a nivel Intermedio'))).toHaveLength(1);
    expect(await server.auditFaults()).toEqual([]);
  });

  test('[ELEV-06] acceptElevation does not change a level raised in person meanwhile, and the call can be cancelled', async () => {
    const { id, caller } = await citizen();
    const { body } = await book(caller);
    await move(id, 'approve');
    await server.parts.store.db.updateTable('citizens').set({ level: 'Verificado' }).where('id', '=', id).execute();
    expect(await catchError(server.call('acceptElevation', { caller }))).toMatchObject({ code: 'accion_ya_realizada' });
    expect((await record(id, caller)).nivel).toBe('PRESENCIAL');
    await server.call('cancelElevation', { caller, params: { id: body.id } });
    expect((await record(id, caller)).info_tramite_videollamada_pendiente).toBeNull();
  });

  test('[ELEV-08 DESK-07] raising the level in person cancels the pending call, frees its place and mails a notice', async () => {
    const { id, number, caller, email } = await citizen();
    await book(caller);
    const document = { country: 'uy', type: 'ci', number };
    const elevate = () => performAccountAction(server.parts, { act: 'elevate', document, reason: 'r', operator: 'o' });
    expect(await elevate()).toBe('done');
    expect((await record(id, caller)).info_tramite_videollamada_pendiente).toBeNull();
    const mail = (await server.mails()).filter(({ recipient }) => recipient === email).at(-1);
    expect(mail?.subject).toBe('Ya no necesitás tu videollamada para subir tu nivel');
    expect(mail?.calendar).toContain('METHOD:CANCEL');
    const { db } = server.parts.store;
    const row = await db.selectFrom('video_calls').selectAll().where('citizen_id', '=', id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ state: 'Cancelado', place: null });
    const [entry] = await db
      .selectFrom('audit')
      .selectAll()
      .where('citizen_id', '=', id)
      .where('action', '=', 'elevation-call-spare')
      .execute();
    expect(entry).toBeDefined();
    expect(await elevate(), 'a second elevation').toBe('unchanged');
    expect((await subjects(email)).filter((subject) => subject.startsWith('Ya no necesitás'))).toHaveLength(1);
    expect(await server.auditFaults()).toEqual([]);
  });

  test.each(['reject', 'fail'] as const)(
    '[ELEV-08] act %s leaves the level unchanged and permits a new booking',
    async (act) => {
      const { id, caller } = await citizen();
      await book(caller);
      await move(id, act);
      expect(await catchError(server.call('acceptElevation', { caller }))).toMatchObject({ status: 404 });
      expect((await record(id, caller)).nivel).toBe('AUTOREGISTRADO');
      expect((await book(caller)).body.estado).toBe('Agendado');
    },
  );

  describe('decision of an agent', () => {
    const decide = (id: string, decision: CallDecision, agent = 'carla') =>
      decideCall(server.parts, { id, decision, agent, reason: 'Se ve <bien>' });
    const newAgentId = async () => (await createAgent(server, `AG${randomUUID().slice(0, 8).toUpperCase()}`)).citizenId;

    test('[ELEV-08 DESK-04] approve requires a held call, and mails a link to the terms, whose acceptance raises the level', async () => {
      const { id, caller, email } = await citizen();
      const { body } = await book(caller);
      expect(await decide(body.id, 'approve')).toBe('not-held');
      await prepareApproval(server, body.id, await newAgentId());
      const room = async () => (await record(id, caller)).info_tramite_videollamada_pendiente;
      expect(await room()).not.toMatchObject({ link: null, sala: false, abre: null });
      expect(await decide(body.id, 'approve')).toMatchObject({ state: 'Pendiente usuario' });
      expect(await room(), 'no room after the call').toMatchObject({ link: null, sala: false, abre: null });
      expect(await decide(body.id, 'reject'), 'second decision').toBe('not-now');
      const mail = (await server.mails()).filter(({ recipient }) => recipient === email).at(-1);
      expect(mail?.subject).toBe('Comprobamos tu identidad: falta que aceptes las condiciones');
      expect(mail?.text).toContain('/confirmar-nivel-intermedio-videollamada');
      await server.call('acceptElevation', { caller });
      expect((await record(id, caller)).nivel).toBe('CERTIFICADO');
      const row = await server.parts.store.db
        .selectFrom('audit')
        .selectAll()
        .where('action', '=', 'elevation-call-approve')
        .orderBy('seq', 'desc')
        .executeTakeFirstOrThrow();
      expect(row).toMatchObject({ citizen_id: id, actor: 'agent' });
      expect(JSON.parse(row.details)).toMatchObject({
        agent: 'carla',
        reason: 'Se ve <bien>',
        state: 'Pendiente usuario',
      });
    });

    test('[ELEV-08] an approval whose terms are not accepted within 30 days ends in Error, is mailed, and permits a new booking', async () => {
      const { id, caller, email } = await citizen();
      const { body } = await book(caller);
      await prepareApproval(server, body.id, await newAgentId());
      await decide(body.id, 'approve');
      const dayS = 24 * 60 * 60;
      const { confirm_by: until } = await server.parts.store.db
        .selectFrom('video_calls')
        .selectAll()
        .where('id', '=', body.id)
        .executeTakeFirstOrThrow();
      const now = server.clock.now();
      expect(until).toEqual(addSeconds(now, 30 * dayS));
      const look = async (at: Date) => {
        await processDueCalls(server.parts, at);
        return (await record(id, caller)).info_tramite_videollamada_pendiente?.estado;
      };
      expect(await look(addSeconds(now, 30 * dayS - 1))).toBe('Pendiente usuario');
      expect(await look(addSeconds(now, 30 * dayS))).toBe('Error');
      expect((await subjects(email)).at(-1)).toBe('No subió tu nivel: no aceptaste las condiciones a tiempo');
      expect(await catchError(server.call('acceptElevation', { caller }))).toMatchObject({
        code: 'accion_ya_realizada',
      });
      expect((await book(caller)).body.estado).toBe('Agendado');
    });

    test('[ELEV-08 DESK-04] reject mails the reason as plain text, escaped in HTML', async () => {
      const { caller, email } = await citizen();
      const { body } = await book(caller);
      expect(await decide(body.id, 'reject')).toMatchObject({ state: 'Rechazado agente' });
      const mail = (await server.mails()).filter(({ recipient }) => recipient === email).at(-1);
      expect(mail?.text).toContain('> Se ve <bien>');
      expect(mail?.html).toContain('Se ve &lt;bien&gt;');
    });

    test('[ELEV-08 DESK-04] takes effect once if three decisions are concurrent', async () => {
      const { caller } = await citizen();
      const { body } = await book(caller);
      await prepareApproval(server, body.id, await newAgentId());
      const outcomes = await Promise.all([
        decide(body.id, 'approve'),
        decide(body.id, 'reject'),
        decide(body.id, 'fail'),
      ]);
      expect(outcomes.filter((outcome) => outcome === 'not-now')).toHaveLength(2);
    });

    test('[DESK-04] verify and refuse require another agent if a second agent is configured', async () => {
      const parts = { ...server.parts, config: { ...server.parts.config, elevationSecondAgent: true } };
      const { caller } = await citizen();
      const { body } = await book(caller);
      const with2 = (decision: CallDecision, agent: string) =>
        decideCall(parts, { id: body.id, decision, agent, reason: 'r' });
      await prepareApproval(server, body.id, await newAgentId());
      expect(await with2('approve', 'carla')).toMatchObject({ state: 'Pendiente verificación' });
      expect(await with2('verify', 'carla')).toBe('same-agent');
      expect(await with2('refuse', 'carla')).toBe('same-agent');
      expect(await with2('verify', 'dario')).toMatchObject({ state: 'Pendiente usuario' });
    });

    const unheld = 'Tu videollamada para subir tu nivel no se pudo completar';
    const unverified = 'Tu videollamada para subir tu nivel terminó sin la verificación';
    test.each([
      ['fail', 'Agendado', unheld, 'terminó sin que la pudiéramos completar'],
      ['fail', 'Pendiente agente', unheld, 'terminó sin que la pudiéramos completar'],
      ['fail', 'Pendiente verificación', unverified, 'se hizo, pero un problema técnico'],
      ['cancel', 'Agendado', 'Se canceló tu videollamada para subir tu nivel', 'su cupo quedó libre'],
      ['cancel', 'Pendiente verificación', 'Se canceló el trámite de tu videollamada para subir tu nivel', 'se hizo'],
      ['cancel', 'Pendiente usuario', 'Se canceló el trámite de tu videollamada para subir tu nivel', 'se hizo'],
    ] as const)(
      '[ELEV-08 DESK-04] %s of a call in state %s mails whether the call took place',
      async (decision, state, subject, says) => {
        const { id, caller, email } = await citizen();
        const { body } = await book(caller);
        await server.parts.store.db.updateTable('video_calls').set({ state }).where('id', '=', body.id).execute();
        await decide(body.id, decision);
        const mail = (await server.mails()).filter(({ recipient }) => recipient === email).at(-1);
        expect(mail?.subject).toBe(subject);
        expect(mail?.text.replace(/\s+/g, ' ')).toContain(says);
        expect(mail?.calendar ?? null, 'only a call that did not take place is removed from the calendar').toEqual(
          says === 'su cupo quedó libre' ? expect.stringContaining('STATUS:CANCELLED') : null,
        );
        const { estado } = (await record(id, caller)).info_tramite_videollamada_pendiente ?? {};
        expect(estado).toBe(decision === 'fail' ? 'Error' : undefined);
      },
    );

    test('[ELEV-08 DESK-04] an approval without verification expires after the deadline, and a new call can be booked', async () => {
      const config = { ...server.parts.config, elevationSecondAgent: true, elevationVerifyDays: 3 };
      const parts = { ...server.parts, config };
      const { id, caller, email } = await citizen();
      const { body } = await book(caller);
      await prepareApproval(server, body.id, await newAgentId());
      await decideCall(parts, { id: body.id, decision: 'approve', agent: 'carla', reason: 'r' });
      const { db } = server.parts.store;
      const now = server.clock.now();
      const look = async (days: number) => {
        await processDueCalls(parts, addSeconds(now, days * 24 * 60 * 60));
        return (await record(id, caller)).info_tramite_videollamada_pendiente?.estado;
      };
      expect(await look(0)).toBe('Pendiente verificación');
      expect(await look(2.99)).toBe('Pendiente verificación');
      expect(await look(3)).toBe('Error');
      expect((await subjects(email)).at(-1)).toBe('Tu videollamada para subir tu nivel terminó sin la verificación');
      const noted = db.selectFrom('audit').selectAll().where('action', '=', 'elevation-call-overlook');
      expect(await noted.where('citizen_id', '=', id).execute()).toMatchObject([{ actor: 'system' }]);
      expect((await record(id, caller)).nivel).toBe('AUTOREGISTRADO');
      expect(await decideCall(parts, { id: body.id, decision: 'verify', agent: 'dario', reason: 'r' })).toBe('not-now');
      expect((await book(caller)).body.estado).toBe('Agendado');
    });

    test('[DESK-04] is rejected for an unknown call or if it does not apply to the state', async () => {
      const { caller } = await citizen();
      const { body } = await book(caller);
      expect(await decide('nada', 'approve')).toBe('unknown');
      expect(await decide(body.id, 'attend'), 'decision for support calls').toBe('not-now');
      expect(await decide(body.id, 'verify'), 'no verification is pending').toBe('not-now');
      expect(await decide(body.id, 'cancel')).toMatchObject({ state: 'Cancelado' });
    });

    test('[DESK-10] portal calls lists a day, approves a held call once, and explains what is wrong with other commands (only PostgreSQL)', async () => {
      if (database !== 'postgresql') return; // PGlite permits only one process
      const { caller } = await citizen();
      const { body } = await book(caller);
      const { databaseUrl, dataDir } = server.parts.config;
      const run = (...words: readonly string[]) =>
        runInProcess(command, words, {
          BASE_URL: 'http://localhost:3000',
          DATABASE_URL: databaseUrl ?? '',
          DATA_DIR: dataDir,
        });
      const list = await run('list', date);
      expect(list.stderr).toBe('');
      expect(list.stdout).toContain(`${body.id}  09:00  elevation  Agendado  María José Fernández Ñíguez`);
      expect(await run('list', 'mañana')).toMatchObject({ status: 2, stderr: expect.stringContaining('YYYY-MM-DD') });
      expect(await run('approve', body.id)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('Missing option: --reason'),
      });
      expect(await run('approve', 'nada', '--reason', 'x')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('no such call'),
      });
      expect(await run('bless', body.id, '--reason', 'x')).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('no command bless'),
      });
      expect(await run('approve', body.id, '--reason', 'x')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('was not held for 60 s'),
      });
      const agentId = await newAgentId();
      await simulatePresence(server, body.id, agentId);
      expect(await run('approve', body.id, '--reason', 'x')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('every required point'),
      });
      const checklist = JSON.stringify(completeChecklist);
      await server.parts.store.db.updateTable('video_calls').set({ checklist }).where('id', '=', body.id).execute();
      expect(await run('approve', body.id, '--reason', 'x')).toMatchObject({
        status: 0,
        stdout: 'Done: Pendiente usuario.\n',
      });
      expect(await run('approve', body.id, '--reason', 'x')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('in no state'),
      });
    });
  });
});
