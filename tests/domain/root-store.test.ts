import { getSnapshot } from 'mobx-state-tree';
import { describe, expect, test, vi } from 'vitest';
import type { OperationName } from '../../src/contract/contract.ts';
import { createPortalStore } from '../../src/domain/root-store.ts';
import type { OperationResult } from '../../src/engine/core/operation-result.ts';
import { citizen, fakeClient, memoryStorage, now, createFailure, createToken } from './support/store.ts';

type Answers = { readonly [Name in OperationName]?: OperationResult | Promise<OperationResult> };

function open(answers: Answers = {}, token: string | null = null, storage = createStorage(token)) {
  const { client, calls } = fakeClient(answers);
  return { store: createPortalStore({ client, clock: () => now, storage }), calls, storage };
}

/** Creates a storage with a token. `isRenewalPending` simulates a token that had expired and was removed. */
function createStorage(token: string | null, isRenewalPending = false) {
  return memoryStorage(
    token === null && !isRenewalPending ? {} : { portal: JSON.stringify({ token, flows: {}, isRenewalPending }) },
  );
}

/** Creates a promise that the test resolves. */
function createDeferred() {
  let give: (answer: OperationResult) => void = () => undefined;
  const answer = new Promise<OperationResult>((resolve) => (give = resolve));
  return { answer, give: (result: OperationResult) => give(result) };
}

const fresh = createToken({}, 290);
const succeed = (result: unknown): OperationResult => ({ ok: true, result });

describe('[ERR-03] state of an operation', () => {
  test('is pending during the call and success after it', async () => {
    const { answer, give } = createDeferred();
    const { store } = open({ getCountries: answer });
    const running = store.perform('getCountries');
    expect(store.log.operations.get('getCountries')?.state).toBe('pending');
    give(succeed([]));
    await running;
    expect(store.log.operations.get('getCountries')?.state).toBe('success');
  });

  test('[ERR-02] is error with the failure of its own operation', async () => {
    const mail = createFailure({ error: 'Mal', field: 'email', errors: { email: 'Mal' } });
    const { store } = open({
      registerCitizen: mail,
      resendActivation: createFailure({ status: 429, error: 'Espere' }),
    });
    await store.perform('registerCitizen');
    await store.perform('resendActivation');
    expect(store.log.operations.get('registerCitizen')).toMatchObject({
      state: 'error',
      failure: { errors: { email: 'Mal' } },
    });
    expect(store.log.operations.get('resendActivation')).toMatchObject({ state: 'error', failure: { status: 429 } });
  });

  test('[ERR-02] loses the previous error when the operation is called again', async () => {
    const { store } = open({});
    store.log.record('registerCitizen', 'error', { status: 400, error: 'Mal', errors: {}, outdated: false });
    void store.perform('registerCitizen');
    expect(getSnapshot(store.log).operations).toEqual({ registerCitizen: { state: 'pending', failure: null } });
  });

  test('is not created for an operation that the contract does not define: the call throws', async () => {
    await expect(open().store.perform('constructor')).rejects.toThrow('constructor');
    await expect(open().store.perform('deleteCitizen')).rejects.toThrow('deleteCitizen');
  });
});

