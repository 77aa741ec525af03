import { loadSignInContext } from '../../../src/server/features/sign-in/complete-sign-in.ts';
import { replaceRecoveryCodes } from '../support/citizen-data.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  advanceSignInRecord,
  signInLifeS,
  endPendingSignIns,
  createSignInExpiredError,
  listCompletedChallenges,
  findSignInRecord,
  createSignInRecord,
  beginSignInStepAttempt,
} from '../../../src/server/trust/sessions/sign-in-record.ts';
import { hashSecret } from '../../../src/server/platform/keys/random-secrets.ts';
import {
  findLiveLinkToken,
  consumeLinkToken,
  findUsedLinkToken,
  issueLinkToken,
  listUnusedLinkTokens,
  voidLinkToken,
  voidLinkTokens,
  type LinkTokenPurpose,
} from '../../../src/server/trust/credentials/link-tokens.ts';
import {
  mailedCodeLifeS,
  storeMailedCode,
  verifyStoredMailedCode,
  consumeMailedCode,
  voidMailedCodes,
  type MailedCodeBinding,
} from '../../../src/server/trust/credentials/mailed-codes.ts';
import { startSession } from '../../../src/server/trust/sessions/start-session.ts';
import type { Tx } from '../../../src/server/platform/database/open-store.ts';
import {
  countUnusedRecoveryCodes,
  deleteRecoveryCodes,
  findRecoveryCode,
  consumeRecoveryCode,
} from '../../../src/server/trust/credentials/recovery-codes.ts';
import type { PasswordHasher } from '../../../src/server/trust/credentials/passwords.ts';
import { openCheapPasswords } from '../support/cheap-hashes.ts';
import { defaultDatabase } from '../support/databases.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

