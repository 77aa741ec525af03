import { once } from 'node:events';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServedDefinitions } from '../../../../src/engine/compiler/definitions.ts';
import { productDefinitions } from '../../../definitions/support/product-definitions.ts';
import { createScreenValidator } from '../../../../src/server/app/create-screen-validator.ts';
import type { OperationBody } from '../../../../src/contract/contract.ts';
import type { HandlerContext } from '../../../../src/server/features/handler-context.ts';
import { OperationError, InvalidBodyError } from '../../../../src/server/platform/base/errors.ts';
import { formatCsv } from '../../../../src/contract/format/csv.ts';
import { toUruguayIsoDate, parseUruguayInstant, addToDate } from '../../../../src/contract/format/dates.ts';
import { startMailWorker } from '../../../../src/server/platform/mail/mail-worker.ts';
import { enqueueMail } from '../../../../src/server/platform/mail/outbox.ts';
import { listContactMessages } from '../../../../src/server/features/desk/contact-messages.ts';
import { exportFeedback } from '../../../../src/server/features/support/export-feedback.ts';
import { purgeExpiredData } from '../../../../src/server/app/purge-expired-data.ts';
import { startFakeServer } from '../../support/fake-server.ts';
import { createOwner } from '../../support/account.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const support = 'soporte@localhost';
const empty = 'No se puede enviar el formulario vacío.';
const day = 24 * 60 * 60;

let definitions: ServedDefinitions;
beforeAll(async () => {
  definitions = await productDefinitions;
});

/** Returns the server's parts with the real form validation. */
const withFormValidation = (parts: HandlerContext): HandlerContext => ({
  ...parts,
  validateForm: createScreenValidator({ ...parts, definitions: () => definitions }),
});

/** Returns code, field and messages of a rejected call. */
async function catchRefusal(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof InvalidBodyError) return { errors: error.errors };
  if (!(error instanceof OperationError)) throw new Error(`not refused: ${String(error)}`);
  const { status, code, field } = error;
  return { status, code, field };
}

