import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  apiContract,
  operationNames,
  type ApiOperation,
  type OperationName,
} from '../../../../src/contract/contract.ts';
import { deskPermissionActions, deskPermissionResource } from '../../../../src/contract/desk-permissions.ts';
import { OperationError } from '../../../../src/server/platform/base/errors.ts';
import type { Caller } from '../../../../src/server/platform/base/operation-request.ts';
import { bindAgentMailbox } from '../../../../src/server/trust/identity/agent-mailboxes.ts';
import { authenticateBearerToken } from '../../../../src/server/trust/sessions/access-tokens.ts';
import { findLiveSession } from '../../../../src/server/trust/sessions/broker-sessions.ts';
import { authorizeOperation } from '../../../../src/server/web/operations/operation-route.ts';
import type { Authenticator, Claims } from '../../support/authenticator.ts';
import { createActiveCitizen } from '../../support/citizen-data.ts';
import { catchError } from '../../support/desk.ts';
import { createNoThrottle } from '../../support/no-throttle.ts';
import { passkeySteps, setUpPasskey } from '../../support/passkeys.ts';
import {
  computeAppCode,
  readMailedCode,
  openBrowser,
  setUpTotp,
  signInCitizen,
  steps,
  type Browser,
} from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const password = 'la-frase-correcta';
const asAgent = { redirect_url: null, agnt: '1', process_state: null };
const elsewhere = {
  BASE_URL: 'https://identidad.example',
  MALWARE_SCANNER: 'none',
  SMTP_URL: 'smtp://127.0.0.1:9',
  AGENTS_HOST: 'https://agentes.identidad.example',
  ELEVATION_SECOND_AGENT: 'off',
};
const deskRows = operationNames.filter((name) => (apiContract[name] as ApiOperation).auth === 'agent');

/** Starts a server whose agents sign in with an institutional mailbox. */
async function openDesk(env: Record<string, string>) {
  const server = await openTestServer({
    env: { AGENT_DOMAINS: 'salud.gub.uy', ...env },
    parts: (parts) => ({ ...parts, throttle: createNoThrottle(parts.store) }),
  });
  const { store } = server.parts;
  let serial = 0;
  async function agent() {
    const number = `MESA${++serial}`;
    const id = await createActiveCitizen(server, number, password);
    const mailbox = `mesa${serial}@salud.gub.uy`;
    const permissions = JSON.stringify({ [deskPermissionResource]: deskPermissionActions });
    await store.db.updateTable('citizens').set({ permissions }).where('id', '=', id).execute();
    await store.transaction((tx) => bindAgentMailbox(tx, id, mailbox, server.clock.now()));
    return { number, id, mailbox };
  }
  /** Completes a sign-in from the mailbox step on. */
  async function proveMailbox(browser: Browser, mailbox: string) {
    await browser.answer(steps.institutional, { institutional_email: mailbox });
    return (await browser.answer(steps.mailed, { recoverycode: await readMailedCode(server, mailbox) })).body;
  }
  const callerOf = async (browser: Browser): Promise<Caller> => {
    const caller = await browser.caller();
    if (caller === null) throw new Error('nobody is signed in');
    return caller;
  };
  /** Signs an agent in, up to the second factor if the agent has one. */
  async function begin({ number, mailbox }: { number: string; mailbox: string }) {
    const browser = openBrowser(server);
    await browser.start(number, asAgent);
    await browser.answer(steps.password, { password });
    return { browser, body: await proveMailbox(browser, mailbox) };
  }
  /** Creates an agent who has signed in with a passkey. */
  async function attendant() {
    const who = await agent();
    const { caller: citizen } = await signInCitizen(server, who.number, password);
    const { authenticator, id: passkey } = await setUpPasskey(server, citizen);
    server.clock.advance(60);
    return { ...who, authenticator, passkey, caller: await withPasskey(who, authenticator) };
  }
  async function withPasskey(who: { number: string; mailbox: string }, authenticator: Authenticator) {
    const { browser, body } = await begin(who);
    await browser.answer(passkeySteps.second, { credential: authenticator.use(body.options) });
    return callerOf(browser);
  }
  const audited = async (id: string, action: string) =>
    (
      await store.db
        .selectFrom('audit')
        .select('details')
        .where('citizen_id', '=', id)
        .where('action', '=', action)
        .orderBy('seq')
        .execute()
    ).map(({ details }): unknown => JSON.parse(details));
  return { server, agent, attendant, begin, proveMailbox, callerOf, withPasskey, audited };
}

