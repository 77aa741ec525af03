import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { command } from '../../../../src/cli/database/account.ts';
import { hasAnyPermission } from '../../../../src/contract/operation-access.ts';
import {
  performAccountAction,
  describeAccount,
  type AccountActionRequest,
} from '../../../../src/server/features/account/account-actions.ts';
import { normalizeDocument } from '../../../../src/server/platform/base/identity-document.ts';
import { runInProcess } from '../../support/run-command.ts';
import { createOwner, password, listMailSubjects } from '../../support/account.ts';
import { createActiveCitizen } from '../../support/citizen-data.ts';
import { bothDatabases, defaultDatabase } from '../../support/databases.ts';
import { openBrowser, steps } from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

describe.each([defaultDatabase])('performAccountAction, on %s', (database) => {
  let server: TestServer;
  let serial = 0;
  beforeAll(async () => {
    server = await openTestServer({ database });
  });
  afterAll(() => server.close());

  const owner = () => createOwner(server, `ACT${++serial}`);
  const act = (name: AccountActionRequest['act'], number: string, permission?: AccountActionRequest['permission']) =>
    performAccountAction(server.parts, {
      act: name,
      document: normalizeDocument('ar', 'psp', number),
      reason: 'Pedido del juzgado',
      operator: 'marta',
      ...(permission && { permission }),
    });
  const lastEntry = async (id: string) =>
    await server.parts.store.db
      .selectFrom('audit')
      .selectAll()
      .where('citizen_id', '=', id)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
  const signIn = async (number: string) => {
    const browser = openBrowser(server);
    await browser.start(number);
    return browser.answer(steps.password, { password });
  };

  test('[SEG-07 ROL-01] block ends the session at once and rejects sign-ins until an unblock; both are mailed and audited once', async () => {
    const { id, number, email, browser } = await owner();
    expect(await act('block', number)).toBe('done');
    expect(await browser.caller()).toBeNull();
    await expect(signIn(number)).rejects.toMatchObject({ code: 'account_blocked' });
    expect(await act('block', number)).toBe('unchanged');
    expect(await act('unblock', number)).toBe('done');
    await signIn(number);
    expect((await listMailSubjects(server, email)).slice(-3, -1)).toEqual([
      'Se bloqueó tu cuenta de Usuario digital',
      'Se desbloqueó tu cuenta de Usuario digital',
    ]);
    expect(
      await server.parts.store.db
        .selectFrom('audit')
        .select('action')
        .where('citizen_id', '=', id)
        .where('actor', '=', 'agent')
        .orderBy('seq')
        .execute(),
    ).toEqual([{ action: 'account-blocked' }, { action: 'account-unblocked' }]);
  });

  test('[SEG-01] obtainToken and refreshToken name the block only for a session that the block ended', async () => {
    const { id, number, browser } = await owner();
    const before = await owner();
    const session = (secret = '') => ({ cookies: { session: secret } });
    const { token } = (await server.call('obtainToken', session(browser.cookies.session))).body;
    await server.call('logout', session(before.browser.cookies.session));
    server.clock.advance(1);
    for (const each of [number, before.number]) await act('block', each);
    await expect(server.call('obtainToken', session(browser.cookies.session))).rejects.toMatchObject({
      status: 401,
      code: 'account_blocked',
    });
    await expect(
      server.call('refreshToken', { ...session(browser.cookies.session), body: { token } }),
    ).rejects.toMatchObject({ status: 401, code: 'account_blocked' });
    await expect(server.call('obtainToken', session(before.browser.cookies.session))).rejects.toMatchObject({
      status: 401,
      code: 'no_autenticado',
    });
    await expect(server.call('obtainToken', {})).rejects.toMatchObject({ status: 401, code: 'no_autenticado' });
    await act('unblock', number);
    await expect(
      server.call('obtainToken', session(browser.cookies.session)),
      'the session is not restored',
    ).rejects.toMatchObject({ code: 'no_autenticado' });
    expect(id).not.toBe(before.id);
  });

  test('[SEG-07] restrict applies to the running session until unrestrict, audits reason and operator, and mails the reason', async () => {
    const { id, number, email, browser } = await owner();
    expect(await act('restrict', number)).toBe('done');
    expect(await browser.caller()).toMatchObject({ restricted: true });
    const entry = await lastEntry(id);
    expect([entry.actor, JSON.parse(entry.details)]).toEqual([
      'agent',
      { reason: 'Pedido del juzgado', operator: 'marta' },
    ]);
    const mail = (await server.mails()).filter(({ recipient }) => recipient === email).at(-1);
    expect(mail?.text).toContain('Motivo: Pedido del juzgado');
    expect(await act('unrestrict', number)).toBe('done');
    expect(await act('unrestrict', number)).toBe('unchanged');
    expect(await browser.caller()).toMatchObject({ restricted: false });
    expect(await server.auditFaults()).toEqual([]);
  });

  test('[RUTA-10] grant and revoke change the permissions of the running session', async () => {
    const { id, number, browser } = await owner();
    const pair = ['videollamada', 'crear'] as const;
    const may = async () => hasAnyPermission((await browser.caller())?.permisos ?? {}, [pair]);
    expect(await may()).toBe(false);
    expect(await act('grant', number, pair)).toBe('done');
    expect(await act('grant', number, ['videollamada', 'leer'])).toBe('done');
    expect(await act('grant', number, pair)).toBe('unchanged');
    expect(await may()).toBe(true);
    expect(
      (await server.call('getCitizen', { params: { id }, caller: await browser.caller() })).body.user.permisos,
    ).toEqual({ videollamada: ['crear', 'leer'] });
    expect(await act('revoke', number, pair)).toBe('done');
    expect(await may()).toBe(false);
    expect(await act('revoke', number, ['videollamada', 'leer'])).toBe('done');
    expect((await browser.caller())?.permisos).toEqual({});
  });

  test("[SEG-04] describeAccount is listed in the citizen's activity as a look by an agent; unknown documents return null", async () => {
    const { id, number, caller } = await owner();
    expect(await describeAccount(server.parts, normalizeDocument('ar', 'psp', number), 'marta')).toEqual(
      expect.arrayContaining([`document     ar-psp-${number}`, 'restricted   no']),
    );
    expect((await server.call('getActions', { caller, params: { id } })).body[0]).toMatchObject({
      responsable: 'Un agente',
      descripcion: 'Consulta de los datos de la cuenta',
    });
    expect(await describeAccount(server.parts, normalizeDocument('ar', 'psp', 'NOBODY'), 'marta')).toBeNull();
    expect(await act('block', 'NOBODY')).toBe('unknown');
  });

  test('restrict sends no mail to an address that was never verified', async () => {
    const { id, number, email } = await owner();
    await server.parts.store.db.updateTable('citizens').set({ email_verified_at: null }).where('id', '=', id).execute();
    const before = (await listMailSubjects(server, email)).length;
    expect(await act('restrict', number)).toBe('done');
    expect(await listMailSubjects(server, email)).toHaveLength(before);
  });
});