describe.each([defaultDatabase])('contact messages, on %s', (database) => {
  let server: TestServer;
  let count = 0;
  beforeAll(async () => {
    server = await openTestServer({ database, parts: withFormValidation });
  });
  afterAll(() => server.close());

  /** Creates a message with a new document, e-mail address and network, so that it shares no rate limit with other tests. */
  const message = async (changes: Record<string, unknown> = {}) => {
    count += 1;
    return {
      nombre_completo: 'Inés Quiroga',
      pais_emisor: 'ar',
      tipo_documento: 'psp',
      numero_documento: `CON${count}`,
      email: `ines${count}@example.com`,
      telefono: '+598 99 123 456',
      asunto: 'firma-digital',
      mensaje: 'No puedo firmar.',
      captcha_response: await server.solveCaptcha(),
      ...changes,
    };
  };
  const send = async (
    changes: Record<string, unknown> = {},
    request: Partial<Parameters<TestServer['call']>[1]> = {},
  ) => {
    const body = await message(changes);
    await server.call('sendContactMessage', { body, address: `192.0.2.${count}`, ...request });
    return body;
  };
  const mailsTo = async (recipient: string) => (await server.mails()).filter((mail) => mail.recipient === recipient);
  const stored = () =>
    server.parts.store.db.selectFrom('contact_messages').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
  const newest = async () => {
    const [mail] = await server.parts.store.db
      .selectFrom('outbox')
      .selectAll()
      .where('recipient', '=', support)
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    if (!mail) throw new Error('no mail to the support');
    return mail;
  };

  test('[CONT-01] getContactSubjects returns the subjects in the requested language', async () => {
    const { body } = await server.call('getContactSubjects');
    expect(body).toHaveLength(9);
    expect(body[0]).toEqual({ id: 'registro', nombre: 'Registro y activación de cuenta' });
    expect((await server.call('getContactSubjects', { language: 'pt' })).body.at(-1)).toEqual({
      id: 'otro',
      nombre: 'Outro',
    });
  });

  test('[CONT-03 DESK-08] sender, support and desk receive the same number and the same due date', async () => {
    const body = await message();
    const address = `192.0.2.${count}`;
    const { numero, plazo } = (await server.call('sendContactMessage', { body, address })).body;
    const due = addToDate(toUruguayIsoDate(server.clock.now()), { days: 7 });
    expect({ numero, plazo }).toEqual({ numero: String((await stored()).id), plazo: due });
    const told = `${Number(due.slice(-2))} de marzo`;
    for (const { text } of [...(await mailsTo(body.email)), await newest()]) {
      expect(text).toContain(numero);
      expect(text).toContain(told);
    }
    const desk = async (now = server.clock.now()) => {
      const { mensajes } = await listContactMessages({ ...server.parts, clock: { now: () => now } });
      return mensajes.find(({ id }) => id === numero);
    };
    expect(await desk()).toMatchObject({ plazo: due, atrasado: false });
    expect(await desk(parseUruguayInstant(due, '23:59'))).toMatchObject({ atrasado: false });
    expect(await desk(parseUruguayInstant(addToDate(due, { days: 1 }), '00:00'))).toMatchObject({ atrasado: true });
  });

  test('[CONT-03] a message is stored, mailed to support with Reply-To, confirmed to the sender, and audited without its text', async () => {
    const body = await send({
      email: ' Ines.Quiroga@Example.com ',
      mensaje: 'Primera línea.\r\n\r\nSegunda línea.',
      numero_documento: 'ab99',
    });
    expect(await stored()).toMatchObject({
      citizen_id: null,
      name: 'Inés Quiroga',
      country: 'ar',
      type: 'psp',
      number: 'AB99',
      email: 'ines.quiroga@example.com',
      phone: '+598 99 123 456',
      subject: 'firma-digital',
      message: 'Primera línea.\r\n\r\nSegunda línea.',
      language: 'es',
    });
    const mail = await newest();
    expect(mail).toMatchObject({ subject: 'Contacto: Firma digital', reply_to: 'ines.quiroga@example.com' });
    expect(mail.text).toContain('Documento: ar-psp-AB99');
    expect(mail.text).toContain('Sesión: no iniciada');
    expect(mail.text).toContain('\n\n> Primera línea.\n> \n> Segunda línea.\n\n');
    expect(mail.html).toMatch(/<blockquote[^>]*>Primera línea\.<br><br>Segunda línea\.<\/blockquote>/);
    const [confirmation] = await mailsTo('ines.quiroga@example.com');
    expect(confirmation).toMatchObject({ subject: 'Recibimos tu mensaje en Usuario digital', reply_to: null });
    for (const typed of [body.mensaje.split('\r')[0], body.nombre_completo, body.telefono, 'AB99']) {
      expect(`${confirmation?.subject} ${confirmation?.text} ${confirmation?.html}`).not.toContain(typed);
    }
    const audit = await server.parts.store.db
      .selectFrom('audit')
      .selectAll()
      .orderBy('seq', 'desc')
      .executeTakeFirstOrThrow();
    expect(audit).toMatchObject({
      action: 'contact-message',
      citizen_id: null,
      details: '{"subject":"firma-digital"}',
    });
    expect(await server.auditFaults()).toEqual([]);
  });

  test('[CONT-03] the mail to support says that the sender gave no phone number', async () => {
    await send({ telefono: '' });
    expect((await newest()).text).toContain('\n\nTeléfono: sin completar\n\n');
  });

  test("[CONT-03] the confirmation is in the sender's language, the mail to support in Spanish", async () => {
    const { email } = await send({}, { language: 'pt' });
    expect((await mailsTo(email))[0]?.subject).toBe('Recebemos a sua mensagem em Usuario digital');
    expect((await newest()).subject).toBe('Contacto: Firma digital');
  });

  test('[CONT-04] the sender is recorded as signed in by the session, whatever the form claims', async () => {
    await send({ logueado: true });
    expect((await stored()).citizen_id).toBeNull();
    expect((await newest()).text).toContain('Sesión: no iniciada');
    const { id, caller } = await createOwner(server, `OWNER${database}`.toUpperCase());
    await send({ logueado: false }, { caller });
    expect((await stored()).citizen_id).toBe(id);
    expect((await newest()).text).toContain(
      `Sesión: iniciada con la cuenta del documento ar-psp-OWNER${database.toUpperCase()}`,
    );
  });

  test('[CONT-05 CONT-07] a used captcha, an unknown subject and an invalid document type are rejected on their fields', async () => {
    const before = (await server.mails()).length;
    const body = await send();
    const again = server.call('sendContactMessage', { body, address: '198.51.100.1' });
    expect(await catchRefusal(again), 'used captcha').toMatchObject({
      status: 400,
      code: 'captcha_invalido',
      field: 'captcha_response',
    });
    expect(await catchRefusal(send({ asunto: 'inventado' }))).toMatchObject({
      status: 400,
      code: 'asunto_desconocido',
      field: 'asunto',
    });
    expect(await catchRefusal(send({ tipo_documento: 'ci' }))).toMatchObject({
      status: 400,
      code: 'documento_no_admitido',
      field: 'tipo_documento',
    });
    expect((await server.mails()).length, 'mails of one accepted message').toBe(before + 2);
  });

  test('[CONT-07] hostile texts are escaped in the mail to support', async () => {
    const numero_documento = '{{>message}}\r\nBcc: todos@example.com';
    await send({ numero_documento, mensaje: '<img src=x onerror=alert(1)>\r\n> cita\n{{email}}\nDocumento: uy-ci-1' });
    const { subject, text, html } = await newest();
    expect(subject).toBe('Contacto: Firma digital');
    expect(text).toContain('Documento: ar-psp-MESSAGEBCCTODOSEXAMPLECOM');
    expect(text.match(/^Documento: /gm), 'the text cannot imitate a line of the mail').toHaveLength(1);
    expect(text).toContain('> <img src=x onerror=alert(1)>\n> > cita\n> {{email}}\n> Documento: uy-ci-1');
    expect(html.match(/<img[^>]*>/g)).toEqual([expect.stringContaining('src="cid:mark@portal"')]); // the logo in the mail template
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;<br>');
  });

  test('[CONT-05] a mailbox receives at most three confirmations a day in any spelling, and every message is stored', async () => {
    const addresses = ['vecina', 've.cina', 'vecina+1', 'vecina+2', 've.cina+3', 'vecina+4'].map(
      (local) => `${local}@${database}.example.com`,
    );
    const mails = async () => (await server.mails()).filter(({ recipient }) => addresses.includes(recipient)).length;
    for (const email of addresses) {
      await send({ email });
      server.clock.advance(3600);
    }
    expect(await mails()).toBe(3);
    expect(
      await server.parts.store.db.selectFrom('contact_messages').select('id').where('email', 'in', addresses).execute(),
    ).toHaveLength(6);
    server.clock.advance(day);
    await send({ email: addresses[0] });
    expect(await mails()).toBe(4);
  });

  test.each([
    { note: 'the same address', same: (one: number) => ({ email: `limite${one}@example.com` }), most: 3 },
    { note: 'the same document', same: (one: number) => ({ numero_documento: `LIM${one}` }), most: 5 },
  ])('[CONT-05] repeated messages with $note are delayed', async ({ same, most }) => {
    const changes = same(count + 1000);
    for (let index = 0; index < most; index += 1) await send(changes);
    expect(await catchRefusal(send(changes))).toMatchObject({ status: 429, code: 'demasiados_intentos' });
    server.clock.advance(15 * 60);
    await send(changes);
  });

  test('[CONT-05] the 21st message from one network address is rejected with 429', async () => {
    const address = '203.0.113.7';
    for (let index = 0; index < 20; index += 1) await send({}, { address });
    expect(await catchRefusal(send({}, { address }))).toMatchObject({ status: 429 });
  });

  test('[CONT-05] the mail to support has the sender as Reply-To, and a hostile outbox row adds no Bcc header', async () => {
    const received: string[] = [];
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, _, done) {
        const chunks: Buffer[] = [];
        stream
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            received.push(Buffer.concat(chunks).toString());
            done();
          });
      },
    });
    await once(smtp.listen(0, '127.0.0.1'), 'listening');
    const address = smtp.server.address();
    const { store, clock } = server.parts;
    await store.db.deleteFrom('outbox').execute();
    await send({ email: 'con+signo@example.com' });
    const hostile = 'a@example.com\r\nBcc: b@example.com, c@example.com';
    await store.transaction((tx) =>
      enqueueMail(
        tx,
        { email: support, citizenId: null, replyTo: hostile },
        { subject: 'S', text: 'T', html: 'H' },
        clock.now(),
      ),
    );
    const worker = startMailWorker({
      store,
      smtpUrl: `smtp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
      from: 'Usuario digital <no-responder@example.uy>',
      log: pino({ level: 'silent' }),
    });
    expect(await worker.deliverDueMails()).toBe(3);
    await worker.close();
    await new Promise<void>((done) => smtp.close(() => done()));
    const heads = received.map((text) => text.slice(0, text.indexOf('\r\n\r\n')));
    const replies = heads.map((head) => /^Reply-To: .*$/m.exec(head)?.[0].trim());
    expect(replies.filter((reply) => reply === 'Reply-To: con+signo@example.com')).toHaveLength(1);
    expect(
      replies.filter((reply) => reply === undefined),
      'number of confirmations',
    ).toHaveLength(1);
    for (const head of heads) expect(head).not.toMatch(/^Bcc:/m);
    expect(
      await store.db.selectFrom('outbox').select('id').where('reply_to', 'is not', null).execute(),
      'deleted after sending',
    ).toEqual([]);
  });

  test('[CONT-03] messages are purged after two years', async () => {
    const left = async () => (await server.parts.store.db.selectFrom('contact_messages').select('id').execute()).length;
    expect(await left()).toBeGreaterThan(0);
    server.clock.advance(729 * day);
    await purgeExpiredData(server.parts, server.clock.now());
    expect(await left()).toBeGreaterThan(0);
    server.clock.advance(2 * day);
    await purgeExpiredData(server.parts, server.clock.now());
    expect(await left()).toBe(0);
  });
});

describe.each([defaultDatabase])('feedback, on %s', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ database, parts: withFormValidation });
  });
  afterAll(() => server.close());
  const send = async (body: OperationBody<'sendFeedback'>, address = '192.0.2.1') =>
    server.call('sendFeedback', {
      body: { captcha_response: await server.solveCaptcha(), ...body },
      address,
      language: 'pt',
    });
  const stored = () =>
    server.parts.store.db.selectFrom('feedback').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();

  test('[CONT-06 INI-03] stores every value with the page path, and audits it without the citizen', async () => {
    await send({
      pregunta_1: 4,
      pregunta_2: 1,
      pregunta_3_checkbox_1: true,
      pregunta_3_checkbox_2: false,
      pregunta_3_checkbox_6: true,
      pregunta_4: ' Más letra grande. ',
      email: 'Ana@Correo.uy',
      util: 'no',
      pagina: '/contraseña/restablecer?token=secreto#x',
    });
    expect(await stored()).toMatchObject({
      page: '/contraseña/restablecer',
      useful: 'no',
      usefulness: 4,
      clarity: 1,
      boxes: '1 6',
      comment: 'Más letra grande.',
      email: 'ana@correo.uy',
      language: 'pt',
    });
    const audit = await server.parts.store.db
      .selectFrom('audit')
      .selectAll()
      .orderBy('seq', 'desc')
      .executeTakeFirstOrThrow();
    expect(audit).toMatchObject({ action: 'feedback', citizen_id: null, details: '{}' });
    expect(await server.mails()).toEqual([]);
  });

  test.each([
    { note: 'an empty form', body: {}, errors: { button: empty } },
    { note: 'only the values of the footer', body: { util: 'si', pagina: '/' }, errors: { button: empty } },
    {
      note: 'only unticked boxes and blanks',
      body: { pregunta_3_checkbox_1: false, pregunta_4: ' ', pregunta_1: null, email: '' },
      errors: { button: empty },
    },
    {
      note: 'an empty form without a captcha',
      body: { captcha_response: null },
      errors: { button: empty, captcha_response: 'Requerido' },
    },
    {
      note: 'a comment of 2049 characters',
      body: { pregunta_4: 'a'.repeat(2049) },
      errors: { pregunta_4: 'Asegúrese de que este campo no tenga más de 2048 caracteres.' },
    },
    { note: 'a wrong address', body: { pregunta_1: 1, email: 'ana@' }, errors: { email: 'Ingrese un email válido' } },
    {
      note: 'a value beyond the scale',
      body: { pregunta_2: 5 },
      errors: { pregunta_2: 'Elegí una de las opciones.' },
    },
  ])('[CONT-06] rejects $note, with the error on its field', async ({ body, errors }) => {
    const refused = catchRefusal(
      server.call('sendFeedback', { body: { captcha_response: await server.solveCaptcha(), ...body } }),
    );
    expect(await refused).toEqual({ errors });
  });

  test('[CONT-06] accepts a captcha once', async () => {
    const captcha_response = await server.solveCaptcha();
    await send({ pregunta_1: 1, captcha_response });
    expect(await catchRefusal(send({ pregunta_1: 1, captcha_response }))).toMatchObject({
      code: 'captcha_invalido',
      field: 'captcha_response',
    });
  });

  test.each([
    { pagina: '//evil.example/', note: 'another host' },
    { pagina: 'https://evil.example/', note: 'an absolute URL' },
    { pagina: '/%E0%A4%A', note: 'malformed' },
    { pagina: '/a\r\nb', note: 'a line break' },
    { pagina: `/${'a'.repeat(300)}`, note: 'too long' },
    { pagina: '/<script>', note: 'markup' },
    { pagina: null, note: 'none' },
  ])('[INI-03] stores no page if it is not a valid path ($note)', async ({ pagina }) => {
    await send({ pregunta_1: 1, util: 'quizás', pagina });
    expect(await stored()).toMatchObject({ page: null, useful: null });
  });

  test('[CONT-06] rejects the 61st form from one network address with 429', async () => {
    for (let index = 0; index < 60; index += 1) await send({ pregunta_1: 1 }, '203.0.113.9');
    expect(await catchRefusal(send({ pregunta_1: 1 }, '203.0.113.9'))).toMatchObject({ status: 429 });
  });

  test('[CONT-06] exports CSV without runnable formulas', async () => {
    await send({
      pregunta_4: '=HYPERLINK("https://evil.example";"x")',
      pregunta_3_checkbox_2: true,
      pagina: '/ayuda',
      util: 'si',
    });
    const rows = await exportFeedback(server.parts.store);
    expect(rows[0]).toEqual([
      'created_at',
      'language',
      'page',
      'useful',
      'usefulness',
      'clarity',
      'boxes',
      'comment',
      'email',
    ]);
    const line = formatCsv(rows).trimEnd().split('\r\n').at(-1);
    expect(line).toBe(
      `"${server.clock.now().toISOString()}","pt","/ayuda","si","","","2","'=HYPERLINK(""https://evil.example"";""x"")",""`,
    );
  });

  test('[CONT-06] is purged after two years', async () => {
    server.clock.advance(731 * day);
    await purgeExpiredData(server.parts, server.clock.now());
    expect(await server.parts.store.db.selectFrom('feedback').select('id').execute()).toEqual([]);
  });
});

test.each([
  { cell: '+1', written: "'+1", note: 'plus sign' },
  { cell: '@SUM(1)', written: "'@SUM(1)", note: 'at sign' },
  { cell: ' =1', written: "' =1", note: 'after a blank' },
  { cell: '\t=1', written: "\t'=1", note: 'after a tab' },
  { cell: '\n-1', written: "\n'-1", note: 'after a line break' },
  { cell: '＝1', written: "'＝1", note: 'full width' },
  { cell: 'a;=1', written: "a;'=1", note: 'after a semicolon (Spanish separator)' },
  { cell: 'a|@x,-1', written: "a|'@x,'-1", note: 'after a bar and after a comma' },
  { cell: 'a;"=1"', written: `a;'""=1""`, note: 'in quotes after a separator' },
  { cell: 'a\r\n ＋1', written: "a\r\n' ＋1", note: 'full width on another line' },
  { cell: 'a=1, "b" y-c', written: 'a=1, ""b"" y-c', note: 'ordinary text, only quotes escaped' },
])('[CONT-06] formatCsv writes no runnable formula: $note', ({ cell, written }) => {
  expect(formatCsv([[cell]])).toBe(`"${written}"\r\n`);
});

