import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  performAccountAction,
  type AccountActionRequest,
} from '../../../../src/server/features/account/account-actions.ts';
import { createCallMails } from '../../../../src/server/features/video-calls/call-mails.ts';
import { createActiveCitizen } from '../../support/citizen-data.ts';
import { readMailedCode, openBrowser, steps, type Browser } from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const password = 'la-frase-correcta';
const asAgent = { redirect_url: null, agnt: '1', process_state: null };
const elsewhere = {
  BASE_URL: 'https://identidad.example',
  MALWARE_SCANNER: 'none',
  SMTP_URL: 'smtp://127.0.0.1:9',
  AGENTS_HOST: 'https://agentes.identidad.example',
};

describe.each([
  { where: 'outside loopback', env: elsewhere, unbound: 0 },
  { where: 'on loopback', env: {}, unbound: 1 },
])('[SEC-02 IDP-02] mailbox of an agent $where', ({ env, unbound }) => {
  let server: TestServer;
  let serial = 0;
  beforeAll(async () => {
    server = await openTestServer({ env: { AGENT_DOMAINS: 'salud.gub.uy', ...env } });
  });
  afterAll(() => server.close());

  const act = (number: string, change: Pick<AccountActionRequest, 'act' | 'permission' | 'mailbox'>) => {
    const { parts } = server;
    const document = { country: 'ar', type: 'psp', number };
    return performAccountAction(
      { ...parts, callMails: createCallMails(parts.config) },
      { document, reason: 'Empieza a atender.', operator: 'operador', ...change },
    );
  };
  const calls = ['agentes', 'videollamadas'] as const;
  const grantTo = (number: string, mailbox?: string) =>
    act(number, { act: 'grant', permission: calls, ...(mailbox !== undefined && { mailbox }) });
  /** Grants agent permissions to an account. Agents need a passkey, but these tests do not sign in with it. */
  const grant = async (number: string, mailbox?: string) => {
    const { db } = server.parts.store;
    const { id } = await db.selectFrom('citizens').select('id').where('number', '=', number).executeTakeFirstOrThrow();
    const passkey = { id: `k-${id}`, citizen_id: id, name: 'x', credential_id: id, public_key: '', counter: 0 };
    const device = { transports: '', device_type: 'singleDevice' as const, backed_up: false, created_at: new Date(0) };
    await db
      .insertInto('passkeys')
      .values({ ...passkey, ...device, last_used_at: null, mac: '' })
      .execute();
    const outcome = await grantTo(number, mailbox);
    await db.deleteFrom('passkeys').where('id', '=', passkey.id).execute();
    return outcome;
  };

  async function account() {
    const number = `CASILLA${++serial}`;
    return { number, id: await createActiveCitizen(server, number, password), mailbox: `agente${serial}@salud.gub.uy` };
  }

  /**
   * Starts an agent's sign-in with this mailbox, up to the code. Returns the response and the number of mails to the
   * mailbox.
   */
  async function nameMailbox(number: string, mailbox: string) {
    const browser = openBrowser(server, `203.0.113.${serial}`);
    await browser.start(number, asAgent);
    await browser.answer(steps.password, { password });
    const { body } = await browser.answer(steps.institutional, { institutional_email: mailbox });
    return { browser, body, sent: await mailsTo(mailbox) };
  }
  const mailsTo = async (mailbox: string) =>
    (await server.mails()).filter(({ recipient }) => recipient === mailbox).length;
  test('requires a passkey when it is bound to an account, except on loopback', async () => {
    const { number, mailbox } = await account();
    expect(await grantTo(number, mailbox)).toBe(unbound === 0 ? 'no-passkey' : 'done');
  });

  const refusals = async (id: string) =>
    (
      await server.parts.store.db
        .selectFrom('audit')
        .select('details')
        .where('citizen_id', '=', id)
        .where('action', '=', 'sign-in-refused')
        .execute()
    ).map(({ details }): unknown => JSON.parse(details));
  const typeCode = (browser: Browser, recoverycode: string) => browser.answer(steps.mailed, { recoverycode });

  test('receives the code if it is bound to the account, in upper or lower case', async () => {
    const { number, mailbox } = await account();
    expect(await grant(number, mailbox)).toBe('done');
    const { browser, sent } = await nameMailbox(number, mailbox.toUpperCase());
    expect([sent, await mailsTo(mailbox)]).toEqual([0, 1]);
    await typeCode(browser, await readMailedCode(server, mailbox));
    expect(await browser.caller()).toMatchObject({ role: 'agent', permisos: { agentes: ['videollamadas'] } });
  });

  test('receives no code if another one is bound, with the same responses, also on resend', async () => {
    const { number, mailbox, id } = await account();
    await grant(number, mailbox);
    const right = await nameMailbox(number, mailbox);
    const other = `otro.${mailbox}`;
    const wrong = await nameMailbox(number, other);
    const shape = ({ body }: typeof right) => ({ ...body, token: null, expires_at: null, email: null });
    expect(shape(wrong)).toEqual(shape(right));
    expect([right.sent, wrong.sent]).toEqual([1, 0]);
    const token = wrong.browser.token ?? '';
    expect((await server.call('resendRecoveryCode', { body: { token } })).body).toEqual({});
    expect(await mailsTo(other)).toBe(0);
    await expect(typeCode(wrong.browser, '000000')).rejects.toMatchObject({ code: 'codigo_incorrecto' });
    const refused = { reason: 'agent-mailbox-not-bound', mailbox: other };
    expect(await refusals(id)).toEqual([refused, refused]);
  });

  test("[SEG-06] receives codes for the agent's own browser after others used up the limit, except on loopback", async () => {
    const { number, mailbox } = await account();
    await grant(number, mailbox);
    const own = await nameMailbox(number, mailbox);
    await typeCode(own.browser, await readMailedCode(server, mailbox));
    const stolen = () => nameMailbox(number, mailbox).catch(() => null); // the request is rejected after the maximum number of mails
    for (let index = 0; index < 20; index += 1) {
      server.clock.advance(15 * 60);
      await stolen();
    }
    const before = await mailsTo(mailbox);
    await stolen();
    expect(await mailsTo(mailbox), 'from a new browser').toBe(before);
    await own.browser.start(number, asAgent);
    await own.browser.answer(steps.password, { password });
    await own.browser.answer(steps.institutional, { institutional_email: mailbox });
    // on loopback no mailbox is bound to the account, so the limit also applies to the agent's own browser (`unbound` is 1)
    expect(await mailsTo(mailbox), 'from the known browser of the agent').toBe(before + 1 - unbound);
  });

  test('receives no code for the account of another agent', async () => {
    const [first, second] = [await account(), await account()];
    await grant(first.number, first.mailbox);
    expect((await nameMailbox(second.number, first.mailbox)).sent).toBe(0);
    await grant(second.number, second.mailbox);
    expect((await nameMailbox(second.number, first.mailbox)).sent).toBe(0);
  });

  test('receives a code for an account without a bound mailbox only on loopback', async () => {
    const { number, mailbox, id } = await account();
    expect((await nameMailbox(number, mailbox)).sent).toBe(unbound);
    expect(await refusals(id)).toHaveLength(1 - unbound);
  });

  test('is required with the first desk permission, must have a domain of AGENT_DOMAINS, and belongs to one account', async () => {
    const [first, second] = [await account(), await account()];
    expect(await grant(first.number)).toBe('no-mailbox');
    expect(await grant(first.number, 'agente@otra.example')).toBe('foreign-mailbox');
    expect(await grant(first.number, first.mailbox)).toBe('done');
    expect(await act(first.number, { act: 'grant', permission: ['agentes', 'cuentas'] })).toBe('done');
    expect(await grant(second.number, first.mailbox.toUpperCase())).toBe('mailbox-taken');
    expect(await act(first.number, { act: 'grant', permission: ['agentes', 'cifras'], mailbox: second.mailbox })).toBe(
      'other-mailbox',
    );
    expect(await act(second.number, { act: 'grant', permission: ['tramites', 'ver'] })).toBe('done');
    const { permissions } = await server.parts.store.db
      .selectFrom('citizens')
      .select('permissions')
      .where('id', '=', second.id)
      .executeTakeFirstOrThrow();
    expect(permissions, 'the rejected permission is not granted').toEqual({ tramites: ['ver'] });
  });

  test('is changed by an operator, which ends the sessions and is audited', async () => {
    const { number, mailbox, id } = await account();
    const next = `nuevo.${mailbox}`;
    expect(await act(number, { act: 'mailbox', mailbox: next }), 'not an agent').toBe('no-agent');
    await grant(number, mailbox);
    const { browser } = await nameMailbox(number, mailbox);
    await typeCode(browser, await readMailedCode(server, mailbox));
    expect(await act(number, { act: 'mailbox', mailbox: next })).toBe('done');
    expect(await act(number, { act: 'mailbox', mailbox: next })).toBe('unchanged');
    expect(await browser.caller()).toBeNull();
    expect((await nameMailbox(number, mailbox)).sent, 'the previous mailbox').toBe(1);
    expect((await nameMailbox(number, next)).sent).toBe(1);
    const bound = await server.parts.store.db
      .selectFrom('audit')
      .select('details')
      .where('citizen_id', '=', id)
      .where('action', '=', 'agent-mailbox-bound')
      .orderBy('seq')
      .execute();
    expect(bound.map(({ details }): unknown => JSON.parse(details))).toEqual([
      { operator: 'operador', reason: 'Empieza a atender.', mailbox },
      { operator: 'operador', reason: 'Empieza a atender.', mailbox: next },
    ]);
  });

  test('can be bound to another account after the last desk permission is revoked', async () => {
    const [first, second] = [await account(), await account()];
    await grant(first.number, first.mailbox);
    await act(first.number, { act: 'revoke', permission: calls });
    expect(await grant(second.number, first.mailbox)).toBe('done');
  });
});