/** Returns the guard's decision about an operation. */
function checkGuard(name: OperationName, caller: Caller): string {
  try {
    authorizeOperation(apiContract[name], caller, {});
    return 'open';
  } catch (error) {
    if (error instanceof OperationError) return `${error.status} ${error.code}`;
    throw error;
  }
}

const listOutcomes = (caller: Caller) => [...new Set(deskRows.map((name) => checkGuard(name, caller)))];
const closed = ['403 ingreso_sin_llave'];

describe('[SEC-02 DESK-01] sign-in of an agent outside loopback', () => {
  let desk: Awaited<ReturnType<typeof openDesk>>;
  beforeAll(async () => {
    desk = await openDesk(elsewhere);
  });
  afterAll(() => desk.server.close());

  test('permits no desk operation without a passkey, even if one is set up in the same session', async () => {
    expect(deskRows.length).toBeGreaterThan(20);
    const { browser } = await desk.begin(await desk.agent());
    const caller = await desk.callerOf(browser);
    expect(listOutcomes(caller)).toEqual(closed);
    await setUpPasskey(desk.server, caller);
    expect(listOutcomes(await desk.callerOf(browser))).toEqual(closed);
    expect(listOutcomes({ ...caller, permisos: {} }), 'responses for a caller without desk permissions').toEqual([
      '404 no_encontrado',
    ]);
  });

  test('permits desk operations with a passkey as the second factor or as the only factor', async () => {
    const { caller, authenticator, mailbox } = await desk.attendant();
    expect(listOutcomes(caller)).toEqual(['open']);
    const browser = openBrowser(desk.server);
    const { body } = await browser.answer(passkeySteps.alone, {}, { extra: asAgent, token: null });
    await browser.answer(passkeySteps.alone, { credential: authenticator.use(body.options) });
    await desk.proveMailbox(browser, mailbox);
    expect(listOutcomes(await desk.callerOf(browser))).toEqual(['open']);
  });

  test('[ASVS-8.2.4] permits desk operations only from the browser and network of the sign-in', async () => {
    const { caller } = await desk.attendant();
    const { parts } = desk.server;
    const session = await findLiveSession(parts.store.db, caller.sessionId, parts.clock.now());
    if (session === null) throw new Error('no session');
    const token = await parts.tokens.issueToken(session);
    const own = { userAgent: 'Firefox/140', address: '190.64.12.34' };
    const { db } = parts.store;
    await db
      .updateTable('broker_sessions')
      .set({ user_agent: own.userAgent, address: own.address })
      .where('id', '=', session.id)
      .execute();
    const open = async (change: Partial<typeof own>) => {
      const found = await authenticateBearerToken(parts, token, false, { ...own, ...change });
      return found && listOutcomes(found);
    };
    expect(await open({})).toEqual(['open']);
    expect(await open({ address: '190.64.99.1' }), 'another address of the same network').toEqual(['open']);
    expect(await open({ address: '181.12.34.56' })).toEqual(closed);
    expect(await open({ address: '2001:db8::1' })).toEqual(closed);
    expect(await open({ userAgent: 'curl/8' })).toEqual(closed);
  });

  test('permits no desk operation if another factor replaced the passkey', async () => {
    const who = await desk.agent();
    const { caller: citizen } = await signInCitizen(desk.server, who.number, password);
    const { secret } = await setUpTotp(desk.server, citizen);
    await setUpPasskey(desk.server, citizen);
    const { browser } = await desk.begin(who);
    await browser.answer(passkeySteps.second, { other: true });
    desk.server.clock.advance(60);
    await browser.answer(steps.totp, { totp: computeAppCode(desk.server, secret) });
    expect(listOutcomes(await desk.callerOf(browser))).toEqual(closed);
  });
});