test('[CONT-06 CFG-03] POST /rest/feedback-form/ rejects an unknown field', async () => {
  const { http, called } = await startFakeServer();
  const answer = await http.inject({
    method: 'POST',
    url: '/rest/feedback-form/',
    payload: { pregunta_1: 1, citizen_id: 'x' },
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ field: 'citizen_id', code: 'datos_invalidos' });
  expect(called).toEqual([]);
});

test.each([
  { method: 'GET', url: '/contacto', type: 'text/html' },
  { method: 'GET', url: '/contacto/?lang=pt', type: 'text/html' },
  { method: 'GET', url: '/contacto/mensaje-enviado', type: 'text/html' },
  { method: 'GET', url: '/contacto/enviar/', type: 'application/json', status: 405 },
  { method: 'GET', url: '/contacto/enviar?x=/', type: 'application/json', status: 405 },
  { method: 'POST', url: '/contacto/enviar/', type: 'application/json', status: 200 },
  { method: 'GET', url: '/auth/no-existe', type: 'text/html', status: 404 },
  { method: 'GET', url: '/auth/billetera/estado/no-existe', type: 'text/html', status: 404 },
  { method: 'PUT', url: '/auth/idp-link', type: 'application/json', status: 405 },
] as const)('[RUTA-06 CFG-03] $method $url returns $type', async ({ method, url, type, ...rest }) => {
  const { http } = await startFakeServer();
  const answer = await http.inject({ method, url, ...(method === 'POST' && { payload: {} }) });
  expect(answer.headers['content-type']).toContain(type);
  if ('status' in rest) expect(answer.statusCode).toBe(rest.status);
});
