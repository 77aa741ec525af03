import { describe, expect, test } from 'vitest';
import { Session } from '../../src/domain/session.ts';
import { readTokenClaims } from '../../src/domain/stored-state.ts';
import { fakeClient, now, createToken } from './support/store.ts';

const toExpiry = (seconds: number): number => now.getTime() / 1000 + seconds;
const encoded = (payload: string): string => `e30.${Buffer.from(payload).toString('base64url')}.x`;

describe('[SES-01] valid token', () => {
  test.each([
    ['with its claims', createToken({ idp: 'abitab' }), { exp: toExpiry(300), cid: '17', idp: 'abitab' }],
    ['without a provider', createToken({ idp: undefined }), { exp: toExpiry(300), cid: '17', idp: '' }],
    ['with a provider that is not a string', createToken({ idp: 3 }), { exp: toExpiry(300), cid: '17', idp: '' }],
    [
      'with the characters specific to base64url',
      createToken({ cid: '>>>???', name: 'ÿÿÿ' }),
      { exp: toExpiry(300), cid: '>>>???', idp: '' },
    ],
    ['in its last second', createToken({}, 1), { exp: toExpiry(1), cid: '17', idp: '' }],
  ])('is read %s', (_, token, claims) => {
    expect(readTokenClaims(token, now)).toEqual(claims);
  });
});

describe('[SES-01] invalid token', () => {
  test.each([
    ['null', null],
    ['empty', ''],
    ['expired at this instant', createToken({}, 0)],
    ['expired long ago', createToken({}, -3600)],
    ['one word', 'garbage'],
    ['only dots', '..'],
    ['not base64', 'a.%%%.b'],
    ['not JSON', encoded('{')],
    ['a list', encoded('[1]')],
    ['JSON null', encoded('null')],
    ['without an expiry', createToken({ exp: undefined })],
    ['with an expiry that is a string', createToken({ exp: '9999999999' })],
    ['with an infinite expiry', encoded('{"exp":"Infinity","cid":"17"}')],
    ['without a citizen', createToken({ cid: undefined })],
    ['with a citizen that is a number', createToken({ cid: 17 })],
  ])('is rejected: %s', (_, token) => {
    expect(readTokenClaims(token, now)).toBeNull();
  });
});

describe('[SES-01] session', () => {
  const session = (token: string | null) =>
    Session.create({ token }, { client: fakeClient({}).client, clock: () => now });

  test('is authenticated while its token is valid', () => {
    expect(session(createToken()).authenticated).toBe(true);
    expect(session(createToken()).claims?.cid).toBe('17');
  });

  test.each([
    ['no token', null],
    ['an expired token', createToken({}, -1)],
    ['garbage', 'a.b.c'],
  ])('is not authenticated with %s', (_, token) => {
    expect(session(token).authenticated).toBe(false);
    expect(session(token).claims).toBeNull();
  });

  test('ends when its token expires', () => {
    let time = now;
    const open = Session.create({ token: createToken({}, 60) }, { client: fakeClient({}).client, clock: () => time });
    expect(open.authenticated).toBe(true);
    time = new Date(now.getTime() + 60_000);
    expect(open.authenticated).toBe(false);
  });

  test('is authenticated after its start and not after its end', () => {
    const open = session(null);
    open.start(createToken());
    expect(open.authenticated).toBe(true);
    open.end();
    expect([open.token, open.authenticated]).toEqual([null, false]);
  });
});
