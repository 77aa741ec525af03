import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  listMailLinks,
  createOwner,
  password,
  confirmPassword,
  listMailSubjects,
  withoutLimits,
} from '../../support/account.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { computeAppCode, openBrowser, setUpTotp, steps, type Browser } from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const failures = 'Intentos fallidos de entrar a tu cuenta de Usuario digital';
const missing = 'Ingresaron tu contraseña de Usuario digital sin completar el doble factor';
const disabled = 'Bloqueamos una forma de entrar a tu cuenta de Usuario digital';

describe('consecutive failed sign-ins', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ database: defaultDatabase, parts: withoutLimits });
  });
  afterAll(() => server.close());

  const tryPassword = async (number: string, text: string, browser: Browser = openBrowser(server)) => {
    await browser.start(number);
    return browser.answer(steps.password, { password: text });
  };
  const fail = async (number: string, times: number, browser?: () => Browser) => {
    for (let count = 0; count < times; count += 1)
      await expect(tryPassword(number, 'no-es-esta', browser?.())).rejects.toMatchObject({ code: 'credenciales' });
  };
  /** Returns the caller's browser with its known-device cookie, but without a session. */
  const known = ({ cookies: { device = '' } }: Browser) => {
    const browser = openBrowser(server);
    browser.cookies.device = device;
    return browser;
  };

  test('[ASVS-6.3.5] mail one notice after ten wrong passwords, without a link that undoes changes', async () => {
    const { number, email } = await createOwner(server, 'FAIL1');
    await fail(number, 9);
    expect(await listMailSubjects(server, email)).not.toContain(failures);
    await fail(number, 3);
    expect((await listMailSubjects(server, email)).filter((subject) => subject === failures)).toHaveLength(1);
    expect(await listMailLinks(server, email, '/no-fui-yo'), 'notices without a link that undoes changes').toEqual([]);
  });

  test('[NIST-3.2.2] are not counted if they are older than a month', async () => {
    const { id, number } = await createOwner(server, 'FAIL6');
    await server.parts.store.db
      .insertInto('failed_attempts')
      .values({
        citizen_id: id,
        authenticator: steps.password,
        browser: '',
        failures: 99,
        failed_at: new Date(server.clock.now().getTime() - 31 * 86_400_000),
      })
      .execute();
    await fail(number, 1);
    await expect(tryPassword(number, password)).resolves.toBeDefined();
  });

  test('[ASVS-6.3.5] are reset by a completed sign-in', async () => {
    const { number, email } = await createOwner(server, 'FAIL2');
    await fail(number, 9);
    await tryPassword(number, password);
    await fail(number, 9);
    expect(await listMailSubjects(server, email)).not.toContain(failures);
  });

  test('[ASVS-6.3.5] mail a notice at the third password without the second factor, except in a known browser', async () => {
    const { number, email, caller, browser } = await createOwner(server, 'FAIL3');
    const { secret } = await setUpTotp(server, caller);
    await tryPassword(number, password);
    await tryPassword(number, password);
    await expect(tryPassword(number, password, known(browser))).resolves.toBeDefined();
    expect(await listMailSubjects(server, email)).not.toContain(missing);
    const third = openBrowser(server);
    await tryPassword(number, password, third);
    expect(await listMailSubjects(server, email)).toContain(missing);
    await third.answer(steps.totp, { totp: computeAppCode(server, secret) });
    const left = server.parts.store.db.selectFrom('failed_attempts').select('browser');
    expect(await left.where('citizen_id', '=', caller.citizenId).where('browser', '=', '').execute()).toEqual([]);
  });

  test('[NIST-3.2.2] disable the password after one hundred, except in known browsers, until a new one is set', async () => {
    const { id, number, email, browser, caller } = await createOwner(server, 'FAIL4');
    await fail(number, 99);
    expect(await listMailSubjects(server, email)).not.toContain(disabled);
    await fail(number, 1);
    expect(await listMailSubjects(server, email)).toContain(disabled);
    const refused = { status: 400, code: 'credenciales' };
    await expect(tryPassword(number, password)).rejects.toMatchObject(refused);
    await expect(server.call('verifyPassword', { caller, body: { pwd: password } })).rejects.toMatchObject({
      code: 'contrasena_invalida',
    });
    await tryPassword(number, password, known(browser)); // failed attempts from other browsers do not lock the password in a known browser
    await expect(tryPassword(number, password), 'still disabled in other browsers').rejects.toMatchObject(refused);
    const { db } = server.parts.store;
    const audited = db.selectFrom('audit').select('details').where('citizen_id', '=', id);
    expect(await audited.where('action', '=', 'authenticator-disabled').execute()).toEqual([
      { details: JSON.stringify({ authenticator: steps.password }) },
    ]);
    const cookies = { device: browser.cookies.device ?? '' };
    await server.call('verifyPassword', { caller, body: { pwd: password }, cookies });
    const fresh = 'cuatro-tazas-de-mate';
    await server.call('updatePassword', { caller, body: { new_pass: fresh, repeat_pass: fresh } });
    await tryPassword(number, fresh);
  });

  test('[NIST-3.2.2] disable the app after one hundred wrong codes, until it is set up again', async () => {
    const { id, number, caller } = await createOwner(server, 'FAIL5');
    const { secret } = await setUpTotp(server, caller);
    const enter = async (by: string) => {
      const browser = openBrowser(server);
      await tryPassword(number, password, browser);
      return browser.answer(steps.totp, { totp: computeAppCode(server, by) });
    };
    await server.parts.store.db
      .insertInto('failed_attempts')
      .values({ citizen_id: id, authenticator: steps.totp, browser: '', failures: 99, failed_at: server.clock.now() })
      .execute();
    const browser = openBrowser(server);
    await tryPassword(number, password, browser);
    await expect(browser.answer(steps.totp, { totp: '000000' })).rejects.toMatchObject({ code: 'codigo_incorrecto' });
    await expect(enter(secret)).rejects.toMatchObject({ code: 'codigo_incorrecto' });
    server.clock.advance(30);
    await confirmPassword(server, caller);
    await enter((await setUpTotp(server, caller)).secret);
  });
});
