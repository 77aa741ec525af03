import { generateSync } from 'otplib';
import { createOrigin } from '../../support/origin.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashSecret } from '../../../../src/server/platform/keys/random-secrets.ts';
import { generateTotpSecret } from '../../../../src/server/trust/credentials/second-factors.ts';
import { challengeNames } from '../../../../src/server/trust/identity/challenge-names.ts';
import { cardChallenge, walletChallenge } from '../../../../src/server/features/sign-in/challenges/card-and-wallet.ts';
import {
  passwordChallenge,
  selectCodeRecipient,
  mailSignInCode,
  mailedCodeChallenge,
  totpChallenge as app,
} from '../../../../src/server/features/sign-in/challenges/password-and-code-challenges.ts';
import { usernameChallenge } from '../../../../src/server/features/sign-in/challenges/username.ts';
import {
  recordIdentityCardNumber,
  redeemCardSignInTicket,
} from '../../../../src/server/trust/federation/card/identity-card-sign-in.ts';
import { startSession } from '../../../../src/server/trust/sessions/start-session.ts';
import { InvalidBodyError } from '../../../../src/server/platform/base/errors.ts';
import { storeMailedCode } from '../../../../src/server/trust/credentials/mailed-codes.ts';
import { unknownCitizen, replaceRecoveryCodes } from '../../support/citizen-data.ts';
import { findPasswordHash } from '../../../../src/server/trust/identity/citizens.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { openChallengeParts, refusedInput } from '../../support/challenge-parts.ts';

const wrongCode = (field: string) => ({ status: 400, code: 'codigo_incorrecto', field });
const expired = { status: 410, code: 'sesion_expirada' };
const agency = 'agente@salud.gub.uy';

