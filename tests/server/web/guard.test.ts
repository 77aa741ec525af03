import { beforeEach, describe, expect, test } from 'vitest';
import { operationNames, apiContract, type ApiOperation, type OperationName } from '../../../src/contract/contract.ts';
import { OperationError } from '../../../src/server/platform/base/errors.ts';
import { rateLimits } from '../../../src/server/app/server-modules.ts';
import { createOperationGuard } from '../../../src/server/web/operations/operation-guard.ts';
import { createOrigin } from '../support/origin.ts';

/** Recorded calls, in order. The call in `refuses` is rejected. */
let asked: unknown[][] = [];
let refuses = '';
const note = async (...call: unknown[]) => {
  asked.push(call);
  if (call[0] === refuses) throw new OperationError(429, 'demasiados_intentos');
};
/** A database without passkeys. */
const noRows: object = new Proxy(
  { execute: async () => [] },
  { get: (rows, name) => (name === 'execute' ? rows.execute : () => noRows) },
);
const now = new Date('2071-03-04T15:00:00Z');
const dependencies = {
  captcha: { verify: (...call: unknown[]) => note('captcha', ...call) },
  throttle: { admit: ({ name }: { name: string }, ...call: unknown[]) => note('limit', name, ...call) },
  limits: rateLimits,
  clock: { now: () => now },
  config: { flags: { verificar_identidad: false }, loopback: true },
  store: { db: noRows },
};
const caller = { citizenId: 'c', document: 'uy-ci-1', sessionId: 's' };
const origin = createOrigin({ address: '192.0.2.7' });
const { assertAdmitted, countAttempt } = createOperationGuard(dependencies as never);
const call = async (name: OperationName, body: object, who: object | null = null) => {
  await assertAdmitted(name, { body, caller: who, cookies: {}, origin } as never);
  await note('handler');
};

/** Whether the captcha of the operation is only for anonymous callers. */
const coversAnonymous = (name: OperationName): boolean => (apiContract[name] as ApiOperation).captcha === 'anonymous';

describe('[SEG-04] operation guard', () => {
  beforeEach(() => {
    asked = [];
    refuses = '';
  });

  test('verifies the captcha, then counts the attempt for the document and the mail address', async () => {
    const person = { pais_emisor: 'AR', tipo_documento: 'psp', numero_documento: 'ab 1', email: ' Ana@Example.com ' };
    await call('sendContactMessage', { ...person, captcha_response: 'answer' }, caller);
    const counted = { document: 'ar-psp-AB1', email: 'ana@example.com' };
    expect(asked).toEqual([['captcha', 'answer', 'captcha_response'], ['limit', 'contact', counted, now], ['handler']]);
  });

  test.each(operationNames)('counts %s for the network address if the operation has a limit', async (name) => {
    await countAttempt(name, origin);
    const { limit }: ApiOperation = apiContract[name];
    expect(asked).toEqual(limit === undefined ? [] : [['limit', limit, { address: '192.0.2.7' }, now]]);
  });

  test.each<[OperationName, object, string]>([
    ['requestPasswordReset', { pais_emisor: null, tipo_doc: null, doc: '1.234.567-2' }, 'uy-ci-12345672'],
    ['updatePhone', { numero_telefono: '099' }, 'uy-ci-1'],
    ['bookSupportCall', { asunto: 'otro' }, 'uy-ci-1'],
  ])('counts %s for the document that it concerns', async (name, body, document) => {
    await call(name, body, caller);
    expect(asked.find(([kind]) => kind === 'limit')?.[2]).toMatchObject({ document });
  });

  test('counts a booking for the mail address in the field of the booking', async () => {
    await call('bookSupportCall', { correo_electronico: ' Ana@Example.com ', captcha_response: 'x' }, null);
    expect(asked.find(([kind]) => kind === 'limit')?.[2]).toMatchObject({ email: 'ana@example.com' });
  });

  test('counts fields that the operation reads, and all document numbers among them', () => {
    const numbers = new Set(['numero_documento', 'doc']);
    const rows = operationNames.flatMap((name) => {
      const { limit, counts, reads = {} }: ApiOperation = apiContract[name];
      const counted = [...(counts?.document ?? []), ...(counts?.email === undefined ? [] : [counts.email])];
      const about = Object.keys(reads).filter((field) => numbers.has(field));
      return limit === undefined ? [] : [{ name, lost: counted.filter((field) => !(field in reads)), counted, about }];
    });
    expect(rows.filter(({ lost }) => lost.length > 0)).toEqual([]);
    expect(rows.filter(({ counted, about }) => !about.every((field) => counted.includes(field)))).toEqual([]);
  });

  test.each(['captcha', 'limit'])('does nothing more after a rejection by the %s', async (kind) => {
    refuses = kind;
    await expect(call('registerCitizen', {})).rejects.toMatchObject({ status: 429 });
    expect(asked.at(-1)?.[0]).toBe(kind);
  });

  test.each(
    operationNames.flatMap((name) => [{ name, who: caller }, ...(coversAnonymous(name) ? [{ name, who: null }] : [])]),
  )('applies captcha and limit of the contract to $name (account $who.citizenId)', async ({ name, who }) => {
    const { captcha, limit }: ApiOperation = apiContract[name];
    await call(name, {}, who);
    const asks = captcha === true || (captcha === 'anonymous' && who === null);
    const kinds = [...(asks ? ['captcha'] : []), ...(limit ? [`limit ${limit}`] : []), 'handler'];
    expect(asked.map(([kind, which]) => (kind === 'limit' ? `limit ${String(which)}` : kind))).toEqual(kinds);
  });

  test('counts each event stream at its start, for the network and for the account of the reader', async () => {
    const streaming = operationNames.filter((name) => (apiContract[name] as ApiOperation).streams);
    expect(streaming.sort()).toEqual(['attendRoom', 'enterRoom', 'watchDesk']);
    for (const name of streaming) {
      asked = [];
      await countAttempt(name, origin);
      await call(name, {}, { ...caller, role: 'agent' }).catch(() => undefined);
      expect(
        asked.filter(([kind]) => kind === 'limit'),
        name,
      ).toEqual([
        ['limit', 'stream', { address: '192.0.2.7' }, now],
        ['limit', 'stream', { document: 'uy-ci-1', email: '' }, now],
      ]);
    }
    expect(Object.keys(rateLimits.stream.kinds).sort()).toEqual(['address', 'document']);
  });

  test('[SEG-06] limits every operation that changes data and is not for agents, except the listed ones', () => {
    const free = operationNames.filter((name) => {
      const { method, auth, limit }: ApiOperation = apiContract[name];
      return method !== 'GET' && auth !== 'agent' && limit === undefined;
    });
    // each step of a sign-in is throttled; the other operations require a single-use secret or the session cookie
    expect(new Set(free)).toEqual(
      new Set([
        'resendPendingActivation',
        'resendRecoveryCode',
        'getWalletState',
        'answerChallenge',
        'refreshToken',
        'logout',
      ]),
    );
  });
});
