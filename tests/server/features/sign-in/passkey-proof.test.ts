import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { replaceRecoveryCodes } from '../../support/citizen-data.ts';
import { challengeNames } from '../../../../src/server/trust/identity/challenge-names.ts';
import {
  passkeySecondFactorChallenge,
  passkeySignInChallenge,
  createPasskeyRequestOptions,
} from '../../../../src/server/features/sign-in/challenges/passkey.ts';
import { hashSecret } from '../../../../src/server/platform/keys/random-secrets.ts';
import { InvalidBodyError } from '../../../../src/server/platform/base/errors.ts';
import { listPasskeys } from '../../../../src/server/trust/credentials/passkeys.ts';
import type { Authenticator, Claims } from '../../support/authenticator.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { openChallengeParts, refusedInput } from '../../support/challenge-parts.ts';

/** The response to any invalid passkey. */
const invalidPasskey = { status: 400, code: 'llave_invalida', field: 'credential' };

/** Invalid passkey responses for both ceremonies. */
const lies: readonly { note: string; claims: Claims }[] = [
  { note: 'of another origin', claims: { origin: 'https://engaño.example' } },
  { note: 'for another relying party', claims: { rpId: 'example.com' } },
  { note: 'with another challenge', claims: { challenge: Buffer.alloc(32).toString('base64url') } },
  { note: 'of type webauthn.create', claims: { type: 'webauthn.create' } },
  { note: 'without user presence', claims: { present: false } },
  { note: 'signed by another key', claims: { forged: true } },
  { note: 'with the user handle of another person', claims: { userHandle: Buffer.alloc(32).toString('base64url') } },
];

