import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../../../src/server/platform/base/operation-request.ts';
import { formatProviderAmr } from '../../../../src/server/trust/identity/session-level.ts';
import { challengeNames, getWalletAmr } from '../../../../src/server/trust/identity/challenge-names.ts';
import { findCitizen, findPasswordHash } from '../../../../src/server/trust/identity/citizens.ts';
import { createForeignRegistration, createCitizenRow } from '../../support/citizen-data.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { openSession } from '../../support/sessions.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const { password, totp, passkey, card } = challengeNames;
const provider = (nid: number) => ({ amr: [formatProviderAmr(nid)], nid, idp: 'abitab' });

interface State {
  readonly level?: string;
  readonly hasPassword?: boolean;
  readonly factor?: 'totp' | 'passkey';
  readonly email?: 'verified' | 'unverified';
  readonly idp?: string;
  readonly session: { amr: readonly string[]; nid?: number; idp?: string; gavePassword?: boolean } | null;
}

let server: TestServer;
let serial = 0;

/** Creates an account in a given state. Returns its signed-in caller. */
async function createInState({ level = 'Verificado', hasPassword = false, factor, email, idp, session }: State) {
  serial += 1;
  const id = randomUUID();
  const number = `EST${serial}`;
  const { store, passwords } = server.parts;
  const now = server.clock.now();
  const names = { first_name: 'María', second_name: 'José', first_surname: 'Fernández', second_surname: 'Ñíguez' };
  await store.db
    .insertInto('citizens')
    .values({
      ...createCitizenRow({ id, number, ...names, level, active_at: now, created_at: now }),
      email: email === undefined ? null : `antes${serial}@example.com`,
      email_verified_at: email === 'verified' ? now : null,
      origin: 'PRESENCIAL',
      idp: idp ?? null,
    })
    .execute();
  if (hasPassword)
    await store.db
      .insertInto('credentials')
      .values({ citizen_id: id, password_hash: await passwords.hash('la-de-siempre'), changed_at: now })
      .execute();
  if (factor === 'totp')
    await store.db
      .insertInto('second_factors')
      .values({
        id: randomUUID(),
        citizen_id: id,
        kind: 'totp',
        secret: 's',
        last_step: null,
        created_at: now,
        activated_at: now,
      })
      .execute();
  if (factor === 'passkey')
    await store.db
      .insertInto('passkeys')
      .values({
        id: randomUUID(),
        citizen_id: id,
        credential_id: randomUUID(),
        public_key: 'k',
        counter: 0,
        transports: '',
        device_type: 'singleDevice',
        backed_up: false,
        name: 'Llave',
        created_at: now,
        last_used_at: null,
        mac: '',
      })
      .execute();
  const sessionId = session === null ? 'none' : await openSession(server, id, session);
  const document = `ar-psp-${number}`;
  const caller: Caller = {
    citizenId: id,
    document,
    sessionId,
    role: 'citizen',
    permisos: {},
    restricted: false,
    factorDue: false,
    nid: 0,
  };
  const emailOf = (name: string) => `${name}${id.slice(0, 8)}@example.com`;
  const complete = async (name = 'nuevo') => {
    const changes = { email: emailOf(name), repetir_email: emailOf(name), password: `la-de-${name}` };
    const body = await createForeignRegistration(server, number, changes);
    return server.call('completeRegistration', { caller, params: { id }, body });
  };
  const holds = async () => ({
    email: (await findCitizen(store.db, id))?.email ?? null,
    password: await Promise.all(
      ['la-de-siempre', 'la-de-nuevo'].map(async (guess) =>
        passwords.verify(await findPasswordHash(store.db, id), guess),
      ),
    ),
  });
  return { id, complete, holds, emailOf };
}

