import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../../../src/server/platform/base/operation-request.ts';
import { sampleCitizens } from '../../../../src/server/app/sample/sample-citizens.ts';
import { saveForeignCitizen } from '../../../../src/server/trust/federation/upstream/provider-identities.ts';
import {
  findCitizen,
  findCitizenByDocument,
  findPasswordHash,
} from '../../../../src/server/trust/identity/citizens.ts';
import { formatProviderAmr } from '../../../../src/server/trust/identity/session-level.ts';
import { challengeNames } from '../../../../src/server/trust/identity/challenge-names.ts';
import { createForeignRegistration, readMailedLink, createRegistration } from '../../support/citizen-data.ts';
import { openSession } from '../../support/sessions.ts';
import { openBrowser, steps } from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const [, , incomplete] = sampleCitizens;

describe('citizen registered at a counter', () => {
  let server: TestServer;
  let caller: Caller;
  const own = () => ({ params: { id: caller.citizenId }, caller });
  const idOf = async (number: string) =>
    (
      await server.parts.store.db
        .selectFrom('citizens')
        .select('id')
        .where('number', '=', number)
        .executeTakeFirstOrThrow()
    ).id;

  beforeAll(async () => {
    server = await openTestServer();
    caller = {
      citizenId: await idOf(incomplete.document),
      document: incomplete.document,
      sessionId: '',
      role: 'citizen',
      permisos: {},
      restricted: false,
      factorDue: false,
      nid: 1,
    };
    caller = { ...caller, sessionId: await openSession(server, caller.citizenId, { amr: [challengeNames.password] }) };
  });
  afterAll(() => server.close());

  test('[ENT-01] getCitizen returns every field of the contract, with e-mail null', async () => {
    const { body } = await server.call('getCitizen', own());
    expect(body).toEqual({
      id: caller.citizenId,
      user: { id: caller.citizenId, email: null, permisos: { tramitar_videollamada: ['crear'] } },
      nombre_completo: 'Carlos González',
      primer_nombre: 'Carlos',
      segundo_nombre: '',
      primer_apellido: 'González',
      segundo_apellido: '',
      numero_documento: '29458715',
      numero_telefono: null,
      documento: {
        tipo_documento: { codigo: 'ci', nombre: 'Cédula de identidad' },
        pais_emisor: { codigo: 'uy', nombre: 'Uruguay' },
      },
      nivel: 'PRESENCIAL',
      nivel_de_confianza: { value: 'Verificado' },
      rid: 'Medio',
      acr: 'urn:iduruguay:nid:1',
      origen_registro: { nombre: 'PRESENCIAL' },
      firma_validada: null,
      email_validado: false,
      email_por_validar: null,
      cuenta_activa: true,
      bloqueado: false,
      acceso_funcionalidades: true,
      ultimo_login: '2071-03-04T15:00:00.000Z',
      ultimo_cambio_contrasena: '2071-03-04T15:00:00.000Z',
      info_tramite_videollamada_pendiente: null,
      info_videollamada_consulta: null,
      identidad_verificada: false,
      segundo_factor_pendiente: false,
    });
  });

  test('[REG-04 MFA-06] sign-in asks to complete the record before it asks to set up the second factor', async () => {
    const browser = openBrowser(server, '198.51.100.7');
    await browser.answer(
      'username',
      { username: incomplete.document, pais_emisor: null, tipo_documento: null },
      { extra: { redirect_url: '/seguridad' } },
    );
    const { body } = await browser.answer(steps.password, { password: incomplete.password });
    expect(body.location).toBe(
      `/registro?next=${encodeURIComponent(`/configurar-segundo-factor?redirect_uri=${encodeURIComponent('/seguridad')}`)}`,
    );
  });

  test.each([
    {
      note: 'another document',
      changes: { numero_documento: '38712057' },
      code: 'documento_distinto',
      field: 'numero_documento',
    },
    {
      note: 'another surname',
      changes: { primer_apellido: 'Gómez' },
      code: 'datos_no_coinciden',
      field: 'primer_apellido',
    },
  ])('[REG-04] completeRegistration rejects $note', async ({ changes, code, field }) => {
    const person = {
      primer_nombre: 'Carlos',
      segundo_nombre: '',
      primer_apellido: 'González',
      segundo_apellido: '',
      numero_documento: '29458715',
    };
    const body = await createRegistration(server, { ...person, ...changes });
    await expect(server.call('completeRegistration', { ...own(), body })).rejects.toMatchObject({ code, field });
  });

  test('[REG-04] completeRegistration stores e-mail and phone, and preserves names, level and password', async () => {
    const body = await createRegistration(server, {
      primer_nombre: 'carlos',
      segundo_nombre: '',
      primer_apellido: 'Gonzalez',
      segundo_apellido: '',
      numero_documento: '029458715',
      email: 'Carlos@Example.com',
      password: 'otra-frase-larga',
    });
    const { db } = server.parts.store;
    await db
      .insertInto('oidc_records')
      .values({
        model: 'RefreshToken',
        id: 'before',
        payload: 'x',
        grant_id: 'g',
        uid: null,
        account_id: caller.citizenId,
        client_id: 'app',
        expires_at: new Date(server.clock.now().getTime() + 1e6),
        consumed_at: null,
      })
      .execute();
    const password = await findPasswordHash(db, caller.citizenId);
    expect((await server.call('completeRegistration', { ...own(), body })).body).toMatchObject({
      email: 'carlos@example.com',
    });
    expect(await findPasswordHash(db, caller.citizenId)).toBe(password);
    expect(
      await db.selectFrom('oidc_records').select('id').where('account_id', '=', caller.citizenId).execute(),
    ).toEqual([]);
    expect((await server.call('getCitizen', own())).body).toMatchObject({
      nombre_completo: 'Carlos González',
      nivel_de_confianza: { value: 'Verificado' },
      numero_telefono: '+59899123456',
      user: { email: 'carlos@example.com' },
      email_validado: false,
      email_por_validar: { email: 'carlos@example.com' },
    });
    await expect(
      server.call('completeRegistration', {
        ...own(),
        body: { ...body, captcha_response: await server.solveCaptcha() },
      }),
    ).rejects.toMatchObject({ status: 409, code: 'registro_completo' });
  });

  test('[ACT-05] resendOwnActivation mails the validation link again until the e-mail is validated', async () => {
    expect((await server.call('resendOwnActivation', { ...own() })).body).toEqual({ resended: true });
    const uuid = await readMailedLink(server, 'carlos@example.com');
    expect((await server.call('activateAccount', { body: { uuid } })).body).toEqual({ estado: 'activada' });
    expect((await server.call('getCitizen', own())).body).toMatchObject({
      email_validado: true,
      email_por_validar: null,
    });
    expect((await server.call('resendOwnActivation', { ...own() })).body).toEqual({ resended: false });
  });
});

