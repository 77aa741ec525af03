import { deskPermissionActions, deskPermissionResource } from '../../src/contract/desk-permissions.ts';
import { recordProofOfIdentity } from '../../src/server/trust/sessions/identity-proof.ts';
import { startSession } from '../../src/server/trust/sessions/start-session.ts';
import { redirectOnlyPagePaths } from '../../src/contract/page-paths.ts';
import { bindOperationHandlers, createServerJobs } from '../../src/server/app/create-server-services.ts';
import type { Caller } from '../../src/server/platform/base/operation-request.ts';
import { formatDocumentId } from '../../src/server/platform/base/identity-document.ts';
import { claimMail } from '../../src/server/platform/mail/outbox.ts';
import { readStoredMetrics } from '../../src/server/platform/metrics/read-stored-metrics.ts';
import { solveCaptcha } from '../chaos/retry-requests.ts';
import { openBrowser, type Browser } from '../server/support/browser.ts';
import type { LiveServer } from '../server/support/live-server.ts';
import { createOrigin } from '../server/support/origin.ts';
import {
  beginFlow,
  callback,
  finishFlow,
  followRedirects,
  configureRelyingParty,
  obtainTokens,
} from '../server/support/relying-party.ts';
import { password } from './fill-database.ts';
import { computeCitizen, computeNationalNumber, type SimulatedPopulation } from './fill-tables.ts';
import { expectSuccess, listSecondFactorOperations } from './second-factor-operations.ts';

/** Frequent operations of a server by name. Their order matters, because some need the result of a previous one. */
export type HotOperations = ReadonlyMap<string, () => Promise<unknown>>;

/**
 * Lists the frequent operations of a server with a filled database. Those of citizens use HTTP. Those of the desk and
 * of jobs call functions of the server.
 */
export function listHotOperations(
  server: LiveServer,
  country: Pick<SimulatedPopulation, 'seed' | 'citizens'>,
): HotOperations {
  // starts at the last tenth, whose citizens have neither passkeys nor second factors
  const first = Math.floor((country.citizens * 0.9) / 1000) * 1000;
  const citizen = (index: number) => computeCitizen(country, first + index);
  return new Map(
    Object.entries({
      ...listAccountOperations(server, citizen),
      ...listSecondFactorOperations(server, citizen(14).document.number),
      ...listDeskOperations(server, citizen),
      ...listMaintenanceOperations(server),
    }),
  );
}

type CitizenLookup = (index: number) => ReturnType<typeof computeCitizen>;