describe('effect of a response on the store', () => {
  test.each(['obtainToken', 'refreshToken'] as const)('[SES-01] %s sets the token', async (call) => {
    const { store, storage } = open({ [call]: succeed({ token: fresh }) });
    await store.perform(call);
    expect(store.session.token).toBe(fresh);
    expect(storage.content.get('portal')).toContain(fresh);
  });

  test('[ENT-01] getCitizen sets the record', async () => {
    const { store } = open({ getCitizen: succeed(citizen) });
    await store.perform('getCitizen');
    expect([store.user?.nombre_completo, store.userState]).toEqual([citizen.nombre_completo, 'Exito']);
  });

  test('[REG-04] completeRegistration marks the record for reload', async () => {
    const { store } = open({
      getCitizen: succeed(citizen),
      completeRegistration: succeed({ email: 'a@b.uy', reenvio: 'r' }),
    });
    await store.perform('getCitizen');
    await store.perform('completeRegistration');
    expect(store.userState).toBe('Pendiente');
  });

  test('a rejected call sets neither a token nor a record', async () => {
    const { store } = open({ obtainToken: createFailure({ status: 401 }), getCitizen: createFailure({ status: 404 }) });
    await store.perform('obtainToken');
    await store.perform('getCitizen');
    expect([store.session.token, store.user, store.userState]).toEqual([null, null, 'Pendiente']);
  });

  test('[SES-01] a response that arrives after the store was cleared sets nothing', async () => {
    const token = createDeferred();
    const record = createDeferred();
    const { store, storage } = open({ refreshToken: token.answer, getCitizen: record.answer }, createToken());
    const running = Promise.all([store.renewTokenSerially(), store.loadUser()]);
    store.resetStore();
    token.give(succeed({ token: fresh }));
    record.give(succeed(citizen));
    await running;
    expect([store.session.token, store.user, storage.content.size, store.log.operations.size]).toEqual([
      null,
      null,
      0,
      0,
    ]);
  });
});

describe('[ENT-01] load state of the record', () => {
  test.each([
    ['Exito if the server returns the record', succeed(citizen), 'Exito', true],
    ['Error if the server fails', createFailure({ status: 500 }), 'Error', true],
    ['Error if the server is unreachable', createFailure({ status: 0 }), 'Error', true],
  ] as const)('is %s', async (_, answer, state, authenticated) => {
    const { store, calls } = open({ getCitizen: answer }, createToken({ cid: '17' }));
    expect(store.userState).toBe('Pendiente');
    await store.loadUser();
    expect([store.userState, store.session.authenticated]).toEqual([state, authenticated]);
    expect(calls).toEqual([{ name: 'getCitizen', input: { params: { id: '17' } } }]);
  });

  test('stays Pendiente without a request if there is no token', async () => {
    const { store, calls } = open({}, null);
    await store.loadUser();
    expect([store.userState, calls, store.sessionEndReason]).toEqual(['Pendiente', [], null]);
  });
});

