import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createOrigin } from '../../support/origin.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../../../src/server/platform/base/operation-request.ts';
import { addSeconds } from '../../../../src/server/platform/base/clock.ts';
import { createInternalChangeOrigin } from '../../../../src/server/platform/base/change-origin.ts';
import { insertVideoCall } from '../../../../src/server/features/video-calls/book-call.ts';
import { findLiveSession } from '../../../../src/server/trust/sessions/broker-sessions.ts';
import { findCitizen } from '../../../../src/server/trust/identity/citizens.ts';
import { startFakeServer } from '../../support/fake-server.ts';
import { issuePerson, issueRoot, encodePem, type IssuedCertificate } from '../../support/certificates.ts';
import { createActiveCitizen } from '../../support/citizen-data.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { signPdf } from '../../support/sign-pdf.ts';
import { signCms } from '../../support/sign-statement.ts';
import { recordIdentityProof, setUpTotp, signInCitizen } from '../../support/sign-in-browser.ts';
import { bindGuardedHandlers, openTestServer, type TestServer } from '../../support/test-server.ts';

const password = 'la-frase-correcta';
let folder: string;
let roots: string;
let root: IssuedCertificate;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signature-'));
  root = await issueRoot(createFakeClock().now());
  roots = join(folder, 'roots.pem');
  await writeFile(roots, encodePem(root));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const asFile = (bytes: Buffer) => `data:application/octet-stream;name=firma;base64,${bytes.toString('base64')}`;
const bytesIn = (url: string) => Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
const uuidOf = (url: string) => new URL(url, 'http://localhost').searchParams.get('uuid') ?? '';

