import { createServer } from 'node:net';
import { sql } from 'kysely';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  claimMail,
  enqueueMail,
  listRefusedMails,
  retryRefusedMails,
  countWaitingMails,
} from '../../../src/server/platform/mail/outbox.ts';
import { startOutboxPage } from '../../../src/server/platform/mail/outbox-page.ts';
import { mailTemplates } from '../../../src/server/app/server-modules.ts';
import { loadMailTemplates } from '../../../src/server/platform/mail/load-mail-templates.ts';
import { readConfig } from '../../../src/server/platform/config/read-config.ts';
import { startMailWorker } from '../../../src/server/platform/mail/mail-worker.ts';
import { warnOfClockSkew } from '../../../src/server/platform/jobs/clock-skew.ts';
import { createForeignRegistration } from '../support/citizen-data.ts';
import { bothDatabases } from '../support/databases.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

/** Starts an SMTP server that records the mails it receives. */
async function startSmtp(
  options: { refuse?: () => boolean; slowMs?: number; reject?: 'sender' | 'recipient' | 'message' } = {},
) {
  const rejection = (what: string) =>
    options.reject === what ? Object.assign(new Error(`no such ${what} to0@example.com`), { responseCode: 550 }) : null;
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => done(rejection('sender')),
    onRcptTo: (_address, _session, done) => done(rejection('recipient')),
    onData(stream, _, done) {
      const chunks: Buffer[] = [];
      stream
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const rejected = rejection('message');
          if (rejected) return done(rejected);
          if (options.refuse?.()) return done(Object.assign(new Error('try later'), { responseCode: 451 }));
          received.push(Buffer.concat(chunks).toString());
          return setTimeout(done, options.slowMs ?? 0);
        });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