describe('[SES-01] return with an invalid token', () => {
  const gone = createFailure({ status: 401 });
  const names = (calls: readonly { readonly name: string }[]) => calls.map(({ name }) => name);

  test.each([
    ['an expired token', createStorage(createToken({}, -1))],
    ['a token that was removed at the start', createStorage(null, true)],
  ])('replaces %s with one from the broker', async (_, storage) => {
    const { store, calls } = open(
      { obtainToken: succeed({ token: fresh }), getCitizen: succeed(citizen) },
      null,
      storage,
    );
    await store.loadUser();
    expect(JSON.parse(storage.content.get('portal') ?? ''), 'token from the response of the broker').toEqual({
      token: fresh,
      flows: {},
    });
    expect([names(calls), store.userState, store.session.token, store.sessionEndReason]).toEqual([
      ['obtainToken', 'getCitizen'],
      'Exito',
      fresh,
      null,
    ]);
  });

  test.each([
    ['the broker has no session', createToken({}, -1), gone, ['obtainToken']],
    ['the server and the broker reject the token', createToken(), gone, ['getCitizen', 'obtainToken']],
    [
      'the server rejects the new token too',
      createToken(),
      succeed({ token: fresh }),
      ['getCitizen', 'obtainToken', 'getCitizen'],
    ],
  ])('ends the session if %s', async (_, token, obtainToken, asked) => {
    const { store, calls, storage } = open({ obtainToken, getCitizen: gone }, token);
    await store.loadUser();
    expect([names(calls), store.userState, store.session.token, store.sessionEndReason, storage.content.size]).toEqual([
      asked,
      'Pendiente',
      null,
      'over',
      0,
    ]);
    await store.loadUser();
    expect(names(calls), 'no further request').toEqual(asked);
  });

  test('clears the data of the previous citizen if another one has signed in', async () => {
    const other = createToken({ cid: 'other' });
    const { store } = open(
      {
        obtainToken: succeed({ token: other }),
        getCitizen: succeed({ ...citizen, id: 'other' }),
        getApplications: succeed([]),
      },
      createToken({ cid: citizen.id }),
    );
    store.setUser(citizen);
    await store.perform('getApplications');
    expect([store.user?.id, store.applications?.length]).toEqual([citizen.id, 0]);
    store.session.start(createToken({ cid: citizen.id }, -1));
    await store.loadUser();
    expect([store.session.token, store.applications]).toEqual([other, null]);
  });

  test('does not sign in again a citizen who has signed out', async () => {
    const record = createDeferred();
    const { store, calls } = open(
      { getCitizen: record.answer, obtainToken: succeed({ token: fresh }), logout: createFailure({ status: 0 }) },
      createToken(),
    );
    const loading = store.loadUser();
    await store.logOut();
    record.give(gone);
    await loading;
    await store.loadUser();
    expect([names(calls), store.session.token, store.sessionEndReason]).toEqual([['getCitizen', 'logout'], null, null]);
  });

  test('keeps the session if the broker is unreachable', async () => {
    const { store } = open({ obtainToken: createFailure({ status: 0 }) }, createToken({}, -1));
    await store.loadUser();
    expect([store.userState, store.userStatus, store.sessionEndReason, store.isTokenRequestPending]).toEqual([
      'Error',
      0,
      null,
      false,
    ]);
  });

  describe('renewal that only the storage records', () => {
    const answers = { obtainToken: createFailure({ status: 401 }), logout: createFailure({ status: 0 }) };

    test('is made by each page, also while another page asks or after one that was offline', async () => {
      const shared = createStorage(null, true);
      const asking = createDeferred();
      const first = open({ obtainToken: asking.answer, getCitizen: succeed(citizen) }, null, shared);
      const loading = first.store.loadUser();
      first.store.storeFlowContext('registro', { paso: 2 });
      const offline = open({ obtainToken: createFailure({ status: 0 }) }, null, shared);
      await offline.store.loadUser();
      const second = open({ obtainToken: succeed({ token: fresh }), getCitizen: succeed(citizen) }, null, shared);
      await second.store.loadUser();
      expect([names(second.calls), second.store.session.token]).toEqual([['obtainToken', 'getCitizen'], fresh]);
      asking.give(succeed({ token: fresh }));
      await loading;
      expect(first.store.userState).toBe('Exito');
    });

    test('is not repeated after the broker has rejected the session', async () => {
      const shared = createStorage(null, true);
      await open(answers, null, shared).store.loadUser();
      const next = open(answers, null, shared);
      await next.store.loadUser();
      expect([next.calls, next.store.sessionEndReason, shared.content.size]).toEqual([[], null, 0]);
    });

    test('is not made after a sign-out in another page', async () => {
      const shared = createStorage(null, true);
      const [one, another] = [open(answers, null, shared), open(answers, null, shared)];
      await another.store.logOut();
      await one.store.loadUser();
      expect([one.calls, one.store.sessionEndReason, shared.content.size]).toEqual([[], null, 0]);
    });

    test('is not made after a sign-in and a sign-out in another page', async () => {
      const shared = createStorage(null, true);
      const [one, another] = [open(answers, null, shared), open(answers, null, shared)];
      another.store.session.start(fresh);
      another.store.resetStore();
      await one.store.loadUser();
      expect([one.calls, shared.content.size]).toEqual([[], 0]);
    });
  });

  test('[SEG-01] ends the session as blocked if the account is blocked', async () => {
    const { store } = open(
      { obtainToken: createFailure({ status: 401, code: 'account_blocked' }) },
      createToken({}, -1),
    );
    const loading = store.loadUser();
    expect(store.isTokenRequestPending).toBe(true);
    await loading;
    expect([store.sessionEndReason, store.isTokenRequestPending]).toEqual(['blocked', false]);
  });
});

