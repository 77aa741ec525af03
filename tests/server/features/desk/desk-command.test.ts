import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { command } from '../../../../src/cli/database/desk.ts';
import { runInProcess } from '../../support/run-command.ts';
import { listMailLinks, createOwner } from '../../support/account.ts';
import { createMessageRow } from '../../support/citizen-data.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

// on PostgreSQL, because PGlite permits only one process
describe('desk command', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ database: 'postgresql' });
  });
  afterAll(() => server.close());

  const run = (...words: readonly string[]) =>
    runInProcess(command, words, {
      BASE_URL: 'http://localhost:3000',
      DATABASE_URL: server.parts.config.databaseUrl ?? '',
      DATA_DIR: server.parts.config.dataDir,
    });
  const audited = (action: string) =>
    server.parts.store.db.selectFrom('audit').selectAll().where('action', '=', action).execute();
  const done = (stdout: unknown = expect.any(String)) => ({ status: 0, stderr: '', stdout });

  test('[DESK-10 DESK-05] sets the hours of a week and of a date, drops a date, and audits each change', async () => {
    expect(await run('week', 'support', 'lun-vie 10:00-12:00 x3')).toMatchObject(done('Done.\n'));
    expect(await run('date', 'support', '2099-12-25', '--note', 'Navidad')).toMatchObject(done('Done.\n'));
    expect(await run('hours', 'support')).toMatchObject(
      done('lun-vie 10:00-12:00 x3\n30 min\n2099-12-25  closed  Navidad\n'),
    );
    expect(await run('drop', 'support', '2099-12-25')).toMatchObject(done('Done.\n'));
    expect(await run('week', 'support', 'ayer')).toMatchObject({ status: 1, stdout: '' });
    expect(await run('week', 'agenda', 'lun 10:00-12:00')).toMatchObject({ status: 1, stdout: '' });
    const rows = await audited('hours-set');
    expect(rows.map(({ actor }) => actor)).toEqual(['agent', 'agent', 'agent']);
    expect(JSON.parse(rows[0]?.details ?? '')).toMatchObject({ agenda: 'support', hours: 'lun-vie 10:00-12:00 x3' });
  });

  test('[DESK-10 DESK-08] lists waiting messages without control characters, and mails one answer per message', async () => {
    const { id } = await server.parts.store.db
      .insertInto('contact_messages')
      .values(createMessageRow({ message: '¿Cómo \u009b2J\u202esigo?' }))
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(await run('messages')).toMatchObject(done(expect.stringContaining('¿Cómo ·2J·sigo?\nWaiting: 1\n')));
    expect(await run('answer', String(id))).toMatchObject({ status: 2 });
    expect(await run('answer', String(id), '--text', 'Por acá.')).toMatchObject(done());
    expect(await run('answer', String(id), '--text', 'Otra vez.')).toMatchObject({ status: 1 });
    const mails = (await server.mails()).filter(({ recipient }) => recipient === 'ines@example.com');
    expect(mails.map(({ text }) => text.includes('Por acá.'))).toEqual([true]);
    expect([(await audited('messages-shown')).length, (await audited('message-answered')).length]).toEqual([1, 1]);
  });

  test('[DESK-10 DESK-07] starts a change of e-mail address with --seen and --reason, and requires both', async () => {
    const owner = await createOwner(server, 'ORDEN1');
    const words = ['email', `ar-psp-${owner.number}`, 'orden@example.com'];
    expect(await run(...words, '--reason', 'x'), 'without --seen').toMatchObject({ status: 2 });
    expect(await run(...words, '--seen'), 'without --reason').toMatchObject({ status: 2 });
    expect(await run('email', 'ar-psp-NADIE', 'orden@example.com', '--seen', '--reason', 'x')).toMatchObject({
      status: 1,
    });
    expect(await run(...words, '--seen', '--reason', 'Perdió el correo.')).toMatchObject(done());
    expect(await listMailLinks(server, 'orden@example.com', 'aprobar')).toHaveLength(1);
    const [entry] = (await audited('email-change-requested')).slice(-1);
    expect(entry).toMatchObject({ citizen_id: owner.id, actor: 'agent' });
    expect(JSON.parse(entry?.details ?? '')).toMatchObject({ reason: 'Perdió el correo.' });
  });

  test('[DESK-10 DESK-09] prints the figures of thirteen weeks as CSV', async () => {
    const { stdout, status } = await run('figures');
    expect(status).toBe(0);
    const lines = stdout.trim().split('\r\n');
    expect(lines[0]).toBe('"week","calls","missed","wait_min","states"');
    expect(lines).toHaveLength(14);
    expect(await audited('figures-shown')).toHaveLength(1);
  });
});
