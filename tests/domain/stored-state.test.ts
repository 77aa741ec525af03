import { describe, expect, test } from 'vitest';
import { createPortalStore } from '../../src/domain/root-store.ts';
import {
  pruneStoredState,
  readStoredState,
  writeStoredState,
  type StateStorage,
} from '../../src/domain/stored-state.ts';
import { citizen, fakeClient, memoryStorage, now, createFailure, createToken } from './support/store.ts';

const refuse = (): never => {
  throw new DOMException('full', 'QuotaExceededError');
};
/** Storage of a browser that denies access to it. */
const refusing: StateStorage = { getItem: refuse, setItem: refuse, removeItem: refuse };
const nothing = { token: null, flows: {}, isRenewalPending: false };

describe('[SES-02] readStoredState', () => {
  test.each([
    ['an empty storage', undefined, nothing],
    ['token and variables', '{"token":"t","flows":{"a":{"x":1}}}', { ...nothing, token: 't', flows: { a: { x: 1 } } }],
    ['unknown keys', '{"token":"t","flows":{},"user":{"id":"17"}}', { ...nothing, token: 't' }],
    ['a token that is not a string', '{"token":7,"flows":{}}', nothing],
    [
      'variables that are not objects',
      '{"token":null,"flows":{"a":7,"b":null,"c":[1],"d":{"x":1}}}',
      { ...nothing, flows: { d: { x: 1 } } },
    ],
    ['flows that are an array', '{"flows":[{"x":1}]}', nothing],
    [
      'a renewal that is pending',
      '{"token":null,"flows":{},"isRenewalPending":true}',
      { ...nothing, isRenewalPending: true },
    ],
    ['a renewal beside a token', '{"token":"t","flows":{},"isRenewalPending":true}', { ...nothing, token: 't' }],
    ['a malformed pending renewal', '{"token":null,"flows":{},"isRenewalPending":"yes"}', nothing],
    ['broken JSON', '{"token":', nothing],
    ['a JSON string', '"token"', nothing],
    ['null', 'null', nothing],
  ])('returns a valid state for %s', (_, text, expected) => {
    expect(readStoredState(memoryStorage(text === undefined ? {} : { portal: text }))).toEqual(expected);
  });

  test('returns an empty state if the storage denies access, and writing does not throw', () => {
    expect(readStoredState(refusing)).toEqual(nothing);
    expect(() => {
      writeStoredState(refusing, { ...nothing, token: 't' });
      writeStoredState(refusing, nothing);
      pruneStoredState(refusing, now);
    }).not.toThrow();
  });
});

describe('[SES-01] pruneStoredState', () => {
  const flows = { a: { x: 1 } };
  const isRenewalPending = { token: null, flows: {}, isRenewalPending: true };
  test.each([
    ['keeps the state with a valid token', { token: createToken(), flows }, { token: createToken(), flows }],
    ['clears an expired state and marks the renewal', { token: createToken({}, 0), flows }, isRenewalPending],
    ['clears an unreadable state and marks the renewal', { token: 'garbage', flows }, isRenewalPending],
    ['keeps the mark of a pending renewal', isRenewalPending, isRenewalPending],
    ['keeps the variables of a guest', { token: null, flows }, { token: null, flows }],
    [
      'removes keys that are not allowed',
      { token: createToken(), flows, password: 'lluvia tren azul' },
      { token: createToken(), flows },
    ],
  ])('%s', (_, stored, left) => {
    const storage = memoryStorage({ portal: JSON.stringify(stored) });
    pruneStoredState(storage, now);
    expect(JSON.parse(storage.content.get('portal') ?? '')).toEqual(left);
  });
});

describe('[SES-02] store', () => {
  const secret = 'lluvia tren azul';

  test('writes only the token and the remembered variables to storage', async () => {
    const storage = memoryStorage();
    const token = createToken();
    const { client } = fakeClient({
      obtainToken: { ok: true, result: { token } },
      getCitizen: { ok: true, result: citizen },
      registerCitizen: createFailure({ errors: { password: secret }, error: secret }),
    });
    const store = createPortalStore({ client, clock: () => now, storage });
    await store.perform('obtainToken');
    await store.loadUser();
    await store.perform('registerCitizen', { body: { password: secret, captcha_response: 'answer' } });
    store.storeFlowContext('registro', { paso: 2 });
    expect([...storage.content.keys()]).toEqual(['portal']);
    expect(JSON.parse(storage.content.get('portal') ?? '')).toEqual({ token, flows: { registro: { paso: 2 } } });
    expect(store.user?.numero_documento, 'the store in memory has more than the storage').toBe(
      citizen.numero_documento,
    );
  });

  test('is restored from storage', () => {
    const token = createToken();
    const storage = memoryStorage({ portal: JSON.stringify({ token, flows: { registro: { paso: 2 } } }) });
    const store = createPortalStore({ client: fakeClient({}).client, clock: () => now, storage });
    expect([store.session.authenticated, store.flows.get('registro')]).toEqual([true, { paso: 2 }]);
  });

  test('clears the storage when it is cleared', () => {
    const storage = memoryStorage({
      portal: JSON.stringify({ token: createToken(), flows: { registro: { paso: 2 } } }),
    });
    createPortalStore({ client: fakeClient({}).client, clock: () => now, storage }).resetStore();
    expect(storage.content.size).toBe(0);
  });

  test('works in memory if the storage denies access', async () => {
    const { client } = fakeClient({ obtainToken: { ok: true, result: { token: createToken() } } });
    const store = createPortalStore({ client, clock: () => now, storage: refusing });
    await store.perform('obtainToken');
    expect(store.session.authenticated).toBe(true);
  });
});