describe('[SES-01] refresh of the token', () => {
  test('replaces a token that expires soon', async () => {
    const old = createToken({}, 10);
    const { store, calls } = open({ refreshToken: succeed({ token: fresh }) }, old);
    expect(await store.renewTokenSerially()).toBe('fresh');
    expect(calls).toEqual([{ name: 'refreshToken', input: { body: { token: old, activo: false } } }]);
    expect(store.session.token).toBe(fresh);
  });

  test('is refused without a request if there is no token', async () => {
    const { store, calls } = open();
    expect([await store.renewTokenSerially(), calls]).toEqual(['refused', []]);
  });

  test.each([
    [401, 'refused'],
    [403, 'refused'],
    [400, 'refused'],
    [0, 'unreachable'],
    [429, 'unreachable'],
    [500, 'unreachable'],
    [503, 'unreachable'],
  ])('fails on status %s with the result %s', async (status, result) => {
    const { store } = open(
      { refreshToken: createFailure({ status }), obtainToken: createFailure({ status }) },
      createToken(),
    );
    expect(await store.renewTokenSerially()).toBe(result);
  });

  test.each([
    ['fresh', succeed({ token: fresh }), fresh],
    ['unreachable', createFailure({ status: 503 }), createToken({}, -3600)],
  ] as const)(
    'obtains a token from the broker session if the old token is rejected: %s',
    async (result, obtainToken, token) => {
      const { store, calls } = open(
        { refreshToken: createFailure({ status: 401 }), obtainToken },
        createToken({}, -3600),
      );
      expect(await store.renewTokenSerially()).toBe(result);
      expect([calls.map(({ name }) => name), store.session.token]).toEqual([['refreshToken', 'obtainToken'], token]);
    },
  );

  test('marks the session as resuming until the broker has responded', async () => {
    const refused = createDeferred();
    const { store } = open({ refreshToken: refused.answer, obtainToken: succeed({ token: fresh }) }, createToken());
    const asking = store.renewTokenSerially();
    await vi.waitFor(() => expect(store.isTokenRequestPending).toBe(true));
    refused.give(createFailure({ status: 401 }));
    await asking;
    expect(store.isTokenRequestPending).toBe(false);
  });

  test('clears the data of the previous citizen if the broker session is of another one', async () => {
    const other = createToken({ cid: 'other' });
    const { store } = open(
      {
        refreshToken: createFailure({ status: 401 }),
        obtainToken: succeed({ token: other }),
        getCitizen: succeed(citizen),
      },
      createToken(),
    );
    await store.loadUser();
    expect(await store.renewTokenSerially()).toBe('other');
    expect([store.session.token, store.user]).toEqual([other, null]);
  });

  test('sends one request at a time', async () => {
    const first = createDeferred();
    const { store, calls } = open({ refreshToken: first.answer }, createToken());
    const both = Promise.all([store.renewTokenSerially(), store.renewTokenSerially(true)]);
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    first.give(succeed({ token: fresh }));
    await both;
    expect(calls.map(({ input }) => input?.body)).toEqual([
      expect.objectContaining({ activo: false }),
      { token: fresh, activo: true },
    ]);
  });
});

describe('[SES-04] sign-out', () => {
  const answer = { logout_urls: ['https://app.uy/out'], location: '/', wait_longer: true };

  test('returns the response with the applications to notify', async () => {
    const { store } = open({ logout: succeed(answer) }, createToken());
    expect(await store.logOut()).toEqual(answer);
  });

  test.each([
    ['if the broker accepts', succeed(answer)],
    ['if the broker fails', createFailure({ status: 500 })],
    ['if the broker is unreachable', createFailure({ status: 0 })],
  ])('[SES-01] clears the store and the storage %s', async (_, result) => {
    const { store, storage } = open({ logout: result, getCitizen: succeed(citizen) }, createToken());
    await store.loadUser();
    store.storeFlowContext('registro', { paso: 2 });
    const answered = await store.logOut();
    expect(answered === null).toBe(!result.ok);
    expect(getSnapshot(store), 'equal to a new store').toEqual(getSnapshot(open().store));
    expect(storage.content.size).toBe(0);
  });
});
