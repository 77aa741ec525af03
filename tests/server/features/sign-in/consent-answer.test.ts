import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HandlerContext } from '../../../../src/server/features/handler-context.ts';
import type { Caller } from '../../../../src/server/platform/base/operation-request.ts';
import { findConsentedScopes, scopeTextsVersion } from '../../../../src/server/trust/federation/clients/scopes.ts';
import { giveConsent } from '../../../../src/server/trust/federation/consents.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { openChallengeParts } from '../../support/challenge-parts.ts';

describe('[CONS-03] giveConsent', () => {
  let room: Awaited<ReturnType<typeof openChallengeParts>>;
  let caller: Caller;
  const pendingRequests = {
    findRequestAwaitingConsent: vi.fn(async (state: string, sessionId: string) =>
      state === 'asked' && sessionId === 's'
        ? { clientId: 'app', scopes: ['openid', 'email'], resumePath: '/broker/resume' }
        : null,
    ),
    recordConsent: vi.fn(async () => {}),
    recordRefusal: vi.fn(async () => {}),
  };
  beforeAll(async () => {
    room = await openChallengeParts(defaultDatabase, () => ({ pendingRequests }) as unknown as HandlerContext);
  });
  afterAll(() => room.close());
  beforeEach(async () => {
    const { id: citizenId } = await room.account({ level: 'Verificado' });
    caller = {
      citizenId,
      document: 'ar-psp-1',
      sessionId: 's',
      role: 'citizen',
      permisos: {},
      restricted: false,
      factorDue: false,
      nid: 1,
    };
    vi.clearAllMocks();
  });

  const give = (allow: boolean, changes: object = {}, who: Caller | null = caller) =>
    giveConsent(room.parts, {
      ...room.request({}),
      caller: who,
      body: { next: 'asked', client_id: 'app', allow, ...changes },
    } as never);
  const kept = (citizenId = caller.citizenId) => findConsentedScopes(room.store.db, citizenId, 'app');
  const entry = (action: string, rid_alto_sin_2do_factor: boolean) => ({
    at: room.clock.now(),
    action,
    address: '192.0.2.9',
    request_id: 'request-1',
    details: JSON.stringify({
      client: 'app',
      scopes: ['openid', 'email'],
      textsVersion: scopeTextsVersion,
      es_extranjero: true,
      rid_alto_sin_2do_factor,
    }),
  });

  test('stores and audits a consent, and continues the request', async () => {
    expect(await give(true)).toEqual({ body: { location: '/broker/resume' } });
    expect(await kept()).toEqual(['openid', 'email']);
    expect(await room.audit(caller.citizenId)).toEqual([entry('consent-given', true)]);
    expect([pendingRequests.recordConsent.mock.calls, pendingRequests.recordRefusal.mock.calls]).toEqual([
      [['asked']],
      [],
    ]);
  });

  test('audits a refusal, stores no consent, and continues the request', async () => {
    expect(await give(false, {}, { ...caller, nid: 2 })).toEqual({ body: { location: '/broker/resume' } });
    expect(await kept()).toBeNull();
    expect(await room.audit(caller.citizenId)).toEqual([entry('consent-refused', false)]);
    expect([pendingRequests.recordConsent.mock.calls, pendingRequests.recordRefusal.mock.calls]).toEqual([
      [],
      [['asked']],
    ]);
  });

  test.each<[note: string, changes: object, who: () => Caller | null]>([
    ['to an unknown request', { next: 'x' }, () => caller],
    ['for another application', { client_id: 'other' }, () => caller],
    ['from another session', {}, () => ({ ...caller, sessionId: 'x' })],
    ['without a session', {}, () => null],
  ])('rejects an answer %s with 404', async (_, changes, who) => {
    await expect(give(true, changes, who())).rejects.toMatchObject({ status: 404, code: 'no_encontrado' });
    expect([await kept(), await room.audit(caller.citizenId), pendingRequests.recordConsent.mock.calls]).toEqual([
      null,
      [],
      [],
    ]);
  });

  test('rejects a citizen who no longer exists with 401', async () => {
    const gone = { ...caller, citizenId: 'gone' };
    await expect(give(true, {}, gone)).rejects.toMatchObject({ status: 401, code: 'no_autenticado' });
    expect([await kept('gone'), pendingRequests.recordConsent.mock.calls]).toEqual([null, []]);
  });
});