describe.each([defaultDatabase])('[REG-04 SES-11] completeRegistration by account and session (%s)', (database) => {
  beforeAll(async () => {
    server = await openTestServer({ database });
  });
  afterAll(() => server.close());

  const counter = { level: 'Verificado' };
  const allowed: readonly (readonly [string, State, 'kept' | 'set'])[] = [
    ['a password, in a session by password', { ...counter, hasPassword: true, session: { amr: [password] } }, 'kept'],
    [
      'a password, in a session by a provider of level 0 and the password',
      { ...counter, hasPassword: true, session: { ...provider(0), gavePassword: true } },
      'kept',
    ],
    [
      'a password, in a session by identity card',
      { ...counter, hasPassword: true, session: { amr: [card], nid: 3 } },
      'kept',
    ],
    [
      'a password, in a session by passkey',
      { ...counter, hasPassword: true, factor: 'passkey', session: { amr: [passkey], nid: 2 } },
      'kept',
    ],
    [
      'a password and an app, in a session by both',
      { ...counter, hasPassword: true, factor: 'totp', session: { amr: [password, totp], nid: 2 } },
      'kept',
    ],
    [
      'a password and an app, in a session by a provider of level 2 and the password',
      { ...counter, hasPassword: true, factor: 'totp', session: { ...provider(2), gavePassword: true } },
      'kept',
    ],
    ['no password, in a session by a provider of level 2', { ...counter, session: provider(2) }, 'set'],
    [
      'no password and level Básico, in a session by a provider of level 1',
      { level: 'Autoregistrado', session: provider(1) },
      'set',
    ],
    ['no password, in a session by identity card', { ...counter, session: { amr: [card], nid: 3 } }, 'set'],
    [
      'an app and no password, in a session by a provider of level 2 and the app',
      { ...counter, factor: 'totp', session: { ...provider(2), amr: [formatProviderAmr(2), totp] } },
      'set',
    ],
    [
      'the record of a foreign provider, in its session of level 1',
      { level: 'Autoregistrado', idp: 'br', session: { ...provider(1), idp: 'br' } },
      'set',
    ],
  ];
  test.each(allowed)('accepts an account with %s', async (_, state, outcome) => {
    const { complete, holds, emailOf } = await createInState(state);
    await complete();
    expect(await holds()).toEqual({ email: emailOf('nuevo'), password: [outcome === 'kept', outcome === 'set'] });
  });

  const proof = { status: 403, code: 'verificacion_requerida' };
  const otherwise = { status: 403, code: 'completar_de_otra_manera' };
  const complete = { status: 409, code: 'registro_completo' };
  const refused: readonly (readonly [string, State, object])[] = [
    [
      'a password, in a session by a provider of level 0',
      { ...counter, hasPassword: true, session: provider(0) },
      proof,
    ],
    [
      'a password, in a session by a provider of level 2',
      { ...counter, hasPassword: true, session: provider(2) },
      proof,
    ],
    [
      'a password, in a session by a wallet of level 1',
      { ...counter, hasPassword: true, session: { amr: [getWalletAmr(1)] } },
      proof,
    ],
    [
      'a password, in a session by a provider of level 0 and an app set up in it',
      {
        ...counter,
        hasPassword: true,
        factor: 'totp',
        session: { ...provider(0), amr: [formatProviderAmr(0), totp] },
      },
      proof,
    ],
    [
      'a password and an app, in a session by a provider of level 1 and the password',
      { ...counter, hasPassword: true, factor: 'totp', session: { ...provider(1), gavePassword: true } },
      otherwise,
    ],
    ['no password, in a session by a provider of level 0', { ...counter, session: provider(0) }, otherwise],
    ['no password, in a session by a provider of level 1', { ...counter, session: provider(1) }, otherwise],
    [
      'no password, in a session by a provider of level 0 and an app set up in it',
      { ...counter, factor: 'totp', session: { ...provider(0), amr: [formatProviderAmr(0), totp] } },
      otherwise,
    ],
    [
      'an app and no password, in a session by only a provider of level 2',
      { ...counter, factor: 'totp', session: provider(2) },
      otherwise,
    ],
    [
      'no password and level Básico, in a session by a provider of level 0',
      { level: 'Autoregistrado', session: provider(0) },
      otherwise,
    ],
    [
      'the record of a foreign provider, in its session of level 0',
      { level: 'Autoregistrado', idp: 'br', session: { ...provider(0), idp: 'br' } },
      otherwise,
    ],
    ['a verified e-mail', { ...counter, hasPassword: true, email: 'verified', session: { amr: [password] } }, complete],
    [
      'an unverified e-mail',
      { ...counter, hasPassword: true, email: 'unverified', session: { amr: [password] } },
      complete,
    ],
    ['no password and an unverified e-mail', { ...counter, email: 'unverified', session: provider(2) }, complete],
    ['no live session', { ...counter, session: null }, { status: 401, code: 'no_autenticado' }],
  ];
  test.each(refused)('rejects an account with %s', async (_, state, answer) => {
    const { complete: attempt, holds } = await createInState(state);
    const before = await holds();
    await expect(attempt()).rejects.toMatchObject(answer);
    expect(await holds()).toEqual(before);
  });

  test('accepts one of two concurrent completions, and stores its e-mail and password together', async () => {
    const { complete: attempt, holds, emailOf } = await createInState({ ...counter, session: provider(2) });
    const outcomes = await Promise.allSettled([attempt('nuevo'), attempt('siempre')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [winner, guess] = outcomes[0].status === 'fulfilled' ? ['nuevo', [false, true]] : ['siempre', [true, false]];
    expect(await holds()).toEqual({ email: emailOf(String(winner)), password: guess });
  });
});