describe('steps of a sign-in', () => {
  let room: Awaited<ReturnType<typeof openChallengeParts>>;
  let ana: string;
  beforeAll(async () => {
    room = await openChallengeParts(defaultDatabase);
  });
  afterAll(() => room.close());
  beforeEach(async () => {
    ana = await room.citizen();
    room.asked.length = 0;
    room.clock.advance(60);
  });

  const counted = { address: '192.0.2.9', document: 'ar-psp-1' };
  const now = () => room.clock.now();
  /** Expected calls for a correct response, in order. */
  const rightly = (screen: string, form: object, purpose: string, ...work: unknown[][]) => [
    ['screen', screen, form],
    ['admit', purpose, { ...counted, ...(purpose === 'signIn' && { checks: counted.document }) }, now()],
    ...work,
    ['forgive', purpose, counted],
  ];
  /** Expected calls for an incorrect response: those for a correct response, without the release of the throttle. */
  const wrongly = (...rest: Parameters<typeof rightly>) => rightly(...rest).slice(0, -1);
  /** Expected audit row for one incorrect response to `step`. */
  const oneFailure = (step = 'a-step', reason?: string) => [
    {
      at: now(),
      action: 'sign-in-failed',
      address: '192.0.2.9',
      request_id: 'request-1',
      details: JSON.stringify({ challenge: step, reason }),
    },
  ];

  describe('[LOG-05] password', () => {
    const setPassword = (password_hash: string) =>
      room.store.db
        .insertInto('credentials')
        .values({ citizen_id: ana, password_hash, changed_at: now() })
        .onConflict((conflict) => conflict.column('citizen_id').doUpdateSet({ password_hash }))
        .execute();
    const prove = async (data: object, citizen: string | null = ana) =>
      room.prove(passwordChallenge, room.request({ ...data }), {
        ...room.record(citizen),
        password_hash: await findPasswordHash(room.store.db, citizen ?? ''),
      });
    beforeEach(() => setPassword('hash of mate'));

    test('proves the factor, and reports whether a mailed code or the agent role is requested', async () => {
      expect(room.recordForgiven(await prove({ password: 'mate' }))).toEqual({
        factor: challengeNames.password,
        byMail: false,
        asAgent: false,
      });
      expect(room.asked).toEqual(
        rightly('login-contrasena', { password: 'mate' }, 'signIn', ['verify', 'hash of mate', 'mate']),
      );
      expect(room.recordForgiven(await prove({ password: 'mate', emailTOTP: true, emailAgent: true }))).toMatchObject({
        byMail: true,
        asAgent: true,
      });
      expect(room.recordForgiven(await prove({ password: 'mate', emailTOTP: 'true', emailAgent: 1 }))).toMatchObject({
        byMail: false,
        asAgent: false,
      });
      expect(room.asked[4], 'the screen gets only the password').toEqual([
        'screen',
        'login-contrasena',
        { password: 'mate' },
      ]);
      expect(await room.audit(ana)).toEqual([]);
    });

    test('is rejected if it is wrong, audited and counted', async () => {
      await expect(prove({ password: 'té' })).rejects.toMatchObject({
        status: 400,
        code: 'credenciales',
        field: 'password',
      });
      expect(room.asked).toEqual(
        wrongly('login-contrasena', { password: 'té' }, 'signIn', ['verify', 'hash of mate', 'té']),
      );
      expect(await room.audit(ana)).toEqual(oneFailure());
    });

    test('[SEG-04] has attempts of its own in a known browser, which strangers cannot use up', async () => {
      const own = { ...counted, document: 'ar-psp-1 its-hash' };
      const known = { ...room.record(ana), password_hash: 'hash of mate', known_device: 'its-hash' };
      room.recordForgiven(await room.prove(passwordChallenge, room.request({ password: 'mate' }), known));
      expect(room.asked.filter(([, purpose]) => purpose === 'signIn')).toEqual([
        ['admit', 'signIn', { ...own, checks: counted.document }, now()],
        ['forgive', 'signIn', own],
      ]);
    });

    test('is rejected for an unknown account like a wrong one, after the same work', async () => {
      await expect(prove({ password: 'mate' }, null)).rejects.toMatchObject({
        status: 400,
        code: 'credenciales',
        field: 'password',
      });
      expect(room.asked).toEqual(wrongly('login-contrasena', { password: 'mate' }, 'signIn', ['verify', null, 'mate']));
      expect(await room.audit(null)).toEqual(oneFailure());
    });

    test('is not counted if its screen rejects it', async () => {
      await expect(prove({ password: refusedInput })).rejects.toThrow(InvalidBodyError);
      expect(room.asked).toHaveLength(1);
    });

    test('is rejected at completion if it was changed or deleted meanwhile', async () => {
      const [before, unchanged, gone] = [
        await prove({ password: 'mate' }),
        await prove({ password: 'mate' }),
        await prove({ password: 'mate' }),
      ];
      await room.settle(unchanged, ana);
      await setPassword('hash of té');
      await expect(room.settle(before, ana)).rejects.toMatchObject(expired);
      await room.store.db.deleteFrom('credentials').where('citizen_id', '=', ana).execute();
      await expect(room.settle(gone, ana)).rejects.toMatchObject(expired);
    });
  });

  describe('[LOG-04] code of the app', () => {
    const secret = generateTotpSecret();
    const codeAt = (offsetS = 0) => generateSync({ secret, epoch: now().getTime() / 1000 + offsetS });
    const stepNow = () => Math.floor(now().getTime() / 30_000);
    const prove = (data: object) => room.prove(app, room.request({ ...data }), room.record(ana));

    test('proves the factor once, and a second use is audited', async () => {
      await room.app(ana, secret);
      const totp = codeAt();
      const proof = await prove({ totp });
      expect(room.recordForgiven(proof)).toEqual({ factor: challengeNames.totp });
      expect(room.asked).toEqual(rightly('login-totp', { totp }, 'secondFactor'));
      await room.settle(proof);
      await expect(room.settle(proof)).rejects.toMatchObject(wrongCode('totp'));
      await expect(prove({ totp })).rejects.toMatchObject(wrongCode('totp'));
      expect(await room.audit(ana)).toEqual(oneFailure('a-step', 'used'));
    });

    test.each([
      { note: 'the previous one', offset: -1, taken: true },
      { note: 'the current one', offset: 0, taken: false },
      { note: 'the next one', offset: 1, taken: false },
    ])('is accepted for the current step if the last used step is $note: $taken', async ({ offset, taken }) => {
      await room.app(ana, secret, stepNow() + offset);
      const attempt = prove({ totp: codeAt() });
      if (taken) await attempt;
      else await expect(attempt).rejects.toMatchObject(wrongCode('totp'));
    });

    test('is rejected if it is wrong, and audited with the clock skew', async () => {
      await room.app(ana, secret);
      await expect(prove({ totp: codeAt(300) })).rejects.toMatchObject(wrongCode('totp'));
      expect(room.asked).toEqual(wrongly('login-totp', { totp: codeAt(300) }, 'secondFactor'));
      expect(await room.audit(ana)).toEqual(oneFailure('a-step', 'clock-skew 300 s'));
    });

    test('[ASVS-6.5.5] is rejected for the next step, and audited with the clock skew of the app', async () => {
      await room.app(ana, secret);
      await prove({ totp: codeAt(-30) });
      await expect(prove({ totp: codeAt(30) })).rejects.toMatchObject(wrongCode('totp'));
      expect(await room.audit(ana)).toEqual(oneFailure('a-step', 'clock-skew 30 s'));
    });

    test('is rejected if there is no app, or an app without a secret', async () => {
      await expect(prove({ totp: codeAt() })).rejects.toMatchObject(wrongCode('totp'));
      await room.app(ana, null);
      await expect(prove({ totp: codeAt() })).rejects.toMatchObject(wrongCode('totp'));
      expect(await room.audit(ana)).toEqual([...oneFailure(), ...oneFailure()]);
    });

    test('[LOG-07] can be replaced by a request for a mailed code, which proves nothing', async () => {
      const proof = await prove({ emailTOTP: true });
      expect([room.recordForgiven(proof), room.asked]).toEqual([{ factor: null, byMail: true }, []]);
      await room.settle(proof);
      await expect(prove({ emailTOTP: 'true', totp: '000000' })).rejects.toMatchObject(wrongCode('totp'));
    });

    test('can be replaced by a recovery code', async () => {
      const [recovery = ''] = await room.store.transaction((tx) =>
        replaceRecoveryCodes(tx, room.parts.passwords, ana, now()),
      );
      expect(room.recordForgiven(await prove({ recovery }))).toEqual({ factor: challengeNames.recoveryCode });
    });
  });

  describe('[LOG-04] recovery code', () => {
    const make = () => room.store.transaction((tx) => replaceRecoveryCodes(tx, room.parts.passwords, ana, now()));
    const prove = (recovery: string, citizen: string | null = ana) =>
      room.prove(app, room.request({ recovery }), room.record(citizen));

    test('proves the factor only once', async () => {
      const [recovery = ''] = await make();
      const proof = await prove(recovery);
      expect(room.recordForgiven(proof)).toEqual({ factor: challengeNames.recoveryCode });
      expect(room.asked).toEqual(rightly('login-recovery', { recovery }, 'secondFactor'));
      await room.settle(proof);
      await expect(room.settle(proof)).rejects.toMatchObject(wrongCode('recovery'));
      await expect(prove(recovery)).rejects.toMatchObject(wrongCode('recovery'));
    });

    test('is rejected if it is wrong or of an unknown citizen, audited and counted', async () => {
      const [recovery = ''] = await make();
      await expect(prove('AAAABBBBCCCCDDDD')).rejects.toMatchObject(wrongCode('recovery'));
      expect(room.asked).toEqual(wrongly('login-recovery', { recovery: 'AAAABBBBCCCCDDDD' }, 'secondFactor'));
      expect(await room.audit(ana)).toEqual(oneFailure());
      await expect(prove(recovery, null)).rejects.toMatchObject(wrongCode('recovery'));
    });
  });

  describe('[LOG-04 LOG-08] mailed code', () => {
    const bindings = {
      citizen: { purpose: 'sign-in', about: {} },
      agent: { purpose: 'institutional-email', about: { institutional_email: agency } },
    } as const;
    const mail = (owner: string, purpose: 'sign-in' | 'institutional-email', code = 'AB23CD') =>
      room.store.transaction((tx) =>
        storeMailedCode(tx, room.vault, { purpose, owner, citizenId: ana, code, now: now() }),
      );
    const prove = (record: ReturnType<typeof room.record>, data: object = { recoverycode: 'AB23CD' }) =>
      room.prove(mailedCodeChallenge, room.request({ ...data }), record);

    test.each([
      { who: 'citizen', factor: challengeNames.mailedCode },
      { who: 'agent', factor: challengeNames.institutionalEmail },
    ] as const)('proves for the $who the factor $factor, once', async ({ who, factor }) => {
      const { purpose, about } = bindings[who];
      const record = room.record(ana, about);
      await mail(record.hash, purpose);
      const proof = await prove(record);
      expect(room.recordForgiven(proof)).toEqual({ factor });
      expect(room.asked).toEqual(rightly('login-recoverycode', { recoverycode: 'AB23CD' }, 'secondFactor'));
      await room.settle(proof);
      await expect(room.settle(proof)).rejects.toMatchObject(wrongCode('recoverycode'));
      await expect(prove(record)).rejects.toMatchObject(wrongCode('recoverycode'));
      expect(await room.audit(ana)).toEqual(oneFailure('a-step', 'used'));
    });

    test('is rejected if it is wrong, and counted', async () => {
      const record = room.record(ana);
      await mail(record.hash, 'sign-in');
      await expect(prove(record, { recoverycode: 'ZZ99ZZ' })).rejects.toMatchObject(wrongCode('recoverycode'));
      expect(room.asked).toEqual(wrongly('login-recoverycode', { recoverycode: 'ZZ99ZZ' }, 'secondFactor'));
    });

    test('[IDP-02] is rejected for another purpose', async () => {
      for (const [mine, other] of [
        [bindings.citizen, bindings.agent],
        [bindings.agent, bindings.citizen],
      ] as const) {
        const record = room.record(ana, mine.about);
        await mail(record.hash, other.purpose);
        await expect(prove(record)).rejects.toMatchObject(wrongCode('recoverycode'));
      }
    });

    test('[IDP-02] can be replaced by a recovery code, except for an institutional mailbox', async () => {
      const [recovery = ''] = await room.store.transaction((tx) =>
        replaceRecoveryCodes(tx, room.parts.passwords, ana, now()),
      );
      expect(room.recordForgiven(await prove(room.record(ana), { recovery }))).toEqual({
        factor: challengeNames.recoveryCode,
      });
      await expect(prove(room.record(ana, bindings.agent.about), { recovery })).rejects.toMatchObject(
        wrongCode('recoverycode'),
      );
    });

    const verified = {
      ...unknownCitizen,
      first_name: 'Ana',
      email: 'ana@example.com',
      email_verified_at: new Date(0),
    };
    test.each([
      { note: 'the address of the citizen', about: {}, recipient: 'ana@example.com', purpose: 'sign-in' },
      {
        note: 'the institutional mailbox',
        about: bindings.agent.about,
        recipient: agency,
        purpose: 'institutional-email',
      },
      {
        note: 'the citizen once the mailbox is proven',
        about: { ...bindings.agent.about, factors: `username ${challengeNames.institutionalEmail}` },
        recipient: 'ana@example.com',
        purpose: 'sign-in',
      },
    ])('is mailed to $note', async ({ about, recipient, purpose }) => {
      const record = room.record(ana, about);
      expect(selectCodeRecipient(record, verified)).toBe(recipient);
      await room.parts.commands.run(createOrigin({ language: 'pt' }), (command) =>
        mailSignInCode(command, room.parts, { record, citizen: { ...verified, id: ana }, device: null }),
      );
      const codes = await room.store.db
        .selectFrom('mailed_codes')
        .select(['purpose', 'owner'])
        .where('citizen_id', '=', ana)
        .execute();
      expect(codes).toEqual([{ purpose, owner: record.hash }]);
      const { text, ...sent } = await room.store.db
        .selectFrom('outbox')
        .select(['recipient', 'text'])
        .where('citizen_id', '=', ana)
        .executeTakeFirstOrThrow();
      expect(sent).toEqual({ recipient });
      const [code] = /^\d{6}$/m.exec(text) ?? [];
      expect(room.recordForgiven(await prove(record, { recoverycode: code }))).toMatchObject({
        factor: purpose === 'sign-in' ? challengeNames.mailedCode : challengeNames.institutionalEmail,
      });
    });

    test.each([
      { note: 'no address', email: null, email_verified_at: new Date(0) },
      { note: 'an unverified address', email: 'ana@example.com', email_verified_at: null },
    ])('[LOG-07] is not mailed if the account has $note', (email) => {
      expect(() => selectCodeRecipient(room.record(ana), { ...unknownCitizen, ...email })).toThrow(
        expect.objectContaining({ status: 409, code: 'sin_correo' }),
      );
    });
  });

  describe('[LOG-03] document', () => {
    const start = (data: object, changes: Parameters<typeof room.request>[1] = {}) =>
      room.open(usernameChallenge, room.request({ ...data }, changes));
    const opened = (token: string) =>
      room.store.db
        .selectFrom('challenges')
        .selectAll()
        .where('hash', '=', hashSecret(token))
        .executeTakeFirstOrThrow();
    const numberOf = async (id: string) =>
      (await room.store.db.selectFrom('citizens').select('number').where('id', '=', id).executeTakeFirstOrThrow())
        .number;

    test('starts a sign-in of its account, with redirect, state, role and device of the request', async () => {
      const form = { username: await numberOf(ana), pais_emisor: 'ar', tipo_documento: 'psp' };
      const extra = { redirect_url: '/seguridad', process_state: 'state', agnt: '1' };
      const body = { challenge: 'username', data_challenge: form, extra, token: null };
      const { token, browser } = await start(form, { body });
      expect(await opened(token)).toMatchObject({
        browser: hashSecret(browser),
        step: challengeNames.password,
        document: `ar-psp-${form.username}`,
        citizen_id: ana,
        redirect_url: '/seguridad',
        process_state: 'state',
        agent: '1',
        user_agent: 'A browser',
        address: '192.0.2.9',
      });
      expect(room.asked).toEqual([
        ['screen', 'login-documento-extranjero', form],
        ['admit', 'challenge', { address: '192.0.2.9' }, now()],
      ]);
    });

    test.each([
      { note: 'without country and type', kind: {} },
      { note: 'with null for both', kind: { pais_emisor: null, tipo_documento: null } },
      { note: 'with the codes of the national one', kind: { pais_emisor: 'uy', tipo_documento: '68909' } },
    ])('counts as a national one $note, and its screen receives only the number', async ({ kind }) => {
      const { token } = await start({ username: '01234567', ...kind });
      expect(room.asked[0]).toEqual(['screen', 'login', { username: '01234567' }]);
      expect(await opened(token)).toMatchObject({
        document: 'uy-ci-1234567',
        citizen_id: null,
        redirect_url: null,
        process_state: null,
        agent: null,
      });
    });

    test.each([
      { note: 'as foreignUsername', names: { foreignUsername: 'AB1' } },
      { note: 'as foreignUsername, username empty', names: { username: '', foreignUsername: 'AB1' } },
      { note: 'in both fields', names: { username: 'AB1', foreignUsername: 'AB1' } },
      { note: 'as username if both fields differ', names: { username: 'AB1', foreignUsername: 'ZZ9' } },
    ])('is accepted for another country $note', async ({ names }) => {
      const kind = { pais_emisor: 'ar', tipo_documento: 'psp' };
      const { token } = await start({ ...names, ...kind });
      expect(room.asked[0]).toEqual(['screen', 'login-documento-extranjero', { username: 'AB1', ...kind }]);
      expect(await opened(token)).toMatchObject({ document: 'ar-psp-AB1' });
    });

    test('continues in the browser of the cookie, or in a new one without a cookie', async () => {
      const form = { username: '1234567' };
      const known = await start(form, { cookies: { challenge: 'its secret' } });
      expect(known.browser).toBe('its secret');
      expect(await opened(known.token)).toMatchObject({ browser: hashSecret('its secret') });
      expect((await start(form)).browser).not.toBe((await start(form)).browser);
    });

    test('is not counted if the screen rejects it', async () => {
      await expect(start({ username: refusedInput })).rejects.toThrow(InvalidBodyError);
      await expect(start({ username: refusedInput, pais_emisor: 'ar', tipo_documento: 'psp' })).rejects.toThrow(
        InvalidBodyError,
      );
      expect(room.asked.map(([name]) => name)).toEqual(['screen', 'screen']);
    });
  });

  describe('[FED-06 LOG-10] identity card', () => {
    const cards = { url: 'https://cedula.example' };
    const dependencies = (changes: object = {}, flag = true) =>
      ({
        ...room.parts,
        config: { ...room.parts.config, flags: { ci_electronica: flag }, card: cards, ...changes },
      }) as unknown as typeof room.parts;
    beforeAll(async () => {
      const { db } = room.store;
      await db.insertInto('countries').values({ code: 'uy', name: 'Uruguay', position: 2 }).execute();
      await db.insertInto('document_types').values({ code: 'ci', name: 'Cédula' }).execute();
      await db.insertInto('country_documents').values({ country: 'uy', type: 'ci', position: 0 }).execute();
    });
    /** Creates a sign-in whose identity card has this document number. */
    async function shown(number: string) {
      const { location = '' } = await room.open(cardChallenge, room.request({}), dependencies());
      const ticket = await redeemCardSignInTicket(
        room.store,
        new URL(location).searchParams.get('ticket') ?? '',
        now(),
      );
      const waiting = ticket && (await recordIdentityCardNumber(room.store, ticket, number, now()));
      if (!waiting) throw new Error('no ticket was taken');
      return room.record(null, { hash: hashSecret(waiting.token) });
    }
    /** Sets a national document for the citizen. Returns its number. */
    async function national(): Promise<string> {
      const number = String(10_000_000 + (now().getTime() % 1_000_000_000));
      const document = { country: 'uy', type: 'ci', number };
      await room.store.db.updateTable('citizens').set(document).where('id', '=', ana).execute();
      return number;
    }
    const prove = (record: ReturnType<typeof room.record>, cookies: { session?: string } = {}) =>
      room.prove(cardChallenge, room.request({}, { cookies }), record, dependencies());

    test('redirects to the card listener with a ticket, and counts per address', async () => {
      const { challenge, location = '' } = await room.open(cardChallenge, room.request({}), dependencies());
      expect(challenge).toBe(challengeNames.card);
      expect(location).toMatch(/^https:[/][/]cedula[.]example[/]auth[/]tarjeta[?]ticket=[\w-]{43}$/);
      expect(room.asked).toEqual([['admit', 'challenge', { address: '192.0.2.9' }, now()]]);
    });

    test('is unavailable without its flag or its listener, and is not counted', async () => {
      const closed = room.open(cardChallenge, room.request({}), dependencies({}, false));
      await expect(closed).rejects.toMatchObject({ status: 400, code: 'paso_desconocido' });
      const away = room.open(cardChallenge, room.request({}), dependencies({ card: null }));
      await expect(away).rejects.toMatchObject({ status: 400, code: 'tarjeta_no_disponible' });
      const noWallet = room.open(walletChallenge, room.request({}), { ...dependencies(), wallet: null });
      await expect(noWallet, 'the wallet is not counted either').rejects.toMatchObject({
        status: 400,
        code: 'paso_desconocido',
      });
      expect(room.asked).toEqual([]);
    });

    test('proves the factor of the account with its number, once', async () => {
      const number = await national();
      const record = await shown(number);
      const proof = await prove(record);
      expect(room.recordForgiven(proof)).toEqual({
        factor: challengeNames.card,
        citizen: { id: ana, document: `uy-ci-${number}` },
      });
      await room.settle(proof);
      await expect(prove(record)).rejects.toMatchObject(expired);
    });

    test('is rejected and audited if no account has its number', async () => {
      const before = await room.audit(null);
      await expect(prove(await shown('99999999'))).rejects.toMatchObject({ status: 400, code: 'tarjeta_sin_cuenta' });
      expect((await room.audit(null)).slice(before.length)).toEqual(oneFailure());
    });

    test('is rejected beside the session of another citizen, and accepted beside one of its own', async () => {
      const number = await national();
      const session = (citizenId: string) =>
        room.store.transaction((tx) =>
          startSession(tx, {
            citizenId,
            amr: [challengeNames.password],
            nid: 1,
            role: 'citizen',
            now: now(),
            lifeS: 600,
            idleS: 600,
            device: { userAgent: '', address: '192.0.2.9' },
          }),
        );
      const other = { session: (await session(await room.citizen())).secret };
      await expect(prove(await shown(number), other)).rejects.toMatchObject({
        status: 400,
        code: 'sesion_de_otra_persona',
      });
      expect(await room.audit(ana), 'audited for the owner of the card').toEqual(oneFailure());
      for (const cookies of [{ session: (await session(ana)).secret }, { session: 'unknown' }])
        expect(room.recordForgiven(await prove(await shown(number), cookies))).toMatchObject({ citizen: { id: ana } });
    });
  });
});
