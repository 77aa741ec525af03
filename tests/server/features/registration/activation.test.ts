import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { issueLinkToken, type LinkTokenPurpose } from '../../../../src/server/trust/credentials/link-tokens.ts';
import { activateAccount } from '../../../../src/server/features/registration/activation-mail.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { openChallengeParts } from '../../support/challenge-parts.ts';

const invalid = { status: 400, code: 'vinculo_invalido' };

describe('[ACT-01 ACT-02 ACT-03] activation link', () => {
  let room: Awaited<ReturnType<typeof openChallengeParts>>;
  let ana: string;
  beforeAll(async () => {
    room = await openChallengeParts(defaultDatabase);
  });
  afterAll(() => room.close());
  beforeEach(async () => {
    ana = (await room.account({ active_at: null, email_verified_at: null })).id;
    room.clock.advance(60);
    room.asked.length = 0;
  });

  const now = () => room.clock.now();
  const link = (
    subject = 'ana@example.com',
    citizenId: string | null = ana,
    purpose: LinkTokenPurpose = 'activation',
  ) => room.store.transaction((tx) => issueLinkToken(tx, { purpose, citizenId, subject, now: now(), lifeS: 60 }));
  const use = (uuid: string) => activateAccount(room.parts, { ...room.request({}), body: { uuid } } as never);
  const account = (id = ana) =>
    room.store.db
      .selectFrom('citizens')
      .select(['active_at', 'email_verified_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  test('activates the account and verifies its address once, and returns "ya_activada" afterwards', async () => {
    const [own, second] = [await link(), await link()];
    const others = (await room.account({ active_at: null })).id;
    expect(await use(own)).toEqual({ estado: 'activada' });
    const at = now();
    expect(await account()).toEqual({ active_at: at, email_verified_at: at });
    expect((await account(others)).active_at).toBeNull();
    const entry = { at, action: 'activate', address: '192.0.2.9', request_id: 'request-1', details: '{}' };
    expect(await room.audit(ana)).toEqual([entry]);
    room.clock.advance(1);
    expect([await use(own), await use(second)]).toEqual([{ estado: 'ya_activada' }, { estado: 'ya_activada' }]);
    expect(await account()).toEqual({ active_at: at, email_verified_at: at });
    expect(await room.audit(ana)).toEqual([entry]);
  });

  test('verifies the new address of an active account, and preserves its activation date', async () => {
    const before = new Date('2070-01-01T00:00:00Z');
    await room.store.db.updateTable('citizens').set({ active_at: before }).where('id', '=', ana).execute();
    expect(await use(await link())).toEqual({ estado: 'activada' });
    expect(await account()).toEqual({ active_at: before, email_verified_at: now() });
  });

  test.each<[note: string, make: () => Promise<string>]>([
    ['is made up', async () => 'x'],
    ['has expired', async () => link().finally(() => room.clock.advance(60))],
    ['has another purpose', () => link('ana@example.com', ana, 'reset')],
    ['belongs to no account', () => link('ana@example.com', null)],
    ['was mailed to a previous address', () => link('before@example.com')],
  ])('is rejected without effect if it %s', async (_, make) => {
    const uuid = await make();
    for (let times = 0; times < 2; times++) await expect(use(uuid)).rejects.toMatchObject(invalid);
    expect(await account()).toEqual({ active_at: null, email_verified_at: null });
    expect(await room.audit(ana)).toEqual([]);
  });

  test('is rejected after use if the account is no longer active', async () => {
    const uuid = await link();
    await use(uuid);
    await room.store.db.updateTable('citizens').set({ active_at: null }).where('id', '=', ana).execute();
    await expect(use(uuid)).rejects.toMatchObject(invalid);
  });
});