describe.each([defaultDatabase])('digital signature, on %s', (database) => {
  let server: TestServer;
  let serial = 0;
  beforeAll(async () => {
    server = await openTestServer({ database, env: { SIGNATURE_ROOTS: roots } });
  });
  afterAll(() => server.close());

  /** Creates a citizen at level Básico with a certificate, and signs them in. */
  async function citizen() {
    const number = `FIR${++serial}${database[1]}`.toUpperCase();
    const id = await createActiveCitizen(server, number, password);
    await server.parts.store.db.deleteFrom('throttle').execute();
    return {
      id,
      number,
      email: `${number.toLowerCase()}@example.com`,
      ...(await signInCitizen(server, number, password)),
      signer: await issuePerson(server.clock.now(), root, `PSP${number}`, {
        subject: `CN=Persona, 2.5.4.5=PSP${number}, C=AR`,
      }),
    };
  }
  const record = async (id: string) => {
    const found = await findCitizen(server.parts.store.db, id);
    if (found === null) throw new Error(`no citizen ${id}`);
    return found;
  };
  const change = (id: string, values: object) =>
    server.parts.store.db.updateTable('citizens').set(values).where('id', '=', id).execute();
  const request = async (caller: Caller) => uuidOf((await server.call('requestSignature', { caller })).body.url);
  const prepare = async (caller: Caller, uuid: string) =>
    bytesIn(
      (await server.call('prepareSignature', { caller, params: { id: caller.citizenId }, body: { uuid } })).body
        .declaracion,
    );
  const submit = (caller: Caller, uuid: string, file: Buffer, address = '192.0.2.1') =>
    server.call('submitSignature', {
      caller,
      address,
      params: { id: caller.citizenId },
      body: { uuid, archivo: asFile(file) },
    });
  const signedDocument = (caller: Caller) =>
    server.call('getSignedDocument', { caller, params: { id: caller.citizenId } });
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'accepted',
      (error: { code: string }) => error.code,
    );

  test('[SEG-09] [SEG+FIRMA] requestSignature returns the address of the signing page, and stores nothing', async () => {
    const { caller } = await citizen();
    const { url } = (await server.call('requestSignature', { caller })).body;
    expect(url).toMatch(/^\/seguridad\/firma-digital\/firmar\?uuid=[\w-]{100,512}$/);
    expect(await server.parts.store.db.selectFrom('signature_requests').selectAll().execute()).toEqual([]);
  });

  test.each([
    ['an inactive account', { active_at: null }, 'firma_cuenta_inactiva'],
    ['an unvalidated address', { email_verified_at: null }, 'sin_correo'],
    ['no address', { email: null }, 'sin_correo'],
    ['level Intermedio', { level: 'Verificado' }, 'nivel_ya_alcanzado'],
  ])('[SEG-09] [SEG+FIRMA] every step rejects a citizen with %s', async (_note, values, code) => {
    const { caller, id, signer } = await citizen();
    const uuid = await request(caller);
    const file = await signCms(await prepare(caller, uuid), [signer]);
    await change(id, values);
    const { level } = await record(id);
    expect([
      await codeOf(request(caller)),
      await codeOf(prepare(caller, uuid)),
      await codeOf(submit(caller, uuid, file)),
    ]).toEqual([code, code, code]);
    expect(await record(id)).toMatchObject({ level, signature: null });
  });

  test('[SEG+FIRMA] the statement names citizen, document, date and level, and is the same each time it is prepared', async () => {
    const { caller, number } = await citizen();
    const uuid = await request(caller);
    const statement = await prepare(caller, uuid);
    const text = statement.toString('latin1');
    expect(text.startsWith('%PDF-1.7\n')).toBe(true);
    for (const part of [number, 'María José Fernández Ñíguez', 'Argentina', '2071', 'Intermedio'])
      expect(text.replace(/\) Tj T\*\n\(/g, ' ')).toContain(part);
    server.clock.advance(60);
    expect(await prepare(caller, uuid)).toEqual(statement);
    expect(await prepare(caller, await request(caller))).not.toEqual(statement);
  });

  test.each(['pdf', 'cms'] as const)(
    '[SEG-06] [SEG+FIRMA] a valid signature (%s) raises the level of the account, mails a notice, and its file can be downloaded',
    async (form) => {
      const { caller, id, email, signer } = await citizen();
      await server.call('getSignedDocument', { caller, params: { id } }).then(
        () => expect.unreachable(),
        (error: unknown) => expect(error).toMatchObject({ status: 404 }),
      );
      const uuid = await request(caller);
      const statement = await prepare(caller, uuid);
      const file = form === 'pdf' ? await signPdf(statement, signer) : await signCms(statement, [signer]);
      expect((await submit(caller, uuid, file)).body).toEqual({ falta_segundo_factor: true });

      const { body } = await server.call('getCitizen', { caller, params: { id } });
      expect(body).toMatchObject({
        nivel: 'CERTIFICADO',
        firma_validada: '/seguridad/firma-digital/documento',
        nivel_de_confianza: { value: 'Certificado' },
        rid: 'Medio',
      });
      const given = (await signedDocument(caller)).body;
      expect(bytesIn(given.documento)).toEqual(file);
      expect(given.declaracion === null ? null : bytesIn(given.declaracion)).toEqual(form === 'pdf' ? null : statement);
      expect((await server.mails()).filter(({ recipient }) => recipient === email).at(-1)?.subject).toBe(
        'Tu cuenta de Usuario digital pasó a nivel Intermedio',
      );
      const [entry] = await server.parts.store.db
        .selectFrom('audit')
        .selectAll()
        .where('citizen_id', '=', id)
        .where('action', '=', 'level-raised')
        .execute();
      expect(JSON.parse(entry?.details ?? '')).toEqual({
        by: 'signature',
        level: 'Certificado',
        certificate: expect.any(String),
      });
      expect(await server.auditFaults()).toEqual([]);
      expect((await findLiveSession(server.parts.store.db, caller.sessionId, server.clock.now()))?.nid).toBe(1); // the session was opened with a password only
    },
  );

  test('[SEG-06 ELEV-08] [SEG+FIRMA] a valid signature cancels the pending elevation call and mails a notice', async () => {
    const { caller, id, email, signer } = await citizen();
    const { commands, clock, store } = server.parts;
    const { country, type, number } = await record(id);
    const wanted = {
      kind: 'elevation',
      document: { country, type, number },
      citizenId: id,
      name: 'María',
      email,
    } as const;
    await commands.run(createInternalChangeOrigin('system', 'test'), (command) =>
      insertVideoCall(
        command,
        { ...wanted, phone: '', subject: '', message: '' },
        { startsAt: addSeconds(clock.now(), 86_400), endsAt: addSeconds(clock.now(), 87_000), state: 'Agendado' },
        1,
      ),
    );
    const uuid = await request(caller);
    await submit(caller, uuid, await signCms(await prepare(caller, uuid), [signer]));
    const row = await store.db
      .selectFrom('video_calls')
      .select(['state', 'place'])
      .where('citizen_id', '=', id)
      .execute();
    expect(row).toEqual([{ state: 'Cancelado', place: null }]);
    const subjects = (await server.mails())
      .filter(({ recipient }) => recipient === email)
      .map(({ subject }) => subject);
    expect(subjects).toContain('Ya no necesitás tu videollamada para subir tu nivel');
  });

  test('[SEG-06 MFA-05] [SEG+FIRMA] a session with a second factor reaches the new level at once, and the factor cannot be removed', async () => {
    const { caller, id, signer } = await citizen();
    const totp = await setUpTotp(server, caller);
    const uuid = await request(caller);
    expect((await submit(caller, uuid, await signCms(await prepare(caller, uuid), [signer]))).body).toEqual({
      falta_segundo_factor: false,
    });
    expect((await findLiveSession(server.parts.store.db, caller.sessionId, server.clock.now()))?.nid).toBe(2);
    await recordIdentityProof(server, caller);
    await expect(server.call('deleteTotp', { caller, params: { method: totp.id } })).rejects.toMatchObject({
      code: 'segundo_factor_obligatorio',
    });
    expect((await record(id)).level).toBe('Certificado');
  });

  test('[SEG+FIRMA] a signature request accepts one signature, and a rejected file does not use it up', async () => {
    const { caller, id, signer } = await citizen();
    const uuid = await request(caller);
    const statement = await prepare(caller, uuid);
    const good = await signCms(statement, [signer]);
    expect(await codeOf(submit(caller, uuid, Buffer.from('garbage')))).toBe('firma_ilegible');
    expect(await codeOf(submit(caller, uuid, good))).toBe('accepted');
    await change(id, { level: 'Autoregistrado', signature: null });
    expect(await codeOf(submit(caller, uuid, good))).toBe('firma_vencida');
    expect(await codeOf(prepare(caller, uuid))).toBe('firma_vencida');
    const next = await request(caller);
    await prepare(caller, next);
    expect(await codeOf(submit(caller, next, good))).toBe('firma_de_otro_documento');
    expect((await record(id)).level).toBe('Autoregistrado');
  });

  test('[SEG+FIRMA] a signature request accepts one of eight parallel uploads', async () => {
    const { caller, id, email, signer } = await citizen();
    const uuid = await request(caller);
    const file = await signCms(await prepare(caller, uuid), [signer]);
    const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(submit(caller, uuid, file))));
    expect(codes.filter((code) => code === 'accepted')).toHaveLength(1);
    expect(
      codes
        .filter((code) => code !== 'accepted')
        .every((code) => ['firma_vencida', 'nivel_ya_alcanzado'].includes(code)),
    ).toBe(true);
    expect(
      (await server.mails()).filter(({ recipient, subject }) => recipient === email && /Intermedio/.test(subject)),
    ).toHaveLength(1);
    expect((await record(id)).level).toBe('Certificado');
  });

  test('[SEG+FIRMA] a signature request expires after thirty minutes', async () => {
    const { caller, signer } = await citizen();
    const uuid = await request(caller);
    const file = await signCms(await prepare(caller, uuid), [signer]);
    server.clock.advance(30 * 60);
    expect([await codeOf(prepare(caller, uuid)), await codeOf(submit(caller, uuid, file))]).toEqual([
      'firma_vencida',
      'firma_vencida',
    ]);
  });

  test('[SEG+FIRMA] a signature request is bound to its citizen, session and statement', async () => {
    const [one, two] = [await citizen(), await citizen()];
    const [first, second] = [await request(one.caller), await request(two.caller)];
    const statement = await prepare(one.caller, first);
    await prepare(two.caller, second);
    const file = await signCms(statement, [one.signer]);
    const again = await signInCitizen(server, one.number, password);
    expect(await codeOf(prepare(two.caller, first))).toBe('firma_vencida');
    expect(await codeOf(submit(two.caller, first, file))).toBe('firma_vencida');
    expect(await codeOf(submit(again.caller, first, file))).toBe('firma_vencida');
    expect(await codeOf(submit(two.caller, second, file))).toBe('firma_de_otro_documento');
    expect(await codeOf(submit(one.caller, `${first.slice(0, -2)}AA`, file))).toBe('firma_vencida');
    expect(await codeOf(submit(one.caller, '', file))).toBe('firma_vencida');
    expect(await codeOf(submit(one.caller, await request(one.caller), file))).toBe('firma_vencida'); // the statement of this new request was never prepared
    expect(await codeOf(submit(one.caller, first, await signCms(statement, [two.signer])))).toBe('certificado_ajeno');
    expect(await codeOf(submit(one.caller, first, file))).toBe('accepted');
    await expect(signedDocument(two.caller)).rejects.toMatchObject({ status: 404 });
  });

  test('[SEG+FIRMA] repeated uploads of invalid files are delayed', async () => {
    const { caller } = await citizen();
    const uuid = await request(caller);
    await prepare(caller, uuid);
    const codes = new Set<string>();
    for (let tries = 0; tries < 22; tries += 1)
      codes.add(await codeOf(submit(caller, uuid, Buffer.from('garbage'), '198.51.100.9')));
    expect([...codes]).toEqual(['firma_ilegible', 'demasiados_intentos']);
  });
});