function listAccountOperations(server: LiveServer, citizen: CitizenLookup) {
  const other = openBrowser(server.origin);
  const browser = openBrowser(server.origin);
  const email = 'nueva@example.com';
  const newcomer = computeNationalNumber(10); // a card in the registry without an account
  let id = '';
  let token = '';
  let bearer: Record<string, string> = {};
  const own = (path = '') => browser.get(`/rest/ciudadanos/${id}/${path}`, bearer);
  const secret = async (page: string, recipient = email) => {
    const mails = await server.parts.store.db
      .selectFrom('outbox')
      .select('text')
      .where('recipient', '=', recipient)
      .orderBy('id', 'desc')
      .execute();
    const links = mails.flatMap(({ text }) => text.match(/https?:\S+/g) ?? []).map((link) => new URL(link));
    return links.find(({ pathname }) => pathname === page)?.searchParams.get('uuid') ?? `no link to ${page}`;
  };
  const visitor = async () => ({ captcha_response: await solveCaptcha(browser) });
  const card = { pais_emisor: 'uy', tipo_documento: 'ci', numero_documento: newcomer };
  return {
    register: async () =>
      expectSuccess(
        browser.post('/rest/ciudadanos/', {
          primer_nombre: 'Ana',
          segundo_nombre: '',
          primer_apellido: 'Pereira',
          segundo_apellido: 'Sosa',
          ...card,
          email,
          repetir_email: email,
          numero_telefono: '+59899123456',
          password,
          repetir_password: password,
          terminos: true,
          ...(await visitor()),
        }),
      ),
    'resend an activation': async () =>
      expectSuccess(browser.post('/account/resend_activation/', { ...card, ...(await visitor()) })),
    activate: async () =>
      expectSuccess(
        browser.post('/account/activate_account/', { uuid: await secret(redirectOnlyPagePaths.activateAccount) }),
      ),
    'sign in': async () => {
      const { document } = citizen(11);
      await signInWithPassword(other, document.number);
    },
    'sign in as a newcomer': () => signInWithPassword(browser, newcomer),
    'sign in from abroad': () => {
      const { document } = citizen(20);
      const { country, number, type } = document;
      return signInWithPassword(openBrowser(server.origin), number, { country, type });
    },
    'obtain a token': async () => {
      token = await browser.bearer();
      bearer = { authorization: `Bearer ${token}` };
      id = (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { cid: string }).cid;
    },
    'refresh a token': () => expectSuccess(browser.post('/jwt/refresh/', { token }, bearer)),
    read: () => expectSuccess(own()),
    'read the overview': async () => {
      for (const path of [
        'email/',
        'email_por_validar/',
        'obtener_acciones/',
        'mfa_status/',
        'proveedores/',
        'cierre/',
      ])
        await expectSuccess(own(path));
      await expectSuccess(browser.get('/rest/sesiones/', bearer));
      await expectSuccess(browser.get('/rest/aplicaciones/', bearer));
    },
    'export data': async () => {
      await expectSuccess(browser.post(`/rest/ciudadanos/${id}/verify_password/`, { pwd: password }, bearer));
      await expectSuccess(browser.post(`/rest/ciudadanos/${id}/exportar_datos/`, {}, bearer));
    },
    'change the password': async () => {
      const next = `${password}-nueva`;
      const body = { new_pass: next, repeat_pass: next };
      await expectSuccess(browser.post(`/rest/ciudadanos/${id}/update_password/`, body, bearer));
    },
    'change the address': async () => {
      const next = 'otra@example.com';
      const body = { email: next, second_factor_flow: false };
      await expectSuccess(browser.post(`/rest/ciudadanos/${id}/update_email/`, body, bearer));
      const uuid = await secret(redirectOnlyPagePaths.approveEmail, next);
      await expectSuccess(browser.post('/account/approve_email_change/', { uuid }, bearer));
    },
    'ask for a new password': async () => {
      const { document } = citizen(12);
      const body = { pais_emisor: 'uy', tipo_documento: 'ci', numero_documento: document.number };
      await expectSuccess(browser.post('/account/reset-password/', { ...body, ...(await visitor()) }));
    },
    'set up codes by mail': () =>
      expectSuccess(browser.post('/rest/ciudadanos/authenticators/email/email_activate/', {}, bearer)),
    consent: () => signInCitizen(server, browser),
    'book a call': async () => {
      const days = (await expectSuccess(
        browser.get('/rest/configuracion-turno-consulta/lista-fechas-configuradas/'),
      )) as unknown as readonly { fecha: string }[];
      const day = days.at(-1)?.fecha ?? '';
      const hours = (await expectSuccess(
        browser.get(`/rest/disponibilidad-consulta/?fecha=${day}`),
      )) as unknown as readonly {
        hora: string;
      }[];
      const body = {
        nombre_completo: 'Ana Pereira',
        ...card,
        correo_electronico: email,
        numero_telefono: '+59899123456',
        asunto: 'otro',
        mensaje: 'Hola',
        fecha: day,
        hora: hours[0]?.hora ?? '10:00:00',
      };
      await expectSuccess(browser.post('/rest/videollamada-soporte/', body, bearer));
    },
    'write to the support': async () =>
      expectSuccess(
        openBrowser(server.origin).post('/contacto/enviar/', {
          nombre_completo: 'Ana Pereira',
          ...card,
          email: 'nadie@example.com',
          telefono: '+59899123456',
          asunto: 'otro',
          mensaje: 'No puedo entrar.',
          ...(await visitor()),
        }),
      ),
    'end other sessions': () => expectSuccess(browser.post('/rest/sesiones/cerrar_otras/', {}, bearer)),
    'log out': () => expectSuccess(other.post('/auth/logout', {})),
    'close the account': () => expectSuccess(browser.post(`/rest/ciudadanos/${id}/cerrar_cuenta/`, {}, bearer)),
  };
}

