import { createNoThrottle } from './no-throttle.ts';
import type { Caller } from '../../../src/server/platform/base/operation-request.ts';
import { createAuthenticator, type Authenticator } from './authenticator.ts';
import { createActiveCitizen } from './citizen-data.ts';
import type { DatabaseName } from './databases.ts';
import { openBrowser, recordIdentityProof, signInCitizen, steps, type Browser } from './sign-in-browser.ts';
import { openTestServer, type TestServer } from './test-server.ts';

/** Challenge names of the two passkey steps: as a second factor (`second`), and as the only proof (`alone`). */
export const passkeySteps = { second: 'urn:iduruguay:am:passkey', alone: 'passkey' } as const;

export function originOf(server: TestServer): string {
  return new URL(server.parts.config.baseUrl).origin;
}

/** Returns creation options for a caller who has just confirmed their password. */
export async function requestCreationOptions(server: TestServer, caller: Caller) {
  await recordIdentityProof(server, caller);
  return (await server.call('createPasskeyOptions', { caller })).body.options;
}

/** Adds a passkey for a caller. Returns its authenticator, its id and the recovery codes. */
export async function setUpPasskey(
  server: TestServer,
  caller: Caller,
  nombre = 'Mi llave',
): Promise<{ authenticator: Authenticator; id: string; codes: readonly string[] }> {
  const authenticator = createAuthenticator(originOf(server));
  const credential = authenticator.create(await requestCreationOptions(server, caller));
  const { codigos = [] } = (await server.call('createPasskey', { caller, body: { nombre, credential } })).body;
  const { llaves } = (await server.call('getMfaStatus', { caller, params: { id: caller.citizenId } })).body;
  return { authenticator, id: llaves.at(-1)?.id ?? '', codes: codigos };
}

/** The response to any invalid passkey. */
export const invalidPasskey = { status: 400, code: 'llave_invalida', field: 'credential' };

/** Authorization requests that wait for a sign-in, by `process_state`. */
export const pendingRequests = {
  legacy: {
    clientId: 'app',
    clientName: 'App',
    requiredNid: 0,
    maxAgeS: null,
    resumePath: '/oidc/v1/authorize/legacy',
    legacy: true,
  },
  waiting: {
    clientId: 'app',
    clientName: 'App',
    requiredNid: 0,
    maxAgeS: null,
    resumePath: '/oidc/v1/authorize/uid',
    legacy: false,
  },
};

const password = 'la-frase-correcta';

/** Opens a server without rate limits, with helpers for citizens who have a passkey. */
export async function openPasskeyServer(database: DatabaseName) {
  const known: Readonly<Record<string, (typeof pendingRequests)['legacy']>> = pendingRequests;
  const server = await openTestServer({
    database,
    env: { AGENT_DOMAINS: 'salud.gub.uy' },
    parts: (parts) => ({
      ...parts,
      throttle: createNoThrottle(parts.store),
      pendingRequests: { ...parts.pendingRequests, findRequest: async (state) => known[state] ?? null },
    }),
  });
  const { db } = server.parts.store;
  let serial = 0;
  return {
    server,
    async citizen() {
      const number = `ING${++serial}${database[1]}`.toUpperCase();
      const id = await createActiveCitizen(server, number, password);
      const { caller } = await signInCitizen(server, number, password);
      const { authenticator, codes } = await setUpPasskey(server, caller);
      return { number, id, email: `${number.toLowerCase()}@example.com`, caller, authenticator, codes };
    },
    /** Signs in up to the passkey step after the password. Returns the browser and the options of the step. */
    async atSecondStep(number: string, extra: Parameters<Browser['start']>[1] = null) {
      const browser = openBrowser(server);
      await browser.start(number, extra);
      const { body } = await browser.answer(steps.password, { password });
      return { browser, body, options: body.options };
    },
    /** Starts a sign-in with a passkey as the only proof. */
    async alone(extra: Parameters<Browser['start']>[1] = null) {
      const browser = openBrowser(server);
      const { body } = await browser.answer(passkeySteps.alone, {}, { extra, token: null });
      return { browser, body, options: body.options };
    },
    second: (browser: Browser, credential: string) => browser.answer(passkeySteps.second, { credential }),
    byItself: (browser: Browser, credential: string) => browser.answer(passkeySteps.alone, { credential }),
    actions: async (citizenId: string) =>
      (await db.selectFrom('audit').select('action').where('citizen_id', '=', citizenId).orderBy('seq').execute()).map(
        ({ action }) => action,
      ),
    session: (id: string) =>
      db
        .selectFrom('broker_sessions')
        .select(['amr', 'nid', 'role'])
        .where('citizen_id', '=', id)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .executeTakeFirstOrThrow(),
  };
}