describe.each(bothDatabases)('mail worker on %s', (database) => {
  let server: TestServer;
  const log: string[] = [];
  const workers: ReturnType<typeof startMailWorker>[] = [];
  beforeAll(async () => {
    server = await openTestServer({ database });
  });
  afterAll(() => server.close());
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
  });

  /** Timeout for a worker, which polls once a second. */
  const soon = { timeout: 30_000 };
  const worker = (smtpUrl: string) => {
    const { store } = server.parts;
    const started = startMailWorker({
      store,
      smtpUrl,
      from: 'Usuario digital <no-responder@example.uy>',
      log: pino({ level: 'trace' }, { write: (line) => log.push(line) }),
    });
    workers.push(started);
    return started;
  };
  const enqueue = (count: number) =>
    server.parts.store.transaction(async (tx) => {
      for (let index = 0; index < count; index++) {
        await enqueueMail(
          tx,
          { email: `to${index}@example.com`, citizenId: null },
          { subject: `S${index}`, text: `T${index}`, html: `<p>${index}</p>` },
          server.clock.now(),
        );
      }
    });
  /** Moves due mails into the past, as if time had passed, because mails are due by the clock of the database. */
  const pass = async (seconds: number) => {
    await sql`update outbox set due_at = due_at - ${seconds} * interval '1 second'`.execute(server.parts.store.db);
  };
  const unsent = async () =>
    (await server.parts.store.db.selectFrom('outbox').select('id').where('sent_at', 'is', null).execute()).length;

  test('[REG-09] sends the activation mail of a registration as text and HTML, and then deletes its text from the outbox', async () => {
    await server.call('registerCitizen', {
      body: await createForeignRegistration(server, 'MAIL1', {
        email: 'ñandú@example.com'.replace('ñandú', 'nandu'),
        primer_nombre: 'Ñusta',
      }),
    });
    const smtp = await startSmtp();
    expect(await worker(smtp.url).deliverDueMails()).toBe(1);
    const [message = ''] = smtp.received;
    expect(message).toMatch(/^From: Usuario digital <no-responder@example\.uy>\r\nTo: nandu@example\.com\r\n/m);
    expect(message).toMatch(/^Message-ID: <outbox-\d+@example\.uy>\r$/m);
    expect(message, 'Auto-Submitted header (RFC 3834)').toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(message).toMatch(/^X-Auto-Response-Suppress: All\r$/m);
    expect(message).toContain('Content-Type: text/plain; charset=utf-8');
    expect(message).toContain('Content-Type: text/html; charset=utf-8');
    expect(message).toMatch(/Content-Type: image\/png; name=mark\.png\r\nContent-Id: <mark@portal>[\s\S]+iVBORw0KGgo/i);
    expect(decodeQuotedPrintable(message)).toContain('<img src="cid:mark@portal"');
    expect(decodeQuotedPrintable(message)).toMatch(
      /Hola, Ñusta:[\s\S]+http:\/\/localhost:3000\/registro\/activar-cuenta\?uuid=[\w-]{43}/,
    );
    expect((await server.mails()).at(-1)).toMatchObject({ recipient: 'nandu@example.com', text: '', html: '' });
    expect(await unsent()).toBe(0);
    await smtp.close();
  });

  test('[REG-09] retries mails with doubled pauses while the mail server fails, and delivers all of them in the end', async () => {
    await enqueue(3);
    let broken = true;
    const smtp = await startSmtp({ refuse: () => broken });
    const mailer = worker(smtp.url);
    expect(await mailer.deliverDueMails()).toBe(0);
    expect(await mailer.deliverDueMails()).toBe(0);
    await pass(10);
    expect(await mailer.deliverDueMails()).toBe(0);
    broken = false;
    await pass(15);
    expect(await mailer.deliverDueMails()).toBe(0);
    await pass(5);
    await mailer.deliverDueMails();
    await expect.poll(unsent).toBe(0); // polls, because a worker may already have sent a mail
    expect(smtp.received).toHaveLength(3);
    await smtp.close();
  });

  test('[REG-09] keeps a mail in the outbox while the mail server is unreachable, and logs neither recipient nor text', async () => {
    await enqueue(1);
    const free = await new Promise<number>((resolve) => {
      const probe = createServer().listen(0, () => {
        const address = probe.address();
        probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
      });
    });
    log.length = 0;
    expect(await worker(`smtp://127.0.0.1:${free}`).deliverDueMails()).toBe(0);
    expect(log.join()).toContain('stays in the outbox');
    expect(log.join()).not.toMatch(/to0@example|T0/);
    await pass(10);
    const smtp = await startSmtp();
    expect(await worker(smtp.url).deliverDueMails()).toBe(1);
    await smtp.close();
  });

  test('[OPER-10] tries few mails per round while the mail server is unreachable, and sends all of them once it is back', async () => {
    const { db } = server.parts.store;
    await enqueue(3);
    await sql`update outbox set attempts = 9 where sent_at is null`.execute(db);
    const away = await startSmtp();
    await away.close();
    const mailer = worker(away.url);
    expect(await mailer.deliverDueMails()).toBe(0);
    await mailer.close();
    const tried = await db.selectFrom('outbox').select('id').where('attempts', '>', 9).execute();
    expect(tried.length).toBeLessThan(3); // at most two, because a worker may have added an attempt
    await pass(30);
    const smtp = await startSmtp();
    await worker(smtp.url).deliverDueMails();
    await expect.poll(unsent, soon).toBe(0);
    expect(smtp.received).toHaveLength(3);
    await smtp.close();
  });

  test('[OPER-10] spends few attempts on a mail server that drops connections, and sends all mails once it is back', async () => {
    const { db } = server.parts.store;
    await enqueue(3);
    const smtp = await startSmtp();
    const proxy = await startTcpProxy(smtp.url);
    proxy.refuse();
    const mailer = worker(proxy.url);
    for (let round = 0; round < 5; round += 1) expect(await mailer.deliverDueMails()).toBe(0);
    const { attempts } = await db
      .selectFrom('outbox')
      .select(({ fn }) => fn.sum<number>('attempts').as('attempts'))
      .where('sent_at', 'is', null)
      .executeTakeFirstOrThrow();
    expect(Number(attempts), 'attempts in five rounds').toBeLessThan(3);
    proxy.restore();
    await pass(30);
    await mailer.deliverDueMails();
    await expect.poll(unsent, soon).toBe(0);
    expect(smtp.received).toHaveLength(3);
    await proxy.close();
    await smtp.close();
  });

  test('sends a subject with a code, and then stores the subject without the code', async () => {
    const { db } = server.parts.store;
    const mail = { subject: '123456 es tu código', archivedSubject: 'Tu código', text: 'T', html: '<p>T</p>' };
    await server.parts.store.transaction((tx) =>
      enqueueMail(tx, { email: 'codigo@example.com', citizenId: null }, mail, server.clock.now()),
    );
    const smtp = await startSmtp();
    await worker(smtp.url).deliverDueMails();
    await expect.poll(unsent, soon).toBe(0);
    await smtp.close();
    expect(smtp.received.join()).toMatch(/^Subject: (=\?UTF-8\?Q\?)?123456/m);
    const row = await db
      .selectFrom('outbox')
      .selectAll()
      .where('recipient', '=', 'codigo@example.com')
      .executeTakeFirst();
    expect(row).toMatchObject({ subject: 'Tu código', sent_subject: null });
    expect(JSON.stringify(row)).not.toContain('123456');
  });

  test('[REG-09 OPER-04] sends each mail once with two workers in parallel', async () => {
    await enqueue(16);
    const smtp = await startSmtp();
    const [one, two] = [worker(smtp.url), worker(smtp.url)];
    await Promise.all([one.deliverDueMails(), two.deliverDueMails(), one.deliverDueMails(), two.deliverDueMails()]);
    await expect.poll(() => smtp.received.length, soon).toBe(16); // waits, because the polling of a worker may send some of the mails
    const subjects = smtp.received.map((message) => /Subject: (S\d+)/.exec(message)?.[1]);
    expect(new Set(subjects).size).toBe(16);
    expect(subjects).toHaveLength(16);
    await smtp.close();
  });

  test('[OPER-04] retries a mail claimed by a dead worker after five minutes', async () => {
    await enqueue(1);
    const claimed = await claimMail(server.parts.store);
    expect(claimed?.attempts).toBe(1);
    const smtp = await startSmtp();
    const mailer = worker(smtp.url);
    await pass(299);
    expect(await mailer.deliverDueMails()).toBe(0);
    await pass(1);
    expect(await mailer.deliverDueMails()).toBe(1);
    await smtp.close();
  });

  test('claims one mail at a time with a slow mail server, and sends none twice with a clock that is ahead', async () => {
    server.clock.advance(3600);
    await enqueue(6);
    const smtp = await startSmtp({ slowMs: 60 });
    worker(smtp.url); // this worker polls every second, as in a server
    const held = () =>
      server.parts.store.db
        .selectFrom('outbox')
        .select('id')
        .where('sent_at', 'is', null)
        .where('attempts', '>', 0)
        .execute();
    await expect.poll(() => smtp.received.length, soon).toBeGreaterThan(0);
    expect((await held()).length).toBeLessThanOrEqual(1);
    await worker(smtp.url).deliverDueMails();
    await expect
      .poll(
        async () =>
          (await server.parts.store.db.selectFrom('outbox').select('id').where('sent_at', 'is', null).execute()).length,
        soon,
      )
      .toBe(0);
    expect(smtp.received).toHaveLength(6);
    await smtp.close();
  });

  test.each(['recipient', 'message'] as const)(
    'tries a mail once if its %s is rejected permanently, lists it as refused, and can retry it',
    async (reject) => {
      await enqueue(1);
      const refusing = await startSmtp({ reject });
      log.length = 0;
      expect(await worker(refusing.url).deliverDueMails()).toBe(0);
      expect(log.join()).toContain('refused for good');
      expect(log.join()).not.toContain('to0@example');
      await pass(7200);
      expect(await worker(refusing.url).deliverDueMails()).toBe(0);
      await refusing.close();
      const { store } = server.parts;
      const [refused, ...others] = await listRefusedMails(store);
      expect(others).toEqual([]);
      expect(refused).toMatchObject({
        recipient: 'to0@example.com',
        subject: 'S0',
        refusal: expect.stringContaining(`no such ${reject}`),
      });
      expect(await countWaitingMails(store)).toBe(0);
      expect(await retryRefusedMails(store, (refused?.id ?? 0) + 1)).toBe(0);
      expect(await retryRefusedMails(store, refused?.id)).toBe(1);
      const smtp = await startSmtp();
      expect(await worker(smtp.url).deliverDueMails()).toBe(1);
      await smtp.close();
    },
  );

  test('retries a mail after a temporary rejection, and gives up after 128 attempts', async () => {
    await enqueue(1);
    const { db } = server.parts.store;
    const later = await startSmtp({ refuse: () => true });
    const mailer = worker(later.url);
    expect(await mailer.deliverDueMails()).toBe(0);
    expect([await countWaitingMails(server.parts.store), await listRefusedMails(server.parts.store)]).toEqual([1, []]);
    await db.updateTable('outbox').set({ attempts: 127 }).where('sent_at', 'is', null).execute();
    await pass(10);
    expect(await mailer.deliverDueMails()).toBe(0);
    await later.close();
    const [given] = await listRefusedMails(server.parts.store);
    expect(given).toMatchObject({ recipient: 'to0@example.com', refusal: expect.stringContaining('451') });
    await db.deleteFrom('outbox').where('sent_at', 'is', null).execute();
  });

  test('sends codes, notices and desk mails from their configured senders, with one domain in Message-ID', async () => {
    const smtp = await startSmtp();
    const { mailFrom: from, mailSenders: senders } = readConfig({
      BRAND_PRODUCT: 'Cuenta "única"',
      MAIL_FROM: 'no-responder@example.uy',
      MAIL_FROM_CODES: 'Códigos <codigos@example.uy>',
      MAIL_FROM_DESK: 'Agentes <agentes@mesa.example.uy>',
    });
    const log = pino({ level: 'silent' });
    const mailer = startMailWorker({ store: server.parts.store, smtpUrl: smtp.url, from, senders, log });
    workers.push(mailer);
    await server.parts.store.transaction(async (tx) => {
      for (const sender of [undefined, 'codes', 'notices', 'desk'] as const)
        await enqueueMail(
          tx,
          { email: 'a@example.com', citizenId: null, sender },
          { subject: 'S', text: 'T', html: '<p>T</p>' },
          server.clock.now(),
        );
    });
    await mailer.deliverDueMails();
    await expect.poll(() => smtp.received.length, soon).toBe(4);
    await smtp.close();
    expect(smtp.received.map((message) => /^From: .*<(.*)>/m.exec(message)?.[1])).toEqual([
      'no-responder@example.uy',
      'codigos@example.uy',
      'no-responder@example.uy',
      'agentes@mesa.example.uy',
    ]);
    expect(from).toBe('"Cuenta \\"única\\"" <no-responder@example.uy>');
    for (const message of smtp.received) expect(message).toMatch(/^Message-ID: <outbox-\d+@example\.uy>\r$/m);
  });

  test('keeps mails waiting if the mail server rejects the sender', async () => {
    await enqueue(1);
    const refusing = await startSmtp({ reject: 'sender' });
    expect(await worker(refusing.url).deliverDueMails()).toBe(0);
    await refusing.close();
    expect(await listRefusedMails(server.parts.store)).toEqual([]);
    expect(await countWaitingMails(server.parts.store)).toBe(1);
  });

  test("warnOfClockSkew logs by how many seconds the server's clock differs from the database's", async () => {
    const { store } = server.parts;
    const warnings = async (aheadMs: number) => {
      const lines: string[] = [];
      await warnOfClockSkew(
        store,
        { now: () => new Date(Date.now() + aheadMs) },
        pino({ level: 'warn' }, { write: (line) => lines.push(line) }),
      );
      return lines.map((line) => (JSON.parse(line) as { aheadS: number }).aheadS);
    };
    expect(await warnings(0)).toEqual([]);
    expect(await warnings(300_000)).toEqual([300]);
    expect(await warnings(-300_000)).toEqual([-300]);
  });
});