describe('[SEC-02 DESK-04 DESK-06] act of an agent outside loopback', () => {
  let desk: Awaited<ReturnType<typeof openDesk>>;
  let server: TestServer;
  let serial = 0;
  beforeAll(async () => {
    desk = await openDesk(elsewhere);
    ({ server } = desk);
  });
  afterAll(() => server.close());

  async function target() {
    const number = `OBJETO${++serial}`;
    const id = await createActiveCitizen(server, number, password);
    return { id, documento: `ar-psp-${number}` };
  }
  const blocked = async (id: string) =>
    (
      await server.parts.store.db
        .selectFrom('citizens')
        .select('blocked_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).blocked_at !== null;
  const block = (documento: string) => ({ documento, acto: 'bloquear', motivo: 'Perdió el teléfono.' });
  const options = async (caller: Caller, body: object, name: OperationName = 'actOnAccount') => {
    const refused = await catchError(server.call(name, { caller, body }));
    expect(refused).toMatchObject({ status: 403, code: 'confirmacion_requerida' });
    return refused.publicKey;
  };
  const act = (caller: Caller, body: object, assertion: string) =>
    server.call('actOnAccount', { caller, body, assertion });
  const invalid = { status: 403, code: 'confirmacion_invalida' };

  test('requires a verified passkey assertion with a two-minute timeout, and accepts each assertion once', async () => {
    const { caller, authenticator, id: agentId, passkey } = await desk.attendant();
    const { id, documento } = await target();
    const asked = await options(caller, block(documento));
    expect(asked).toMatchObject({
      rpId: 'identidad.example',
      userVerification: 'required',
      timeout: 120_000,
      allowCredentials: [{ id: authenticator.id }],
    });
    expect(await blocked(id)).toBe(false);
    const assertion = authenticator.use(asked);
    expect((await act(caller, block(documento), assertion)).body).toMatchObject({ hecho: true });
    expect(await blocked(id)).toBe(true);
    expect(await desk.audited(agentId, 'agent-act-confirmed')).toEqual([{ operation: 'actOnAccount', passkey }]);
    await expect(act(caller, block(documento), assertion), 'the same assertion again').rejects.toMatchObject(invalid);
  });

  test('rejects the assertion of an act with another target, act, reason or operation', async () => {
    const { caller, authenticator, id: agentId } = await desk.attendant();
    const [one, other] = [await target(), await target()];
    for (const change of [{ documento: other.documento }, { acto: 'restringir' }, { motivo: 'Otro motivo.' }]) {
      const assertion = authenticator.use(await options(caller, block(one.documento)));
      await options(caller, { ...block(one.documento), ...change });
      await expect(act(caller, { ...block(one.documento), ...change }, assertion)).rejects.toMatchObject(invalid);
    }
    const email = { documento: one.documento, email: 'x@example.com', motivo: 'Perdió el teléfono.', visto: true };
    const assertion = authenticator.use(await options(caller, email, 'startEmailChange'));
    await options(caller, block(one.documento));
    await expect(act(caller, block(one.documento), assertion)).rejects.toMatchObject(invalid);
    expect([await blocked(one.id), await blocked(other.id)]).toEqual([false, false]);
    expect(await desk.audited(agentId, 'agent-act-unconfirmed')).toHaveLength(4);
  });

  test('accepts the assertion if the values of the body come in another order', async () => {
    const { caller, authenticator } = await desk.attendant();
    const { documento } = await target();
    const { acto, motivo } = block(documento);
    const assertion = authenticator.use(await options(caller, { motivo, acto, documento }));
    expect((await act(caller, { documento, motivo, acto }, assertion)).body).toMatchObject({ hecho: true });
  });

  test('rejects an assertion that is expired, unverified, forged, of another origin, session or passkey', async () => {
    const { caller, authenticator, ...who } = await desk.attendant();
    const stranger = await desk.attendant();
    const { id, documento } = await target();
    const withClaims = async (claims: Claims, by = authenticator) =>
      act(caller, block(documento), by.use(await options(caller, block(documento)), claims));
    for (const claims of [
      { verified: false },
      { present: false },
      { forged: true },
      { origin: 'https://otro.example' },
      { rpId: 'otro.example' },
      { counter: 1 },
    ])
      await expect(withClaims(claims), JSON.stringify(claims)).rejects.toMatchObject(invalid);
    await expect(withClaims({}, stranger.authenticator)).rejects.toMatchObject(invalid);
    await expect(act(caller, block(documento), 'no-json')).rejects.toMatchObject(invalid);
    const again = await desk.withPasskey(who, authenticator);
    const elsewhereMade = authenticator.use(await options(caller, block(documento)));
    await options(again, block(documento));
    await expect(act(again, block(documento), elsewhereMade), 'assertion of another session').rejects.toMatchObject(
      invalid,
    );
    const late = authenticator.use(await options(caller, block(documento)));
    server.clock.advance(121);
    await expect(act(caller, block(documento), late)).rejects.toMatchObject(invalid);
    expect(await blocked(id)).toBe(false);
  });

  test('rejects the assertion of a passkey that was added after the sign-in', async () => {
    const { caller } = await desk.attendant();
    const { documento } = await target();
    server.clock.advance(1);
    const { authenticator: added } = await setUpPasskey(server, caller, 'Otra');
    await expect(
      act(caller, block(documento), added.use(await options(caller, block(documento)))),
    ).rejects.toMatchObject(invalid);
  });

  test('mails an answer to a contact message only after a passkey assertion', async () => {
    const { caller, authenticator } = await desk.attendant();
    const { server } = desk;
    const email = 'victima@example.com';
    const message = {
      ...{ nombre_completo: 'Inés Quiroga', pais_emisor: 'ar', tipo_documento: 'psp', numero_documento: 'INES1' },
      ...{ email, telefono: '+598 99 123 456', asunto: 'firma-digital', mensaje: 'No puedo firmar.' },
      captcha_response: await server.solveCaptcha(),
    };
    const { numero } = (await server.call('sendContactMessage', { body: message })).body;
    const answer = { caller, params: { id: numero ?? '' }, body: { respuesta: 'Pagá la multa en multas.example.' } };
    const { code, publicKey } = await catchError(server.call('answerContactMessage', answer));
    expect(code).toBe('confirmacion_requerida');
    const told = async () => (await server.mails()).filter(({ text }) => text.includes('multas.example'));
    expect(await told()).toEqual([]);
    await server.call('answerContactMessage', { ...answer, assertion: authenticator.use(publicKey) });
    expect((await told()).map(({ recipient }) => recipient)).toEqual([email]);
  });

  test('requires an assertion for each changing desk operation except those of a running call and readFeedback', async () => {
    const { caller } = await desk.attendant();
    const changing = operationNames.filter((name) => {
      const { auth, method, path }: ApiOperation = apiContract[name];
      return auth === 'agent' && method !== 'GET' && !path.endsWith('/buscar/');
    });
    const asking = operationNames.filter((name) => (apiContract[name] as ApiOperation).proof === 'passkey');
    expect(changing.filter((name) => !asking.includes(name)).sort()).toEqual([
      'attendRoom',
      'readFeedback',
      'recordExternalRoomEntry',
      'requestStill',
      'signalFromDesk',
      'takeCall',
    ]);
    expect(asking).toHaveLength(10);
    for (const name of asking)
      expect(await catchError(server.call(name, { caller, body: {} })), name).toMatchObject({
        code: 'confirmacion_requerida',
      });
  });
});

describe('[SEC-02 DESK-01] agents on loopback', () => {
  let desk: Awaited<ReturnType<typeof openDesk>>;
  beforeAll(async () => {
    desk = await openDesk({});
  });
  afterAll(() => desk.server.close());

  test('sign in without a passkey by mailbox code, and confirm an act with the password', async () => {
    const { server } = desk;
    const { browser } = await desk.begin(await desk.agent());
    const caller = await desk.callerOf(browser);
    expect(listOutcomes(caller)).toEqual(['open']);
    await createActiveCitizen(server, 'LOCAL', password);
    const request = { caller, body: { documento: 'ar-psp-LOCAL', acto: 'bloquear', motivo: 'Prueba.' } };
    await expect(server.call('actOnAccount', request)).rejects.toMatchObject({
      status: 403,
      code: 'verificacion_requerida',
    });
    await server.call('verifyPassword', { caller, params: { id: caller.citizenId }, body: { pwd: password } });
    expect((await server.call('actOnAccount', request)).body).toMatchObject({ hecho: true });
  });

  test('confirm each act with their passkey if they have one', async () => {
    const { server } = desk;
    const { caller, authenticator, ...who } = await desk.attendant();
    expect(listOutcomes(caller)).toEqual(['open']);
    const request = { caller, body: { documento: `ar-psp-${who.number}`, acto: 'bloquear', motivo: 'Prueba.' } };
    const { publicKey, code } = await catchError(server.call('actOnAccount', request));
    expect(code).toBe('confirmacion_requerida');
    await expect(
      server.call('actOnAccount', { ...request, assertion: authenticator.use(publicKey) }),
      'authorized by the rules of the desk after the assertion',
    ).rejects.toMatchObject({ code: 'cuenta_propia' });
    expect(listOutcomes({ ...caller, needsPasskey: true })).toEqual(closed);
  });
});
