import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../../../src/server/platform/base/operation-request.ts';
import {
  listMailLinks,
  createOwner,
  password,
  confirmPassword,
  listMailSubjects,
  withoutLimits,
  type Owner,
} from '../../support/account.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { readMailedCode, openBrowser, setUpEmail, signInCitizen, steps } from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const invalid = { status: 400, code: 'vinculo_invalido', invalidToken: true };

describe.each([defaultDatabase])('change of the e-mail address, on %s', (database) => {
  let server: TestServer;
  let serial = 0;
  beforeAll(async () => {
    server = await openTestServer({ database, parts: withoutLimits });
  });
  afterAll(() => server.close());

  /** Creates a citizen who has just confirmed their password. */
  async function owner(): Promise<Owner & { readonly fresh: string }> {
    const citizen = await createOwner(server, `MAIL${++serial}${database[1]}`.toUpperCase());
    await confirmPassword(server, citizen.caller);
    return { ...citizen, fresh: `new-${citizen.email}` };
  }
  const request = (caller: Caller, email: string, more: object = {}) =>
    server.call('updateEmail', { caller, body: { email, ...more } });
  const approve = (uuid: string, caller: Caller | null = null) =>
    server.call('approveEmailChange', { caller, body: { uuid } });
  const record = async (caller: Caller) =>
    (await server.call('getCitizen', { caller, params: { id: caller.citizenId } })).body;
  const address = async (caller: Caller) => (await record(caller)).user.email;
  const links = (email: string) => listMailLinks(server, email, '/modificar/aprobar');
  const uuidOf = async (email: string) => (await links(email)).at(-1)?.searchParams.get('uuid') ?? '';

  test('[CORREO-01 CORREO-03 CFG-03] mails a link to the new address; the link changes it, notifies both addresses and ends other sessions', async () => {
    const { caller, email, fresh, number, browser } = await owner();
    const other = await signInCitizen(server, number, password);
    const running = openBrowser(server);
    await running.start(number);
    expect((await request(caller, fresh.toUpperCase())).body.uuid).toMatch(/^[\w-]{43}$/);
    expect(await record(caller)).toMatchObject({
      user: { email },
      email_validado: true,
      email_por_validar: { email: fresh },
    });
    expect((await server.call('getPendingEmail', { caller })).body).toEqual({ email: fresh });
    expect((await server.call('getEmail', { caller })).body).toEqual({
      email,
      email_validado: true,
      email_por_validar: fresh,
    });
    expect((await listMailSubjects(server, email)).at(-1)).toBe(
      'Pidieron cambiar el correo electrónico de tu cuenta de Usuario digital',
    );
    const [link] = await links(fresh);
    expect(link?.href).toMatch(
      /^http:\/\/localhost:3000\/seguridad\/correo-electronico\/modificar\/aprobar\?uuid=[\w-]{43}&email=[\w-]+$/,
    );
    expect(Buffer.from(link?.searchParams.get('email') ?? '', 'base64url').toString()).toBe(fresh);

    expect((await approve(await uuidOf(fresh), caller)).body).toEqual({ estado: 'confirmado' });
    expect(await record(caller)).toMatchObject({
      user: { email: fresh },
      email_validado: true,
      email_por_validar: null,
    });
    expect((await listMailSubjects(server, email)).at(-1)).toBe(
      'Se cambió el correo electrónico de tu cuenta de Usuario digital',
    );
    expect((await listMailLinks(server, email, '/no-fui-yo')).length).toBeGreaterThan(0);
    expect((await listMailSubjects(server, fresh)).at(-1)).toBe(
      'Este es el nuevo correo electrónico de tu cuenta de Usuario digital',
    );
    expect(await listMailLinks(server, fresh, '/no-fui-yo')).toEqual([]);
    expect(await browser.caller()).not.toBeNull();
    expect(await other.browser.caller()).toBeNull();
    await expect(running.answer(steps.password, { password })).rejects.toMatchObject({ code: 'sesion_expirada' });
  });

  test('[CORREO-03] does not accept the uuid in the response of the request as a confirmation', async () => {
    const { caller, email, fresh } = await owner();
    const { uuid } = (await request(caller, fresh)).body;
    await expect(approve(uuid, caller)).rejects.toMatchObject(invalid);
    expect(await address(caller)).toBe(email);
  });

  test("[CORREO-03] accepts the link when signed out and in another citizen's session, and ends the owner's session", async () => {
    const one = await owner();
    const two = await owner();
    await request(one.caller, one.fresh);
    await request(two.caller, two.fresh);
    await approve(await uuidOf(one.fresh));
    expect(await one.browser.caller()).toBeNull();
    await approve(await uuidOf(two.fresh), (await owner()).caller);
    expect(await two.browser.caller()).toBeNull();
    expect([await address(one.caller), await address(two.caller)]).toEqual([one.fresh, two.fresh]);
  });

  test('[CORREO-03] returns "ya_confirmado" for a used link, and sends no mail', async () => {
    const { caller, fresh } = await owner();
    await request(caller, fresh);
    const uuid = await uuidOf(fresh);
    await approve(uuid, caller);
    const before = (await server.mails()).length;
    expect((await approve(uuid)).body).toEqual({ estado: 'ya_confirmado' });
    expect((await server.mails()).length).toBe(before);
  });

  test('[CORREO-03] applies once if twenty requests use one link in parallel, with one notice', async () => {
    const { caller, email, fresh } = await owner();
    await request(caller, fresh);
    const uuid = await uuidOf(fresh);
    const results = await Promise.all(Array.from({ length: 20 }, () => approve(uuid, caller)));
    expect(results.filter(({ body }) => body.estado === 'confirmado')).toHaveLength(1);
    expect(await address(caller)).toBe(fresh);
    expect(
      (await listMailSubjects(server, email)).filter((subject) => subject.startsWith('Se cambió el correo')),
    ).toHaveLength(1);
  });

  test('[CORREO-04] voids a link when another change is requested, so that only the newest of two tabs works', async () => {
    const { caller, fresh } = await owner();
    await Promise.all([request(caller, `a.${fresh}`), request(caller, `b.${fresh}`)]);
    const pending = (await server.call('getPendingEmail', { caller })).body.email ?? '';
    const loser = pending.startsWith('a.') ? `b.${fresh}` : `a.${fresh}`;
    await expect(approve(await uuidOf(loser), caller)).rejects.toMatchObject(invalid);
    await approve(await uuidOf(pending), caller);
    expect(await address(caller)).toBe(pending);
    await expect(approve(await uuidOf(loser), caller)).rejects.toMatchObject(invalid);
  });

  test('[CORREO-04] stores a new request that races with the approval of an earlier link, which succeeds or fails completely', async () => {
    const { caller, email, fresh } = await owner();
    await request(caller, fresh);
    const uuid = await uuidOf(fresh);
    const [approval, change] = await Promise.allSettled([approve(uuid, caller), request(caller, `c.${fresh}`)]);
    expect(change.status).toBe('fulfilled');
    expect(await address(caller)).toBe(approval.status === 'fulfilled' ? fresh : email);
    expect((await server.call('getPendingEmail', { caller })).body.email).toBe(`c.${fresh}`);
  });

  test.each([
    ['made up', async () => 'x'.repeat(43)],
    ['empty', async () => ''],
    [
      'that of an activation link',
      async () =>
        (await listMailLinks(server, (await owner()).email, 'activar-cuenta'))[0]?.searchParams.get('uuid') ?? '',
    ],
  ])('[CORREO-04] rejects a link whose secret is %s', async (_, secret) => {
    await expect(approve(await secret())).rejects.toMatchObject(invalid);
  });

  test('[CORREO-04] rejects an expired link and a link of a blocked account', async () => {
    const late = await owner();
    await request(late.caller, late.fresh);
    const blocked = await owner();
    await request(blocked.caller, blocked.fresh);
    await server.parts.store.db
      .updateTable('citizens')
      .set({ blocked_at: server.clock.now() })
      .where('id', '=', blocked.id)
      .execute();
    await expect(approve(await uuidOf(blocked.fresh))).rejects.toMatchObject(invalid);
    server.clock.advance(24 * 60 * 60);
    await expect(approve(await uuidOf(late.fresh))).rejects.toMatchObject(invalid);
  });

  test('[CORREO-01 CLAVE-04] requires a fresh identity proof, and without it stores no request and mails no link', async () => {
    const { caller, fresh } = await owner();
    server.clock.advance(600);
    await expect(request(caller, fresh)).rejects.toMatchObject({
      status: 403,
      next: expect.stringContaining('next=%2Fseguridad%2Fcorreo-electronico%2Fmodificar'),
    });
    await expect(request(caller, fresh, { second_factor_flow: true })).rejects.toMatchObject({
      status: 403,
      next: expect.stringContaining('next=%2Fconfigurar-segundo-factor%2Femail%2Fcambiar'),
    });
    expect((await server.call('getPendingEmail', { caller })).body).toEqual({ email: null });
    expect(await links(fresh)).toEqual([]);
  });

  test('[CORREO-01] rejects the current address, and accepts an address that another account has with the same response', async () => {
    const { caller, email, fresh } = await owner();
    const other = await owner();
    await expect(request(caller, email.toUpperCase())).rejects.toMatchObject({
      status: 400,
      code: 'correo_igual',
      field: 'email',
    });
    const free = await request(caller, fresh);
    const taken = await request(caller, other.email);
    expect(Object.keys(taken.body)).toEqual(Object.keys(free.body));
    await approve(await uuidOf(other.email), caller);
    expect([await address(caller), await address(other.caller)]).toEqual([other.email, other.email]);
  });

  test('[CORREO-02 SEG-08] mails another link on request, keeps the first one valid, and sends nothing if no address is pending', async () => {
    const { caller, id, fresh } = await owner();
    const resend = () => server.call('resendOwnActivation', { caller, params: { id } });
    expect((await resend()).body).toEqual({ resended: false });
    await request(caller, fresh);
    expect((await resend()).body).toEqual({ resended: true });
    const [first, second] = await links(fresh);
    expect(second?.searchParams.get('uuid')).not.toBe(first?.searchParams.get('uuid'));
    await approve(first?.searchParams.get('uuid') ?? '', caller);
    expect(await address(caller)).toBe(fresh);
    expect((await approve(second?.searchParams.get('uuid') ?? '', caller)).body).toEqual({ estado: 'ya_confirmado' });
    expect((await resend()).body).toEqual({ resended: false });
  });

  test('[CORREO-03] voids a password reset link that was mailed to the old address', async () => {
    const { caller, email, number, fresh } = await owner();
    const document = { pais_emisor: 'ar', tipo_doc: 'psp', doc: number };
    await server.call('requestPasswordReset', { body: { ...document, captcha_response: await server.solveCaptcha() } });
    await request(caller, fresh);
    await approve(await uuidOf(fresh), caller);
    const token = (await listMailLinks(server, email, 'token='))[0]?.searchParams.get('token') ?? '';
    const body = { password: 'otra-frase-nueva', passwordRepeat: 'otra-frase-nueva', token };
    await expect(server.call('confirmPasswordReset', { body })).rejects.toMatchObject({ code: 'vinculo_invalido' });
  });

  test('[CORREO-03 MFA-03] sends sign-in codes to the new address afterwards', async () => {
    const { caller, email, number, fresh } = await owner();
    await setUpEmail(server, caller, email);
    await request(caller, fresh);
    await approve(await uuidOf(fresh), caller);
    const browser = openBrowser(server);
    await browser.start(number);
    await browser.answer(steps.password, { password });
    await browser.answer(steps.mailed, { recoverycode: await readMailedCode(server, fresh) });
    expect(await browser.caller()).not.toBeNull();
  });

  describe('set-up of codes by e-mail with a new address', () => {
    const byCode = async (caller: Caller, email: string) =>
      (await request(caller, email, { second_factor_flow: true })).body.uuid;
    const prepare = async (caller: Caller, uuid: string | null) =>
      (await server.call('activateEmailMethod', { caller, body: { uuid } })).body;
    const verify = (caller: Caller, method: string, code: string, uuid?: string) =>
      server.call('verifyEmailMethod', { caller, params: { method }, body: { code, ...(uuid && { uuid }) } });

    test('[CORREO-01 MFA-03] mails a code to the new address; the code sets up the factor and changes the address', async () => {
      const { caller, email, fresh, browser } = await owner();
      const uuid = await byCode(caller, fresh);
      expect(await links(fresh)).toEqual([]);
      const { id, email: shown } = await prepare(caller, uuid);
      expect(shown).toMatch(/^n\*\*\*@/);
      const { body } = await verify(caller, id, await readMailedCode(server, fresh), uuid);
      expect(body).toMatchObject({ activado: true, codigos: expect.any(Array) });
      expect(await record(caller)).toMatchObject({
        user: { email: fresh },
        email_validado: true,
        email_por_validar: null,
      });
      expect(await listMailSubjects(server, email)).toContain(
        'Se cambió el correo electrónico de tu cuenta de Usuario digital',
      );
      expect(await listMailSubjects(server, fresh)).toContain(
        'Se activó el doble factor de autenticación en Usuario digital',
      );
      expect(await browser.caller()).not.toBeNull();
    });

    test('[CORREO-01] rejects a code mailed to one new address as proof of another new address or of the current one', async () => {
      const { caller, email, fresh } = await owner();
      const mine = await byCode(caller, fresh);
      const { id } = await prepare(caller, mine);
      const code = await readMailedCode(server, fresh);
      const theirs = await byCode(caller, `victim-${fresh}`);
      await expect(verify(caller, id, code, theirs)).rejects.toMatchObject({ code: 'codigo_incorrecto' });
      await expect(verify(caller, id, code)).rejects.toMatchObject({ code: 'codigo_incorrecto' });
      await expect(verify(caller, id, code, mine)).rejects.toMatchObject(invalid);
      expect(await record(caller)).toMatchObject({ user: { email }, email_por_validar: { email: `victim-${fresh}` } });
    });

    test('[CORREO-01] rejects a code mailed to the current address as proof of the new one', async () => {
      const { caller, email, fresh } = await owner();
      const uuid = await byCode(caller, fresh);
      const { id } = await prepare(caller, null);
      await expect(verify(caller, id, await readMailedCode(server, email), uuid)).rejects.toMatchObject({
        code: 'codigo_incorrecto',
      });
    });

    test('[CORREO-01] rejects the uuid of another citizen, a used uuid and an expired one', async () => {
      const one = await owner();
      const two = await owner();
      const uuid = await byCode(one.caller, one.fresh);
      await expect(prepare(two.caller, uuid)).rejects.toMatchObject(invalid);
      const { id } = await prepare(one.caller, uuid);
      await verify(one.caller, id, await readMailedCode(server, one.fresh), uuid);
      await expect(prepare(one.caller, uuid)).rejects.toMatchObject(invalid);
      const late = await byCode(two.caller, two.fresh);
      server.clock.advance(60 * 60);
      const { caller } = await signInCitizen(server, two.number, password); // signs in again, because the change has ended the previous session
      await confirmPassword(server, caller);
      await expect(prepare(caller, late)).rejects.toMatchObject(invalid);
    });
  });

  test('[CORREO-01 CORREO-03] audits request, change and resend without any address, and leaves the audit log valid', async () => {
    const rows = await server.parts.store.db.selectFrom('audit').selectAll().execute();
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['email-change-requested', 'change-email', 'resend-email-change']),
    );
    expect(JSON.stringify(rows)).not.toContain('@example.com');
    expect(await server.auditFaults()).toEqual([]);
  });
});