async function signInCitizen(server: LiveServer, browser: Browser): Promise<void> {
  const secret = await server.register({ id: 'tramites', name: 'Trámites', redirectUris: [callback] });
  const config = await configureRelyingParty(server.origin, 'tramites', secret);
  const parameters = { scope: 'openid personal_info offline_access', prompt: 'consent' };
  const { access_token: token } = await obtainTokens(browser, config, parameters);
  const headers = { authorization: `Bearer ${token}` };
  await expectSuccess(browser.get(new URL(config.serverMetadata().userinfo_endpoint ?? '').pathname, headers));
  const again = await beginFlow(config); // a second request, which needs neither consent nor sign-in
  await finishFlow(again, await followRedirects(browser, again.url.href, server.origin));
}

function listDeskOperations({ parts }: LiveServer, citizen: CitizenLookup) {
  const handlers = bindOperationHandlers(parts);
  const { id, document } = citizen(1);
  const caller: Caller = {
    citizenId: id,
    document: formatDocumentId(document),
    sessionId: id,
    role: 'agent',
    permisos: { [deskPermissionResource]: deskPermissionActions },
    restricted: false,
    factorDue: false,
    nid: 1,
  };
  const request = { params: {}, query: {}, cookies: {}, caller, origin: createOrigin() };
  const other = formatDocumentId(citizen(50).document);
  return {
    'calls of a day': () => handlers.getDeskDay({ ...request, body: {} }),
    'calls of a document': () => handlers.getDeskDay({ ...request, query: { documento: other }, body: {} }),
    'one call': async () => {
      const call = await parts.store.db
        .selectFrom('video_calls')
        .select('id')
        .where('kind', '=', 'support')
        .where('place', '=', 1)
        .orderBy('starts_at')
        .limit(1)
        .executeTakeFirstOrThrow();
      const at = { ...request, params: call, body: {} };
      await handlers.getDeskCall(at);
      await handlers.takeCall(at);
    },
    colleagues: () => handlers.getColleagues({ ...request, body: {} }),
    'find an account': () => handlers.findDeskAccount({ ...request, body: { documento: other } }),
    'block an account': async () => {
      const sessionId = await parts.store.transaction(async (tx) => {
        const now = parts.clock.now();
        const life = { now, lifeS: 600, idleS: 600, device: { userAgent: '', address: '127.0.0.1' } };
        const session = await startSession(tx, { citizenId: id, amr: [], nid: 1, role: 'agent', ...life });
        await recordProofOfIdentity(tx, session.id, now);
        return session.id;
      });
      const body = { documento: other, acto: 'bloquear', motivo: 'Lo pidió.' };
      await handlers.actOnAccount({ ...request, caller: { ...caller, sessionId }, body });
    },
    messages: () => handlers.getDeskMessages({ ...request, body: {} }),
    figures: () => handlers.getFigures({ ...request, body: {} }),
    hours: () => handlers.getDeskHours({ ...request, query: { agenda: 'support' }, body: {} }),
  };
}

function listMaintenanceOperations({ parts }: LiveServer) {
  const jobs = createServerJobs(parts).map(({ name, run }) => [`job: ${name}`, run] as const);
  return {
    ...Object.fromEntries(jobs),
    'claim a mail': () => claimMail(parts.store),
    metrics: () => readStoredMetrics(parts.store),
  };
}

async function signInWithPassword(
  browser: Browser,
  document: string,
  { country, type }: { country?: string; type?: string } = {},
): Promise<void> {
  const where = await browser.signIn({
    document,
    password,
    ...(country !== undefined && { country }),
    ...(type !== undefined && { type }),
  });
  if (!browser.cookies.has('session') && !where.startsWith('/')) throw new Error(`not signed in: ${where}`);
}