describe('[SEG-09 CFG-04] [SEG+FIRMA] requestSignature by configuration', () => {
  let server: TestServer;
  let caller: Caller;
  beforeAll(async () => {
    server = await openTestServer({
      env: { SIGNATURE_ROOTS: roots, DSS_URL: 'https://firma.example/inicio?app=portal' },
    });
    await createActiveCitizen(server, 'FIR0', password);
    ({ caller } = await signInCitizen(server, 'FIR0', password));
  });
  afterAll(() => server.close());

  test('returns 503 without trusted authorities, even if an external platform is configured', async () => {
    const trust = { ...server.parts.trust, roots: [] };
    const asked = bindGuardedHandlers({ ...server.parts, trust }).requestSignature;
    const request: Parameters<typeof asked>[0] = {
      params: {},
      query: {},
      body: {},
      caller,
      cookies: {},
      origin: createOrigin(),
    };
    await expect(asked(request)).rejects.toMatchObject({ status: 503, code: 'firma_no_disponible' });
  });

  test('returns the external platform with a sealed state and a return address, and permits redirects to it', async () => {
    const url = new URL((await server.call('requestSignature', { caller })).body.url);
    const state = url.searchParams.get('state') ?? '';
    expect([url.origin, url.pathname, url.searchParams.get('app')]).toEqual([
      'https://firma.example',
      '/inicio',
      'portal',
    ]);
    expect(state).toMatch(/^[\w-]{100,512}$/);
    expect(url.searchParams.get('return_url')).toBe(
      `http://localhost:3000/seguridad/firma-digital/firmar?uuid=${state}`,
    );
    expect(server.parts.config.redirectOrigins).toContain('https://firma.example');
  });
});

describe('[SEG+FIRMA] request bodies of the digital signature', () => {
  const post = async (path: string, body: string) => {
    const { http } = await startFakeServer();
    const { statusCode } = await http.inject({
      method: 'POST',
      url: path,
      payload: body,
      headers: { authorization: 'Bearer citizen', 'content-type': 'application/json' },
    });
    return statusCode;
  };
  const ofKb = (kb: number) => JSON.stringify({ archivo: 'a'.repeat(kb * 1024) });

  test('a signed file may have up to 3 MB, and the request for a statement 64 kB', async () => {
    expect(await post('/rest/ciudadanos/c-1/firma/', ofKb(2900))).toBe(200);
    expect(await post('/rest/ciudadanos/c-1/firma/', ofKb(3100))).toBe(413);
    expect(await post('/rest/ciudadanos/c-1/firma/declaracion/', ofKb(65))).toBe(413);
    expect(await post('/rest/ciudadanos/a-1/firma/', ofKb(1))).toBe(404);
  });
});