describe('[REG-04] record of a foreign identity provider', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  test.each([
    ['becomes the account of its document when it is completed', 'COMP1X', false],
    ['is unchanged if its document already has an account', 'COMP2X', true],
  ])('%s', async (_, number, taken) => {
    const { db } = server.parts.store;
    const email = `${number.toLowerCase()}@example.com`;
    const form = (changes = {}) =>
      createForeignRegistration(server, number, { email, repetir_email: email, ...changes });
    const document = { country: 'ar', type: 'psp', number };
    const person = { firstName: 'María', secondName: 'José', firstSurname: 'Fernández', secondSurname: 'Ñíguez' };
    const arrived = {
      provider: 'br',
      issuer: 'https://idp.example',
      subject: number,
      nid: 2,
      signedInAt: null,
      document,
      person,
    };
    const id = await server.parts.store.transaction((tx) => saveForeignCitizen(tx, arrived, server.clock.now()));
    const caller: Caller = {
      citizenId: id,
      document: `ar-psp-${number}`,
      sessionId: await openSession(server, id, { amr: [formatProviderAmr(2)], nid: 2, idp: 'br' }),
      role: 'foreign',
      permisos: {},
      restricted: false,
      factorDue: false,
      nid: 2,
    };
    if (taken) {
      await server.call('registerCitizen', {
        body: await form({ email: `otra-${email}`, repetir_email: `otra-${email}` }),
      });
      await server.call('activateAccount', { body: { uuid: await readMailedLink(server, `otra-${email}`) } });
    }
    const completed = server.call('completeRegistration', { caller, params: { id }, body: await form() });
    if (taken) await expect(completed).rejects.toMatchObject({ status: 409, code: 'ya_registrado' });
    else await completed;
    expect(await findCitizen(db, id)).toMatchObject(taken ? { idp: 'br', email: null } : { idp: null, email });
    expect((await findCitizenByDocument(db, document))?.id === id).toBe(!taken);
  });
});