describe.each([...bothDatabases])('portal account, on %s', { timeout: 60_000 }, (database) => {
  let data: string;
  let server: TestServer;
  const open = () => openTestServer({ database, env: { DATA_DIR: data } });
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'portal-account-'));
    server = await open();
    await createActiveCitizen(server, 'CLI1', password);
    if (database === 'pglite') await server.close(); // closes the server, because the command needs the data folder and PGlite permits only one process per folder
  });
  afterAll(async () => {
    await server.close();
    await rm(data, { recursive: true, force: true });
  });
  const run = (...parameters: string[]) =>
    runInProcess(command, parameters, {
      DATA_DIR: data,
      BASE_URL: 'http://localhost:3000',
      DATABASE_URL: server.parts.config.databaseUrl ?? '',
    });

  test('[SEG-07 RUTA-10] requires a reason, performs the act, and shows its result', async () => {
    expect(await run('block', 'ar-psp-cli1')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Missing option: --reason TEXT.'),
    });
    expect(await run('restrict', 'ar-psp-cli1', '--reason', 'Robo')).toMatchObject({ status: 0, stderr: '' });
    if (database === 'pglite')
      server = await open(); // on PGlite, this step only reopens the server: each command requires a restart, which is slow
    else {
      const granted = await run('grant', 'ar-psp-CLI1', 'videollamada', 'crear', '--reason', 'Pedido');
      expect(granted.stdout).toContain('Done.');
      expect((await run('show', 'ar-psp-CLI1')).stdout).toMatch(
        /restricted {3}yes\n[^]*permissions {2}videollamada:crear\n/,
      );
    }
    const { features } = await server.parts.store.db
      .selectFrom('citizens')
      .select('features')
      .where('number', '=', 'CLI1')
      .executeTakeFirstOrThrow();
    expect(features).toBe(false);
    if (database === 'pglite') await server.close();
  });

  test.runIf(database === 'postgresql')(
    '[DESK-10] ends sessions, elevates in person, corrects from the registry, and audits the reason of each',
    async () => {
      const { db } = server.parts.store;
      const number = '38712057';
      const id = await createActiveCitizen(server, number, password);
      await db
        .updateTable('citizens')
        .set({ country: 'uy', type: 'ci', first_name: 'Juana' })
        .where('id', '=', id)
        .execute();
      for (const act of ['elevate', 'correct', 'end-sessions'])
        expect((await run(act, number, '--reason', 'Mostró la cédula.')).stdout, act).toContain('Done.');
      const citizen = db.selectFrom('citizens').select(['first_name', 'level']).where('id', '=', id);
      expect(await citizen.executeTakeFirst()).toEqual({ first_name: 'Juan', level: 'Verificado' });
      const noted = await db.selectFrom('audit').select(['actor', 'details']).where('citizen_id', '=', id).execute();
      expect(noted.filter(({ details }) => JSON.stringify(details).includes('Mostró la cédula.'))).toHaveLength(3);
      expect((await run('elevate', number, '--reason', 'x')).stdout, 'a second elevation').toContain('nothing changed');
    },
  );

  test.runIf(database === defaultDatabase).each([
    { note: 'a missing verb', parameters: [], says: 'Missing command.' },
    {
      note: 'an unknown verb',
      parameters: ['delete', 'ar-psp-CLI1', '--reason', 'x'],
      says: 'There is no command delete.',
    },
    { note: 'a missing document', parameters: ['block'], says: 'Missing argument: DOCUMENT.' },
    {
      note: 'a document without an account',
      parameters: ['block', '12345672', '--reason', 'x'],
      says: 'Nobody has this document.',
      status: 1,
    },
    {
      note: 'an incomplete permission',
      parameters: ['grant', 'ar-psp-CLI1', 'videollamada', '--reason', 'x'],
      says: 'Missing or invalid permission',
    },
    { note: 'an empty reason', parameters: ['block', 'ar-psp-CLI1', '--reason', ' '], says: 'must not be empty' },
    { note: 'an unknown option', parameters: ['block', 'ar-psp-CLI1', '--force'], says: '--force' },
  ])('[SEG-07] rejects $note with a message that names the error', async ({ parameters, says, status = 2 }) => {
    expect(await run(...parameters)).toMatchObject({ status, stderr: expect.stringContaining(says) });
  });
});