describe('mail templates', () => {
  test('escape values in HTML, and remove line breaks from the subject', async () => {
    const templates = await loadMailTemplates(mailTemplates, 'https://a.example');
    const mail = templates.renderTemplate('activation', 'es', {
      product: 'A\r\nBcc: x@example.com',
      name: '<script>alert("1")</script>',
      link: 'https://a.example/?x=1&y=2',
      expires: 'hoy',
    });
    expect(mail.subject).toBe('Activá tu cuenta de A Bcc: x@example.com');
    expect(mail.html).not.toContain('<script>');
    expect(mail.html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(mail.html).toContain('href="https://a.example/?x=1&amp;y=2"');
  });

  test('adapt to phones and dark mode, and load no external resource', async () => {
    const { html } = (await loadMailTemplates(mailTemplates, 'https://a.example')).renderTemplate('code', 'es', {
      product: 'Usuario digital',
      name: 'Ana',
      code: '123456',
      expires: 'hoy',
    });
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme: dark)');
    expect([...html.matchAll(/(?:src|href|url)[=(]"?([^"\s)]+)/g)].map(([, address]) => address)).toEqual([
      'cid:mark@portal',
      'https://a.example/como-saber-que-es-autentico',
    ]);
    expect(html).toMatch(/<h1[^>]*>Tu código de verificación de Usuario digital<\/h1>/);
  });

  test('put the code in the subject, and not in the archived subject', async () => {
    const templates = await loadMailTemplates(mailTemplates, 'https://a.example');
    const values = { product: 'Usuario digital', name: 'Ana', code: '123456', expires: 'hoy' };
    const { subject, archivedSubject, text } = templates.renderTemplate('code', 'es', values);
    expect(subject).toBe('123456 es tu código de Usuario digital');
    expect(archivedSubject).toBe('Tu código de verificación de Usuario digital');
    expect(text).toMatch(/correo es nuestro:\nhttps:\/\/a\.example\/como-saber-que-es-autentico$/);
  });

  test.each(['es', 'pt'] as const)('leave no placeholder unfilled in %s', async (language) => {
    const templates = await loadMailTemplates(mailTemplates, 'https://a.example');
    const { subject, text, html } = templates.renderTemplate('activation', language, {
      product: 'P',
      name: 'N',
      link: 'https://l.example',
      expires: 'E',
    });
    for (const part of [subject, text, html]) {
      expect(part).not.toBe('');
      expect(part).not.toMatch(/\{\{|\}\}/);
    }
  });
});

