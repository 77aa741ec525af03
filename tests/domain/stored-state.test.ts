import { describe, expect, test } from 'vitest';
import { createStore } from '../../src/domain/root-store.ts';
import {
  cleanStoredState,
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

describe('[SES-02] what is stored is read', () => {
  test.each([
    ['nothing', undefined, nothing],
    ['token and variables', '{"token":"t","flows":{"a":{"x":1}}}', { ...nothing, token: 't', flows: { a: { x: 1 } } }],
    ['more than is allowed', '{"token":"t","flows":{},"user":{"id":"17"}}', { ...nothing, token: 't' }],
    ['a token that is no text', '{"token":7,"flows":{}}', nothing],
    [
      'variables that are none',
      '{"token":null,"flows":{"a":7,"b":null,"c":[1],"d":{"x":1}}}',
      { ...nothing, flows: { d: { x: 1 } } },
    ],
    ['flows that are a list', '{"flows":[{"x":1}]}', nothing],
    [
      'a token that had ended',
      '{"token":null,"flows":{},"isRenewalPending":true}',
      { ...nothing, isRenewalPending: true },
    ],
    ['no such thing beside a token', '{"token":"t","flows":{},"isRenewalPending":true}', { ...nothing, token: 't' }],
    ['a malformed mark', '{"token":null,"flows":{},"isRenewalPending":"yes"}', nothing],
    ['broken JSON', '{"token":', nothing],
    ['a text', '"token"', nothing],
    ['null', 'null', nothing],
  ])('%s', (_, text, expected) => {
    expect(readStoredState(memoryStorage(text === undefined ? {} : { portal: text }))).toEqual(expected);
  });

  test('a storage that refuses counts as empty, and writing to it harms nobody', () => {
    expect(readStoredState(refusing)).toEqual(nothing);
    expect(() => {
      writeStoredState(refusing, { ...nothing, token: 't' });
      writeStoredState(refusing, nothing);
      cleanStoredState(refusing, now);
    }).not.toThrow();
  });
});

describe('[SES-01] what an earlier page left is cleaned', () => {
  const flows = { a: { x: 1 } };
  const isRenewalPending = { token: null, flows: {}, isRenewalPending: true };
  test.each([
    ['with a valid token it stays', { token: createToken(), flows }, { token: createToken(), flows }],
    ['with an expired one all goes, but that there was one', { token: createToken({}, 0), flows }, isRenewalPending],
    ['with garbage for a token as well', { token: 'garbage', flows }, isRenewalPending],
    ['which stays known at the next page', isRenewalPending, isRenewalPending],
    ['without a token a guest’s variables stay', { token: null, flows }, { token: null, flows }],
    [
      'what nobody allows goes',
      { token: createToken(), flows, password: 'lluvia tren azul' },
      { token: createToken(), flows },
    ],
  ])('%s', (_, stored, left) => {
    const storage = memoryStorage({ portal: JSON.stringify(stored) });
    cleanStoredState(storage, now);
    expect(JSON.parse(storage.content.get('portal') ?? '')).toEqual(left);
  });
});

describe('[SES-02] the store', () => {
  const secret = 'lluvia tren azul';

  test('stores the token and remembered variables alone, whatever the tree holds', async () => {
    const storage = memoryStorage();
    const token = createToken();
    const { client } = fakeClient({
      obtainToken: { ok: true, result: { token } },
      getCitizen: { ok: true, result: citizen },
      registerCitizen: createFailure({ errors: { password: secret }, error: secret }),
    });
    const store = createStore({ client, clock: () => now, storage });
    await store.perform('obtainToken');
    await store.loadUser();
    await store.perform('registerCitizen', { body: { password: secret, captcha_response: 'answer' } });
    store.remember('registro', { paso: 2 });
    expect([...storage.content.keys()]).toEqual(['portal']);
    expect(JSON.parse(storage.content.get('portal') ?? '')).toEqual({ token, flows: { registro: { paso: 2 } } });
    expect(store.user?.numero_documento, 'the tree holds more').toBe(citizen.numero_documento);
  });

  test('is resumed from storage', () => {
    const token = createToken();
    const storage = memoryStorage({ portal: JSON.stringify({ token, flows: { registro: { paso: 2 } } }) });
    const store = createStore({ client: fakeClient({}).client, clock: () => now, storage });
    expect([store.session.authenticated, store.flows.get('registro')]).toEqual([true, { paso: 2 }]);
  });

  test('leaves nothing in storage when all is forgotten', () => {
    const storage = memoryStorage({
      portal: JSON.stringify({ token: createToken(), flows: { registro: { paso: 2 } } }),
    });
    createStore({ client: fakeClient({}).client, clock: () => now, storage }).forget();
    expect(storage.content.size).toBe(0);
  });

  test('works in memory where storage refuses', async () => {
    const { client } = fakeClient({ obtainToken: { ok: true, result: { token: createToken() } } });
    const store = createStore({ client, clock: () => now, storage: refusing });
    await store.perform('obtainToken');
    expect(store.session.authenticated).toBe(true);
  });
});