describe('change of the e-mail address with rate limits', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  test('[CORREO-01] rejects the sixth request of one citizen with 429', async () => {
    const { caller } = await createOwner(server, 'FLOOD');
    await confirmPassword(server, caller);
    const request = (at: number) =>
      server.call('updateEmail', { caller, body: { email: `someone${at}@example.com` }, address: `203.0.113.${at}` });
    for (let at = 1; at <= 5; at++) await request(at);
    await expect(request(6)).rejects.toMatchObject({ status: 429, code: 'demasiados_intentos' });
  });

  test('[CORREO-01 SEG-06] rejects the eleventh request to one mailbox with 429, across citizens and plus tags', async () => {
    const owners = [
      await createOwner(server, 'FLOOD1'),
      await createOwner(server, 'FLOOD2'),
      await createOwner(server, 'FLOOD3'),
    ];
    for (const { caller } of owners) await confirmPassword(server, caller);
    let count = 0;
    const request = ({ caller }: Owner) =>
      server.call('updateEmail', { caller, body: { email: `vecino+${++count}@example.com` } });
    for (const one of owners.slice(0, 2)) for (let at = 1; at <= 5; at++) await request(one);
    await expect(request(owners[2]!)).rejects.toMatchObject({ status: 429, code: 'demasiados_intentos' });
  });

  test('[CORREO-02] mails the activation link of an unverified account again on request', async () => {
    const { caller, id, email } = await createOwner(server, 'UNVERIFIED');
    await server.parts.store.db.updateTable('citizens').set({ email_verified_at: null }).where('id', '=', id).execute();
    expect((await server.call('getPendingEmail', { caller })).body).toEqual({ email });
    expect((await server.call('resendOwnActivation', { caller, params: { id } })).body).toEqual({ resended: true });
    expect(await listMailLinks(server, email, 'activar-cuenta')).toHaveLength(2);
  });
});