describe('[SEG+PASSKEY] passkey steps of a sign-in', () => {
  let room: Awaited<ReturnType<typeof openChallengeParts>>;
  let ana: string;
  let bea: string;
  let own: { id: string; authenticator: Authenticator };
  beforeAll(async () => {
    room = await openChallengeParts(defaultDatabase);
  });
  afterAll(() => room.close());
  beforeEach(async () => {
    [ana, bea] = [await room.citizen(), await room.citizen()];
    own = await room.passkey(ana);
    room.asked.length = 0;
    room.clock.advance(60);
  });

  const now = () => room.clock.now();
  const address = { address: '192.0.2.9' };
  const counted = { ...address, document: 'ar-psp-1' };
  type Record = ReturnType<typeof room.record>;
  /**
   * Returns the options of the passkey step, limited to the passkeys of `who`. If `who` is `null`, permits any user.
   */
  const options = async (record: Record, who: string | null = ana) =>
    createPasskeyRequestOptions(room.store.db, room.parts, {
      owner: record.hash,
      allowed: who === null ? null : await listPasskeys(room.store.db, who),
    });
  const second = (record: Record, data: object) =>
    room.prove(passkeySecondFactorChallenge, room.request({ ...data }), record);
  const alone = (record: Record, data: object) => room.prove(passkeySignInChallenge, room.request({ ...data }), record);
  const failure = (details: object, action = 'sign-in-failed') => ({
    at: now(),
    action,
    address: '192.0.2.9',
    request_id: 'request-1',
    details: JSON.stringify(details),
  });

  describe('passkey as the second factor', () => {
    test('proves the factor once, and its use is recorded', async () => {
      const record = room.record(ana);
      const credential = own.authenticator.use(await options(record));
      const proof = await second(record, { credential });
      expect(room.recordForgiven(proof)).toEqual({ factor: challengeNames.passkey });
      expect(room.asked).toEqual([
        ['admit', 'secondFactor', counted, now()],
        ['screen', 'login-llave', { credential }],
        ['forgive', 'secondFactor', counted],
      ]);
      await room.settle(proof);
      expect(await listPasskeys(room.store.db, ana)).toMatchObject([
        { id: own.id, counter: 1, backed_up: true, last_used_at: now() },
      ]);
      await expect(room.settle(proof)).rejects.toMatchObject(invalidPasskey);
      expect(await room.audit(ana)).toEqual([]);
    });

    test('[ASVS-6.7.1] is rejected if its row was moved to another citizen or altered in the database', async () => {
      const change = (changes: { citizen_id?: string; created_at?: Date }) =>
        room.store.db.updateTable('passkeys').set(changes).where('id', '=', own.id).execute();
      const attempt = async (owner: string) => {
        const record = room.record(owner);
        const credential = own.authenticator.use(await options(record, owner), { userHandle: undefined });
        return second(record, { credential });
      };
      await attempt(ana);
      await change({ citizen_id: bea });
      await expect(attempt(bea)).rejects.toMatchObject(invalidPasskey);
      await change({ citizen_id: ana, created_at: new Date(0) });
      await expect(attempt(ana)).rejects.toMatchObject(invalidPasskey);
    });

    test('is accepted without user verification and without a user handle', async () => {
      const record = room.record(ana);
      const claims = { verified: false, userHandle: undefined };
      const credential = own.authenticator.use(await options(record), claims);
      expect(room.recordForgiven(await second(record, { credential }))).toEqual({ factor: challengeNames.passkey });
    });

    test('is rejected if it belongs to another citizen, and audited for its owner', async () => {
      const others = await room.passkey(bea);
      const record = room.record(ana);
      const credential = others.authenticator.use(await options(record), { userHandle: undefined });
      await expect(second(record, { credential })).rejects.toMatchObject(invalidPasskey);
      expect(await room.audit(bea)).toEqual([failure({ challenge: 'a-step' })]);
      expect(await room.audit(ana)).toEqual([]);
      expect(room.asked.map(([name]) => name)).toEqual(['admit', 'screen']);
    });

    test.each<{ note: string; credential: (options: unknown) => unknown }>([
      { note: 'that is malformed', credential: () => 'x' },
      { note: 'that is missing', credential: () => undefined },
      { note: 'of an unknown passkey', credential: () => JSON.stringify({ id: 'x', response: {} }) },
      ...lies.map(({ note, claims }) => ({
        note,
        credential: (given: unknown) => own.authenticator.use(given, claims),
      })),
    ])('rejects a response $note, audits it, and invalidates the options', async ({ credential }) => {
      const record = room.record(ana);
      const given = await options(record);
      await expect(second(record, { credential: credential(given) })).rejects.toMatchObject(invalidPasskey);
      expect(await room.audit(ana)).toEqual([failure({ challenge: 'a-step' })]);
      const right = { credential: own.authenticator.use(given) };
      await expect(second(record, right)).rejects.toMatchObject(invalidPasskey);
    });

    test('rejects the options of another sign-in and of a sign-in with only a passkey', async () => {
      const record = room.record(ana);
      for (const given of [await options(room.record(ana)), await options(record, null)])
        await expect(second(record, { credential: own.authenticator.use(given) })).rejects.toMatchObject(
          invalidPasskey,
        );
    });

    test('rejects a counter that went back, and audits a copied passkey', async () => {
      const record = room.record(ana);
      await room.settle(await second(record, { credential: own.authenticator.use(await options(record)) }));
      const copied = { credential: own.authenticator.use(await options(record), { counter: 1 }) };
      await expect(second(record, copied)).rejects.toMatchObject(invalidPasskey);
      expect(await room.audit(ana)).toEqual([failure({ passkey: own.id }, 'passkey-counter-regressed')]);
    });

    test.each([
      { wish: { options: true }, otherMethod: false },
      { wish: { other: true }, otherMethod: true },
    ])('accepts the request $wish, which proves nothing', async ({ wish, otherMethod }) => {
      const proof = await second(room.record(ana), wish);
      expect([room.recordForgiven(proof), room.asked]).toEqual([{ factor: null, otherMethod }, []]);
      await room.settle(proof);
    });

    test.each([{ options: 'true' }, { other: 1 }])('does not accept %j as a request', async (data) => {
      await expect(second(room.record(ana), data)).rejects.toMatchObject(invalidPasskey);
      expect(room.asked[1], 'the screen does not get the request').toEqual(['screen', 'login-llave', {}]);
    });

    test('can be replaced by a recovery code', async () => {
      const [recovery = ''] = await room.store.transaction((tx) =>
        replaceRecoveryCodes(tx, room.parts.passwords, ana, now()),
      );
      expect(room.recordForgiven(await second(room.record(ana), { recovery }))).toEqual({
        factor: challengeNames.recoveryCode,
      });
    });

    test('is rejected if its screen rejects the input', async () => {
      await expect(second(room.record(ana), { credential: refusedInput })).rejects.toThrow(InvalidBodyError);
    });
  });

  describe('passkey without a document', () => {
    test('starts without a citizen, in the requesting browser, with options for any passkey', async () => {
      const { token, browser, options: given } = await room.open(passkeySignInChallenge, room.request({}));
      const opened = room.store.db.selectFrom('challenges').selectAll().where('hash', '=', hashSecret(token));
      expect(await opened.executeTakeFirstOrThrow()).toMatchObject({
        browser: hashSecret(browser),
        step: challengeNames.passkeySignIn,
        document: '',
        citizen_id: null,
      });
      expect(given).toMatchObject({ userVerification: 'required', allowCredentials: [] });
      expect(room.asked).toEqual([['admit', 'challenge', address, now()]]);
      const credential = own.authenticator.use(given);
      const record = room.record(null, { hash: hashSecret(token), document: '' });
      expect(room.recordForgiven(await alone(record, { credential }))).toMatchObject({ citizen: { id: ana } });
    });

    test('identifies the citizen, and is accepted once', async () => {
      const record = room.record(null);
      const credential = own.authenticator.use(await options(record, null));
      const proof = await alone(record, { credential });
      const number = ana.replaceAll('-', '').toUpperCase();
      expect(room.recordForgiven(proof)).toEqual({
        factor: challengeNames.passkey,
        citizen: { id: ana, document: `ar-psp-${number}` },
      });
      expect(room.asked).toEqual([
        ['admit', 'passkey', address, now()],
        ['screen', 'login-llave-ingreso', { credential }],
        ['forgive', 'passkey', address],
      ]);
      await room.settle(proof);
      await expect(room.settle(proof)).rejects.toMatchObject(invalidPasskey);
    });

    test.each<{ note: string; claims: Claims }>([
      ...lies,
      { note: 'whose user was not verified', claims: { verified: false } },
      { note: 'without a user handle', claims: { userHandle: undefined } },
    ])('rejects a response $note, and audits it for its owner', async ({ claims }) => {
      const record = room.record(null);
      const credential = own.authenticator.use(await options(record, null), claims);
      await expect(alone(record, { credential })).rejects.toMatchObject(invalidPasskey);
      expect(await room.audit(ana)).toEqual([failure({ challenge: 'a-step' })]);
      expect(room.asked.map(([name]) => name)).toEqual(['admit', 'screen']);
    });

    test('rejects the options of a second factor, and a missing response', async () => {
      const record = room.record(null);
      const credential = own.authenticator.use(await options(record));
      await expect(alone(record, { credential })).rejects.toMatchObject(invalidPasskey);
      await expect(alone(record, {})).rejects.toMatchObject(invalidPasskey);
      expect(await room.audit(null)).toContainEqual(failure({ challenge: 'a-step' }));
    });
  });

  test('createPasskeyOptions lists the passkeys of the second factor, and expires after five minutes', async () => {
    const record = room.record(ana);
    expect(await options(record)).toMatchObject({
      userVerification: 'preferred',
      allowCredentials: [{ id: own.authenticator.id }],
    });
    const kept = await room.store.db
      .selectFrom('passkey_challenges')
      .select(['purpose', 'expires_at'])
      .where('owner', '=', record.hash)
      .execute();
    expect(kept).toEqual([{ purpose: 'second-factor', expires_at: new Date(now().getTime() + 300_000) }]);
  });
});