describe('outbox page', () => {
  let server: TestServer;
  let page: Awaited<ReturnType<typeof startOutboxPage>>;
  beforeAll(async () => {
    server = await openTestServer();
    await server.parts.store.transaction(async (tx) => {
      await enqueueMail(
        tx,
        { email: 'a@example.com', citizenId: null },
        { subject: '<b>first</b>', text: 'see https://a.example/?a=1&b=2', html: '<p>one</p>' },
        server.clock.now(),
      );
      await enqueueMail(
        tx,
        { email: 'b@example.com', citizenId: null },
        { subject: 'second', text: 'two', html: '<script>alert(1)</script><img src="cid:mark@portal">' },
        server.clock.now(),
      );
    });
  });
  beforeEach(async () => {
    page = await startOutboxPage(server.parts.store, 0);
  });
  afterEach(() => page.close());
  afterAll(() => server.close());

  test('lists the mails as JSON, newest first, or those of one recipient', async () => {
    const messages = await (await fetch(`${page.url}/messages`)).json();
    expect(messages).toMatchObject([{ to: 'b@example.com', subject: 'second', text: 'two' }, { to: 'a@example.com' }]);
    expect(messages[0].date).toBe(server.clock.now().toISOString());
    const own = await (await fetch(`${page.url}/messages?to=a%40example.com`)).json();
    expect(own).toMatchObject([{ to: 'a@example.com', subject: '<b>first</b>' }]);
  });

  test('escapes the list and each mail, under a content security policy without scripts', async () => {
    const list = await fetch(page.url);
    expect(await list.text()).toContain('&lt;b&gt;first&lt;/b&gt;');
    const mail = await fetch(`${page.url}/messages/1`);
    expect(await mail.text()).toContain('<a href="https://a.example/?a=1&amp;b=2">');
    for (const response of [list, mail])
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await fetch(`${page.url}/messages/2/html`);
    expect(await html.text()).toContain('data:image/png;base64,iVBOR'); // in place of the image that is attached to the mail
    expect(html.headers.get('content-security-policy')).toMatch(/^sandbox .*default-src 'none'/);
  });

  test.each([
    { note: 'a mail that does not exist', path: '/messages/99', init: {}, status: 404 },
    { note: 'a number that is too large', path: '/messages/99999999999999999999', init: {}, status: 404 },
    { note: 'another path', path: '/etc', init: {}, status: 404 },
    { note: 'another method', path: '/messages', init: { method: 'POST' }, status: 405 },
  ])('rejects $note', async ({ path, init, status }) => {
    expect((await fetch(page.url + path, init)).status).toBe(status);
  });

  test('rejects a request with a foreign Host header', async () => {
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      request(`${page.url}/messages`, { headers: { host: 'rebound.example' } }, (response) =>
        resolve(response.statusCode),
      ).end();
    });
    expect(status).toBe(403);
  });
});

function decodeQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
