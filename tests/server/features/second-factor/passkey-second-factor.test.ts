import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Authenticator } from '../../support/authenticator.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { invalidPasskey, openPasskeyServer, passkeySteps } from '../../support/passkeys.ts';
import {
  computeAppCode,
  readMailedCode,
  openBrowser,
  setUpEmail,
  setUpTotp,
  steps,
} from '../../support/sign-in-browser.ts';

const password = 'la-frase-correcta';
const expired = { code: 'sesion_expirada' };

describe.each([defaultDatabase])('[SEG+PASSKEY] passkey as the second factor, on %s', (database) => {
  let room: Awaited<ReturnType<typeof openPasskeyServer>>;
  beforeAll(async () => {
    room = await openPasskeyServer(database);
  });
  afterAll(() => room.server.close());

  test("is requested after the password with the citizen's passkeys, and starts the session", async () => {
    const { number, id, authenticator } = await room.citizen();
    room.server.clock.advance(1);
    const { browser, body } = await room.atSecondStep(number);
    expect(body).toMatchObject({
      challenge: passkeySteps.second,
      other: false,
      options: {
        rpId: 'localhost',
        timeout: 300_000,
        userVerification: 'preferred',
        allowCredentials: [{ id: authenticator.id, type: 'public-key' }],
      },
    });
    const { body: done } = await room.second(browser, authenticator.use(body.options, { verified: false }));
    expect(done).toMatchObject({ challenge: null, location: '/' });
    expect((await browser.caller())?.citizenId).toBe(id);
    expect(await room.session(id)).toMatchObject({ amr: 'urn:iduruguay:am:password urn:iduruguay:am:passkey', nid: 1 });
    const { caller } = await signedInAgain(number, authenticator);
    expect((await room.server.call('getMfaStatus', { caller, params: { id } })).body.llaves[0]?.usada).toMatch(
      /^2071-/,
    );
  });

  async function signedInAgain(number: string, authenticator: Authenticator) {
    const { browser, options } = await room.atSecondStep(number);
    await room.second(browser, authenticator.use(options));
    const caller = await browser.caller();
    if (caller === null) throw new Error('not signed in');
    return { caller };
  }

  test('a rejected response invalidates the options, and new ones can be requested in the same sign-in', async () => {
    const { number, id, authenticator } = await room.citizen();
    const { browser, options } = await room.atSecondStep(number);
    await expect(room.second(browser, 'x')).rejects.toMatchObject(invalidPasskey);
    await expect(room.second(browser, authenticator.use(options))).rejects.toMatchObject(invalidPasskey);
    const { body } = await browser.answer(passkeySteps.second, { options: true });
    expect(body.challenge).toBe(passkeySteps.second);
    expect(body.options?.['challenge']).not.toBe(options?.['challenge']);
    await room.second(browser, authenticator.use(body.options));
    expect((await browser.caller())?.citizenId).toBe(id);
  });

  test('options expire after five minutes, while the sign-in continues', async () => {
    const { number, authenticator } = await room.citizen();
    const { browser, options } = await room.atSecondStep(number);
    room.server.clock.advance(301);
    await expect(room.second(browser, authenticator.use(options))).rejects.toMatchObject(invalidPasskey);
    expect((await browser.answer(passkeySteps.second, { options: true })).body.options).toBeDefined();
  });

  test('rejects options of another sign-in, another citizen or a sign-in with only a passkey', async () => {
    const { number, authenticator } = await room.citizen();
    const other = await room.citizen();
    const sources = [
      (await room.atSecondStep(number)).options,
      (await room.atSecondStep(other.number)).options,
      (await room.alone()).options,
    ];
    for (const options of sources) {
      const { browser } = await room.atSecondStep(number);
      await expect(room.second(browser, authenticator.use(options))).rejects.toMatchObject(invalidPasskey);
    }
    const { browser, options } = await room.atSecondStep(number);
    await expect(room.second(browser, other.authenticator.use(options))).rejects.toMatchObject(invalidPasskey);
  });

  test('accepts one of eight parallel uses of a response', async () => {
    const { number, authenticator } = await room.citizen();
    const { browser, options } = await room.atSecondStep(number);
    const credential = authenticator.use(options);
    const { token } = browser;
    const cookies = { ...browser.cookies };
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => {
        const tab = openBrowser(room.server);
        tab.cookies = { ...cookies };
        return tab.answer(passkeySteps.second, { credential }, { token });
      }),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('rejects and audits a counter that does not advance, and accepts the original authenticator later', async () => {
    const { number, id, authenticator } = await room.citizen();
    const clone = authenticator.copy();
    const first = await room.atSecondStep(number);
    await room.second(first.browser, authenticator.use(first.options));
    const copied = await room.atSecondStep(number);
    await expect(room.second(copied.browser, clone.use(copied.options))).rejects.toMatchObject(invalidPasskey);
    expect((await room.actions(id)).at(-1)).toBe('passkey-counter-regressed');
    expect(await copied.browser.caller()).toBeNull();
    const zero = await room.atSecondStep(number);
    await expect(room.second(zero.browser, clone.use(zero.options, { counter: 0 }))).rejects.toMatchObject(
      invalidPasskey,
    );
    const again = await room.atSecondStep(number);
    await room.second(again.browser, authenticator.use(again.options));
    expect((await again.browser.caller())?.citizenId).toBe(id);
  });

  test('accepts an authenticator whose counter is always zero', async () => {
    const { number, id, authenticator } = await room.citizen();
    for (let times = 0; times < 2; times++) {
      const { browser, options } = await room.atSecondStep(number);
      await room.second(browser, authenticator.use(options, { counter: 0, userHandle: undefined }));
      expect((await browser.caller())?.citizenId).toBe(id);
    }
  });

  test('rejects a passkey removed during the sign-in, and the sign-in ends', async () => {
    const { number, id: citizenId, authenticator, caller } = await room.citizen();
    await setUpTotp(room.server, caller);
    const { llaves } = (await room.server.call('getMfaStatus', { caller, params: { id: citizenId } })).body;
    const { browser, options } = await room.atSecondStep(number);
    await room.server.call('deletePasskey', { caller, params: { llave: llaves[0]?.id ?? '' } });
    await expect(room.second(browser, authenticator.use(options))).rejects.toMatchObject(expired);
    expect((await room.atSecondStep(number)).body.challenge).toBe(steps.totp);
  });

  test('can be replaced by the app, or by a mailed code from there, and the passkey step is then over', async () => {
    const { number, id, email, caller, authenticator } = await room.citizen();
    const { secret } = await setUpTotp(room.server, caller);
    await setUpEmail(room.server, caller, email);
    const { browser, body, options } = await room.atSecondStep(number);
    expect(body).toMatchObject({ challenge: passkeySteps.second, other: true });
    expect((await browser.answer(passkeySteps.second, { other: true })).body.challenge).toBe(steps.totp);
    await expect(room.second(browser, authenticator.use(options))).rejects.toMatchObject(expired);
    await browser.answer(steps.totp, { totp: computeAppCode(room.server, secret) });
    expect((await browser.caller())?.citizenId).toBe(id);
    room.server.clock.advance(30);
    const mailed = await room.atSecondStep(number);
    await mailed.browser.answer(passkeySteps.second, { other: true });
    expect((await mailed.browser.answer(steps.password, { emailTOTP: true })).body.challenge).toBe(steps.mailed);
    await mailed.browser.answer(steps.mailed, { recoverycode: await readMailedCode(room.server, email) });
    expect((await mailed.browser.caller())?.citizenId).toBe(id);
  });

  test('can be replaced by a mailed code if the account has no app', async () => {
    const { number, id, email, caller } = await room.citizen();
    await setUpEmail(room.server, caller, email);
    const { browser } = await room.atSecondStep(number);
    expect((await browser.answer(passkeySteps.second, { other: true })).body.challenge).toBe(steps.mailed);
    await browser.answer(steps.mailed, { recoverycode: await readMailedCode(room.server, email) });
    expect((await browser.caller())?.citizenId).toBe(id);
  });

  test('cannot be replaced by a mailed code if the account has only passkeys', async () => {
    const { number } = await room.citizen();
    const { browser } = await room.atSecondStep(number);
    expect((await browser.answer(passkeySteps.second, { other: true })).body.challenge).toBe(passkeySteps.second);
    const wish = openBrowser(room.server);
    await wish.start(number);
    expect((await wish.answer(steps.password, { password, emailTOTP: true })).body.challenge).toBe(passkeySteps.second);
    await expect(wish.answer(steps.password, { emailTOTP: true })).rejects.toMatchObject(expired);
    await expect(wish.answer(steps.mailed, { recoverycode: 'ABC234' })).rejects.toMatchObject(expired);
  });

  test.each([passkeySteps.second, steps.totp])('can be replaced by a recovery code sent as %s, once', async (name) => {
    const { number, id, codes } = await room.citizen();
    const { browser } = await room.atSecondStep(number);
    await expect(browser.answer(name, { recovery: 'AAAABBBBCCCCDDDD' })).rejects.toMatchObject({
      status: 400,
      code: 'codigo_incorrecto',
      field: 'recovery',
    });
    await browser.answer(name, { recovery: codes[0] });
    expect((await browser.caller())?.citizenId).toBe(id);
    const again = await room.atSecondStep(number);
    await expect(again.browser.answer(name, { recovery: codes[0] })).rejects.toMatchObject({ status: 400 });
  });

  test('is rejected before the password and in place of it', async () => {
    const { number, authenticator } = await room.citizen();
    const browser = openBrowser(room.server);
    await browser.start(number);
    const { options } = await room.alone();
    await expect(room.second(browser, authenticator.use(options))).rejects.toMatchObject(expired);
    await expect(room.byItself(browser, authenticator.use(options))).rejects.toMatchObject(expired);
    await expect(browser.answer(passkeySteps.second, { other: true })).rejects.toMatchObject(expired);
  });
});