describe.each([defaultDatabase])('one-time secrets on %s', (database) => {
  let on: TestStore;
  let ana: string;
  let bea: string;
  beforeAll(async () => {
    on = await openTestStore(database);
  });
  afterAll(() => on.close());
  beforeEach(async () => {
    [ana, bea] = [await on.citizen(), await on.citizen()];
  });

  const within = <Result>(work: (tx: Tx) => Promise<Result>) => on.store.transaction(work);
  const now = () => on.clock.now();
  /** Runs `work` ten times concurrently. Returns the number of successes. */
  const ofTen = async (work: (tx: Tx) => Promise<boolean>) =>
    (await Promise.all(Array.from({ length: 10 }, () => within(work)))).filter(Boolean).length;

  describe('link token', () => {
    const issue = (purpose: LinkTokenPurpose = 'reset', citizenId: string | null = ana, subject = 'ana@example.com') =>
      within((tx) => issueLinkToken(tx, { purpose, citizenId, subject, now: now(), lifeS: 60 }));
    const consume = (secret: string, purpose: LinkTokenPurpose = 'reset') =>
      within((tx) => consumeLinkToken(tx, purpose, secret, now()));
    const live = async (secret: string, purpose: LinkTokenPurpose = 'reset') =>
      (await findLiveLinkToken(on.store.db, purpose, secret, now()))?.citizenId ?? null;
    const rowOf = (secret: string) =>
      on.store.db.selectFrom('link_tokens').selectAll().where('hash', '=', hashSecret(secret)).executeTakeFirst();

    test('is stored as a hash with its purpose, citizen and expiry', async () => {
      const secret = await issue();
      expect(await rowOf(secret)).toEqual({
        hash: hashSecret(secret),
        purpose: 'reset',
        citizen_id: ana,
        subject: 'ana@example.com',
        created_at: now(),
        expires_at: new Date(now().getTime() + 60_000),
        used_at: null,
      });
    });

    test('works once, and only with its exact secret and purpose', async () => {
      const [secret, other] = [await issue(), await issue()];
      expect([
        await consume(secret, 'activation'),
        await consume(`${secret}x`),
        await live(secret, 'activation'),
        await live(`${secret}x`),
      ]).toEqual([null, null, null, null]);
      expect(await live(secret)).toBe(ana);
      expect(await consume(secret)).toEqual({ citizenId: ana, subject: 'ana@example.com' });
      expect([await consume(secret), await live(secret), (await rowOf(secret))?.used_at]).toEqual([null, null, now()]);
      expect(await live(other)).toBe(ana);
    });

    test('is consumed once by ten parallel uses', async () => {
      const secret = await issue();
      expect(await ofTen(async (tx) => (await consumeLinkToken(tx, 'reset', secret, now())) !== null)).toBe(1);
    });

    test('expires after its lifetime', async () => {
      const [early, late] = [await issue(), await issue()];
      on.clock.advance(59);
      expect([await live(early), await consume(early)]).toEqual([ana, { citizenId: ana, subject: 'ana@example.com' }]);
      on.clock.advance(1);
      expect([await live(late), await consume(late)]).toEqual([null, null]);
    });

    test('can have no citizen', async () => {
      const secret = await issue('resend', null, 'uy-ci-1');
      expect(await live(secret, 'resend')).toBeNull();
      expect(await consume(secret, 'resend')).toEqual({ citizenId: null, subject: 'uy-ci-1' });
    });

    test('is voided with all other unused tokens of the same citizen and purpose', async () => {
      const [used, unused, activation, others] = [
        await issue(),
        await issue(),
        await issue('activation'),
        await issue('reset', bea),
      ];
      await consume(used);
      const usedAt = now();
      on.clock.advance(1);
      expect(await within((tx) => listUnusedLinkTokens(tx, 'reset', ana))).toEqual([
        { hash: hashSecret(unused), subject: 'ana@example.com' },
      ]);
      await within((tx) => voidLinkTokens(tx, 'reset', ana, now()));
      expect([(await rowOf(used))?.used_at, (await rowOf(unused))?.used_at]).toEqual([usedAt, now()]);
      expect([await live(unused), await live(activation, 'activation'), await live(others)]).toEqual([null, ana, bea]);
      expect(await within((tx) => listUnusedLinkTokens(tx, 'reset', ana))).toEqual([]);
    });

    test('can be voided without affecting another token', async () => {
      const [secret, other] = [await issue(), await issue()];
      await within((tx) => voidLinkToken(tx, hashSecret(secret), now()));
      expect([await live(secret), await live(other), (await rowOf(secret))?.used_at]).toEqual([null, ana, now()]);
    });

    test('is found as used after its use, even once it has expired', async () => {
      const [secret, unused] = [await issue('disavow'), await issue('disavow')];
      expect(await findUsedLinkToken(on.store.db, 'disavow', secret)).toBeNull();
      await consume(secret, 'disavow');
      on.clock.advance(600);
      expect(await findUsedLinkToken(on.store.db, 'disavow', secret)).toEqual({
        citizenId: ana,
        subject: 'ana@example.com',
      });
      for (const [purpose, of] of [
        ['reset', secret],
        ['disavow', unused],
        ['disavow', 'x'],
      ] as const)
        expect(await findUsedLinkToken(on.store.db, purpose, of)).toBeNull();
    });
  });

  describe('mailed code', () => {
    let serial = 0;
    let binding: MailedCodeBinding;
    beforeEach(() => {
      binding = { purpose: 'sign-in', owner: `owner-${(serial += 1)}` };
    });
    const store = (code = 'AB23CD', to = binding, citizenId = ana) =>
      within((tx) => storeMailedCode(tx, on.vault, { ...to, citizenId, code, now: now() }));
    const attempt = (typed = 'AB23CD', of = binding) => verifyStoredMailedCode(on.store, on.vault, of, typed, now());
    const use = (digest: string | null, of = binding) => within((tx) => consumeMailedCode(tx, of, digest ?? '', now()));

    test('works once, and ignores white space, hyphens and letter case', async () => {
      await store();
      const digest = await attempt(' ab2-3cd ');
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
      expect([await use(digest), await use(digest), await attempt()]).toEqual([true, false, null]);
    });

    test('is consumed once by ten parallel uses', async () => {
      await store();
      const digest = await attempt();
      expect(await ofTen((tx) => consumeMailedCode(tx, binding, digest ?? '', now()))).toBe(1);
    });

    test('works only for its purpose and owner', async () => {
      const others: MailedCodeBinding[] = [
        { ...binding, purpose: 'set-up' },
        { ...binding, owner: 'else' },
      ];
      await store();
      for (const other of others) await store('ZZ99ZZ', other);
      const digest = await attempt();
      for (const other of others) {
        expect([await attempt('AB23CD', other), await use(digest, other)]).toEqual([null, false]);
        expect(await attempt('ZZ99ZZ', other)).not.toBeNull();
      }
      expect(await use(digest)).toBe(true);
      for (const other of others) expect(await use(await attempt('ZZ99ZZ', other), other)).toBe(true);
      expect(await attempt('AB23CD', { ...binding, owner: 'nobody' })).toBeNull();
    });

    test('allows five attempts, right or wrong, and a new code resets them', async () => {
      await store();
      for (let tries = 1; tries <= 4; tries += 1) expect(await attempt('ZZ99ZZ')).toBeNull();
      expect(await attempt()).not.toBeNull();
      expect(await attempt()).toBeNull();
      await store('EF45GH');
      expect([await attempt('AB23CD'), (await attempt('EF45GH')) !== null]).toEqual([null, true]);
    });

    test('is replaced by a new one, even after a successful check, and a new one works after a use', async () => {
      await store();
      const digest = await attempt();
      await store('EF45GH');
      expect(await use(digest)).toBe(false);
      expect(await use(await attempt('EF45GH'))).toBe(true);
      await store('JK67LM');
      expect(await use(await attempt('JK67LM'))).toBe(true);
    });

    test('expires after ten minutes, and so does a new one', async () => {
      await store();
      on.clock.advance(599);
      expect(await attempt()).not.toBeNull();
      on.clock.advance(1);
      expect(await attempt()).toBeNull();
      await store();
      on.clock.advance(mailedCodeLifeS - 1);
      expect(await attempt()).not.toBeNull();
    });

    test('is voided with all codes of its citizen, and is stored only as a digest', async () => {
      const hers = { ...binding, owner: `${binding.owner}-bea` };
      await store();
      await store('AB23CD', hers, bea);
      const rows = await on.store.db.selectFrom('mailed_codes').selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain('AB23CD');
      expect(rows.find(({ owner }) => owner === hers.owner)?.digest).not.toBe(
        rows.find(({ owner }) => owner === binding.owner)?.digest,
      );
      await within((tx) => voidMailedCodes(tx, ana));
      expect([await attempt(), (await attempt('AB23CD', hers)) !== null]).toEqual([null, true]);
    });
  });

  describe('recovery codes', () => {
    let passwords: PasswordHasher;
    beforeAll(async () => {
      passwords = await openCheapPasswords();
    });
    const make = (of = ana) => within((tx) => replaceRecoveryCodes(tx, passwords, of, now()));
    const find = (typed: string, of = ana) => findRecoveryCode(on.store.db, passwords, of, typed);
    const has = async (typed: string, of = ana) => (await find(typed, of)) !== null;
    const use = async (typed: string, of = ana) => {
      const digest = await find(typed, of);
      return digest !== null && within((tx) => consumeRecoveryCode(tx, of, digest, now()));
    };
    const count = (of = ana) => countUnusedRecoveryCodes(on.store.db, of);

    test('[ASVS-6.5.2] are ten different codes of 80 bits, stored with argon2id and one salt per set', async () => {
      const codes = await make();
      expect(new Set(codes).size).toBe(10);
      for (const code of codes) expect(code).toMatch(/^[2-9A-HJ-NP-Z]{16}$/);
      const rows = await on.store.db.selectFrom('recovery_codes').selectAll().where('citizen_id', '=', ana).execute();
      for (const row of rows)
        expect(row).toEqual({
          citizen_id: ana,
          digest: expect.stringMatching(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/) as unknown,
          created_at: now(),
          used_at: null,
        });
      for (const code of codes) expect(JSON.stringify(rows)).not.toContain(code);
      expect(await count()).toBe(10);
      await make(bea);
      const salts = await on.store.db
        .selectFrom('recovery_codes')
        .select('digest')
        .where('citizen_id', 'in', [ana, bea])
        .execute();
      expect(new Set(salts.map(({ digest }) => digest.split('$').at(-2))).size).toBe(2);
    });

    test('work once each, and ignore white space, hyphens and letter case', async () => {
      const [first = '', second = ''] = await make();
      const typed = ` ${first.slice(0, 4).toLowerCase()}-${first.slice(4)}`;
      expect([await has(typed), await use(typed)]).toEqual([true, true]);
      expect([await has(first), await use(first), await count()]).toEqual([false, false, 9]);
      expect([await has(second), await has('AAAABBBBCCCCDDDD'), await use('AAAABBBBCCCCDDDD')]).toEqual([
        true,
        false,
        false,
      ]);
      const { used_at } = await on.store.db
        .selectFrom('recovery_codes')
        .select('used_at')
        .where('citizen_id', '=', ana)
        .where('used_at', 'is not', null)
        .executeTakeFirstOrThrow();
      expect(used_at).toEqual(now());
    });

    test('are consumed once by ten parallel uses of one code', async () => {
      const [code = ''] = await make();
      const digest = (await find(code)) ?? '';
      expect(await ofTen((tx) => consumeRecoveryCode(tx, ana, digest, now()))).toBe(1);
    });

    test('work only for their citizen, and are voided by a new set of the same citizen', async () => {
      const [old = ''] = await make();
      const [hers = ''] = await make(bea);
      expect([await has(hers), await use(hers), await has(hers, bea)]).toEqual([false, false, true]);
      const [fresh = ''] = await make();
      expect([await has(old), await use(old), await has(fresh), await count()]).toEqual([false, false, true, 10]);
      await within((tx) => deleteRecoveryCodes(tx, ana));
      expect([await has(fresh), await count(), await count(bea)]).toEqual([false, 0, 10]);
    });

    test('are bound to their citizen, so that a row moved to another citizen does not work', async () => {
      const [code = ''] = await make();
      await on.store.db.updateTable('recovery_codes').set({ citizen_id: bea }).where('citizen_id', '=', ana).execute();
      expect([await count(bea), await has(code, bea), await use(code, bea)]).toEqual([10, false, false]);
    });
  });

  describe('record of a sign-in', () => {
    const browser = 'the-browser';
    const open = (step = 'password', of = browser, citizenId: string | null = ana) =>
      createSignInRecord(
        on.store,
        {
          step,
          document: 'ar-psp-1',
          citizen_id: citizenId,
          redirect_url: '/inicio',
          process_state: 'state',
          agent: null,
          user_agent: 'Firefox',
          address: '192.0.2.1',
        },
        of,
        now(),
      );
    const attempt = (secret: string, step = 'password', of = browser) =>
      beginSignInStepAttempt(on.store, { step, secret, browser: of, now: now() });
    /** Returns attempts at another step, in another browser or with another token. */
    const listOtherAttempts = (secret: string) => {
      const own = { secret, step: 'password', browser, now: now() };
      return [
        { ...own, step: 'never' },
        ...['else', undefined].map((other) => ({ ...own, browser: other })),
        ...[`${secret}x`, null, undefined, ''].map((other) => ({ ...own, secret: other })),
      ];
    };
    const rewind = (secret: string, step = 'password') =>
      beginSignInStepAttempt(on.store, { step, secret, browser, back: true, now: now() });
    const rowOf = (secret: string) =>
      on.store.db.selectFrom('challenges').selectAll().where('hash', '=', hashSecret(secret)).executeTakeFirstOrThrow();
    const complete = (tx: Tx, challenge: { hash: string; step: string }) => {
      const device = { userAgent: 'Firefox', address: '192.0.2.1' };
      const who = { citizenId: ana, amr: [], nid: 1, role: 'citizen' } as const;
      return startSession(tx, { ...who, challenge, device, now: now(), lifeS: 60, idleS: 60 });
    };
    const closeOf = async (secret: string) => {
      const record = await rowOf(secret);
      await within((tx) => complete(tx, record));
    };
    /** Returns records at another step, with other factors and of another sign-in. */
    const listOtherRecords = <Of extends object>(record: Of) => [
      { ...record, step: 'totp' },
      { ...record, factors: 'username totp' },
      { ...record, hash: 'x' },
    ];
    const gone = { status: 410, code: 'sesion_expirada' };

    test('stores hashes of token and browser, the document, and the proven factors', async () => {
      const secret = await open();
      expect(await rowOf(secret)).toEqual({
        hash: hashSecret(secret),
        browser: hashSecret(browser),
        step: 'password',
        document: 'ar-psp-1',
        citizen_id: ana,
        factors: 'username',
        tries: 0,
        redirect_url: '/inicio',
        process_state: 'state',
        agent: null,
        user_agent: 'Firefox',
        address: '192.0.2.1',
        institutional_email: null,
        created_at: now(),
        expires_at: new Date(now().getTime() + 600_000),
        used_at: null,
      });
      expect(listCompletedChallenges({ factors: 'username password' })).toEqual(['username', 'password']);
      expect(createSignInExpiredError()).toMatchObject(gone);
    });

    test('counts each attempt at its step, and rejects the eleventh', async () => {
      const [secret, other] = [await open(), await open()];
      for (let tries = 1; tries <= 10; tries += 1)
        expect(await attempt(secret)).toMatchObject({ hash: hashSecret(secret), tries });
      await expect(attempt(secret)).rejects.toMatchObject(gone);
      expect((await rowOf(other)).tries).toBe(0);
    });

    test('rejects another step, token or browser as expired, without counting an attempt', async () => {
      const secret = await open();
      for (const other of listOtherAttempts(secret))
        await expect(beginSignInStepAttempt(on.store, other)).rejects.toMatchObject(gone);
      expect((await rowOf(secret)).tries).toBe(0);
      expect(await attempt(await open('password', ''), 'password', '')).toMatchObject({ tries: 1 }); // an empty cookie still counts as a cookie
    });

    test('expires after ten minutes', async () => {
      const secret = await open();
      on.clock.advance(599);
      expect([await attempt(secret), await findSignInRecord(on.store, 'password', secret, now())]).toMatchObject([
        { tries: 1 },
        { tries: 1 },
      ]);
      on.clock.advance(signInLifeS - 599);
      await expect(attempt(secret)).rejects.toMatchObject(gone);
      expect(await findSignInRecord(on.store, 'password', secret, now())).toBeNull();
    });

    test('is found by its token and step, without counting an attempt', async () => {
      const secret = await open();
      expect(await findSignInRecord(on.store, 'password', secret, now())).toEqual(await rowOf(secret));
      expect([
        await findSignInRecord(on.store, 'totp', secret, now()),
        await findSignInRecord(on.store, 'password', 'x', now()),
      ]).toEqual([null, null]);
      expect((await rowOf(secret)).tries).toBe(0);
    });

    test('advances with a proven factor, resets the attempts, and does so once for ten parallel calls', async () => {
      const [secret, other] = [await open(), await open()];
      await attempt(secret);
      const record = await rowOf(secret);
      const next = {
        ...record,
        step: 'totp',
        factors: 'username password',
        agent: '1',
        institutional_email: 'a@b.uy',
        citizen_id: bea,
        document: 'ar-psp-2',
      };
      const moved = await ofTen((tx) =>
        advanceSignInRecord(tx, record, next).then(
          () => true,
          () => false,
        ),
      );
      expect(moved).toBe(1);
      expect(await rowOf(secret)).toEqual({ ...next, tries: 0 });
      expect(await rowOf(other)).toMatchObject({ step: 'password', factors: 'username', tries: 0 });
      await expect(within((tx) => advanceSignInRecord(tx, record, next))).rejects.toMatchObject(gone);
    });

    test('keeps its attempts when it advances without a proof', async () => {
      const secret = await open('totp');
      const record = await attempt(secret, 'totp');
      await within((tx) => advanceSignInRecord(tx, record, { ...record, step: 'recovery' }));
      expect(await rowOf(secret)).toMatchObject({ step: 'recovery', factors: 'username', tries: 1 });
    });

    test('does not advance from another step, from other factors, or after its use', async () => {
      const secret = await open();
      const record = await rowOf(secret);
      for (const before of listOtherRecords(record))
        await expect(
          within((tx) => advanceSignInRecord(tx, before, { ...record, step: 'next' })),
        ).rejects.toMatchObject(gone);
      await within((tx) => complete(tx, record));
      await expect(within((tx) => advanceSignInRecord(tx, record, { ...record, step: 'next' }))).rejects.toMatchObject(
        gone,
      );
      expect((await rowOf(secret)).step).toBe('password');
    });

    test('goes back to a proven step of the same browser, and drops the factors proven since', async () => {
      const [secret, other] = [await open(), await open()];
      for (const of of [secret, other]) {
        const record = await rowOf(of);
        const proven = { step: 'totp', factors: 'username password', institutional_email: 'a@b.uy' };
        await within((tx) => advanceSignInRecord(tx, record, { ...record, ...proven }));
      }
      for (const other of listOtherAttempts(secret)) {
        await expect(beginSignInStepAttempt(on.store, { ...other, back: true })).rejects.toMatchObject(gone);
        expect((await rowOf(secret)).step).toBe('totp');
      }
      await rewind(secret);
      expect(await rowOf(secret)).toMatchObject({ step: 'password', factors: 'username', institutional_email: null });
      expect(await rowOf(other)).toMatchObject({
        step: 'totp',
        factors: 'username password',
        institutional_email: 'a@b.uy',
      });
    });

    test('does not go back to its current step, and retains its factors', async () => {
      const secret = await open();
      const record = await rowOf(secret);
      await within((tx) => advanceSignInRecord(tx, record, { ...record, factors: 'username password' }));
      await rewind(secret);
      expect((await rowOf(secret)).factors).toBe('username password');
    });

    test('does not go back after its use or expiry', async () => {
      const [used, over] = [await open(), await open()];
      for (const of of [used, over]) {
        const record = await rowOf(of);
        await within((tx) =>
          advanceSignInRecord(tx, record, { ...record, step: 'totp', factors: 'username password' }),
        );
      }
      await closeOf(used);
      await expect(rewind(used)).rejects.toMatchObject(gone);
      on.clock.advance(600);
      await expect(rewind(over)).rejects.toMatchObject(gone);
      expect([(await rowOf(used)).step, (await rowOf(over)).step]).toEqual(['totp', 'totp']);
    });

    test('is completed once, at its step, for ten parallel calls', async () => {
      const [secret, other] = [await open(), await open()];
      const record = { ...(await rowOf(secret)), citizen_id: await on.citizen() };
      const use = async (tx: Tx, before = record) => {
        await loadSignInContext(tx, before, undefined);
        await complete(tx, before);
      };
      for (const before of listOtherRecords(record))
        await expect(within((tx) => use(tx, before))).rejects.toMatchObject(gone);
      const used = await Promise.allSettled(Array.from({ length: 10 }, () => within((tx) => use(tx))));
      expect(used.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await expect(within((tx) => use(tx))).rejects.toMatchObject(gone);
      expect([(await rowOf(secret)).used_at, (await rowOf(other)).used_at]).toEqual([now(), null]);
      await expect(attempt(secret)).rejects.toMatchObject(gone);
      expect(await findSignInRecord(on.store, 'password', secret, now())).toBeNull();
    });

    test('is closed with all open sign-ins of its citizen, and with no others', async () => {
      const [used, running, others, nobody] = [
        await open(),
        await open(),
        await open('password', browser, bea),
        await open('password', browser, null),
      ];
      await closeOf(used);
      const usedAt = now();
      on.clock.advance(1);
      await within((tx) => endPendingSignIns(tx, ana, now()));
      const at = await Promise.all(
        [used, running, others, nobody].map(async (secret) => (await rowOf(secret)).used_at),
      );
      expect(at).toEqual([usedAt, now(), null, null]);
    });
  });
});
