import { deskActions, deskResource } from '../../src/contract/desk.ts';
import { recordProof } from '../../src/server/trust/sessions/identity-proof.ts';
import { startSession } from '../../src/server/trust/sessions/sessions.ts';
import { redirectOnlyPages } from '../../src/contract/pages.ts';
import { createHandlers, createJobs } from '../../src/server/app/create-services.ts';
import type { Caller } from '../../src/server/platform/base/operation-request.ts';
import { documentId } from '../../src/server/platform/base/document.ts';
import { claimMail } from '../../src/server/platform/mail/outbox.ts';
import { readDatabaseState } from '../../src/server/platform/metrics/database-state.ts';
import { solvedCaptcha } from '../chaos/attempts.ts';
import { openBrowser, type Browser } from '../server/support/browser.ts';
import type { LiveServer } from '../server/support/live-server.ts';
import { testOrigin } from '../server/support/origin.ts';
import { beginFlow, callback, decide, finishFlow, follow, relyingParty } from '../server/support/relying-party.ts';
import { password } from './fill.ts';
import { citizenOf, nationalNumber, type Country } from './fill-tables.ts';
import { good, strongPaths } from './strong-paths.ts';

/** Frequent operations of a server by name. Their order matters: some need the result of a previous one. */
export type HotPaths = ReadonlyMap<string, () => Promise<unknown>>;

/** Lists the hot paths of a server with a filled database. Those of citizens use HTTP, those of the desk and of jobs call the functions behind it. */
export function hotPaths(server: LiveServer, country: Pick<Country, 'seed' | 'citizens'>): HotPaths {
  // citizens in the last tenth have neither passkeys nor second factors
  const first = Math.floor((country.citizens * 0.9) / 1000) * 1000;
  const citizen = (index: number) => citizenOf(country, first + index);
  return new Map(
    Object.entries({
      ...accountPaths(server, citizen),
      ...strongPaths(server, citizen(14).document.number),
      ...deskPaths(server, citizen),
      ...upkeepPaths(server),
    }),
  );
}

type CitizenBy = (index: number) => ReturnType<typeof citizenOf>;

function accountPaths(server: LiveServer, citizen: CitizenBy) {
  const other = openBrowser(server.origin);
  const browser = openBrowser(server.origin);
  const email = 'nueva@example.com';
  const newcomer = nationalNumber(10); // a card in the registry without an account
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
  const visitor = async () => ({ captcha_response: await solvedCaptcha(browser) });
  const card = { pais_emisor: 'uy', tipo_documento: 'ci', numero_documento: newcomer };
  return {
    register: async () =>
      good(
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
      good(browser.post('/account/resend_activation/', { ...card, ...(await visitor()) })),
    activate: async () =>
      good(browser.post('/account/activate_account/', { uuid: await secret(redirectOnlyPages.activateAccount) })),
    'sign in': async () => {
      const { document } = citizen(11);
      await entered(other, document.number);
    },
    'sign in as a newcomer': () => entered(browser, newcomer),
    'sign in from abroad': () => {
      const { document } = citizen(20);
      const { country, number, type } = document;
      return entered(openBrowser(server.origin), number, { country, type });
    },
    'obtain a token': async () => {
      token = await browser.bearer();
      bearer = { authorization: `Bearer ${token}` };
      id = (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { cid: string }).cid;
    },
    'refresh a token': () => good(browser.post('/jwt/refresh/', { token }, bearer)),
    read: () => good(own()),
    'read the overview': async () => {
      for (const path of [
        'email/',
        'email_por_validar/',
        'obtener_acciones/',
        'mfa_status/',
        'proveedores/',
        'cierre/',
      ])
        await good(own(path));
      await good(browser.get('/rest/sesiones/', bearer));
      await good(browser.get('/rest/aplicaciones/', bearer));
    },
    'export data': async () => {
      await good(browser.post(`/rest/ciudadanos/${id}/verify_password/`, { pwd: password }, bearer));
      await good(browser.post(`/rest/ciudadanos/${id}/exportar_datos/`, {}, bearer));
    },
    'change the password': async () => {
      const next = `${password}-nueva`;
      const body = { new_pass: next, repeat_pass: next };
      await good(browser.post(`/rest/ciudadanos/${id}/update_password/`, body, bearer));
    },
    'change the address': async () => {
      const next = 'otra@example.com';
      const body = { email: next, second_factor_flow: false };
      await good(browser.post(`/rest/ciudadanos/${id}/update_email/`, body, bearer));
      const uuid = await secret(redirectOnlyPages.approveEmail, next);
      await good(browser.post('/account/approve_email_change/', { uuid }, bearer));
    },
    'ask for a new password': async () => {
      const { document } = citizen(12);
      const body = { pais_emisor: 'uy', tipo_documento: 'ci', numero_documento: document.number };
      await good(browser.post('/account/reset-password/', { ...body, ...(await visitor()) }));
    },
    'set up codes by mail': () =>
      good(browser.post('/rest/ciudadanos/authenticators/email/email_activate/', {}, bearer)),
    consent: () => signInTo(server, browser),
    'book a call': async () => {
      const days = (await good(
        browser.get('/rest/configuracion-turno-consulta/lista-fechas-configuradas/'),
      )) as unknown as readonly { fecha: string }[];
      const day = days.at(-1)?.fecha ?? '';
      const hours = (await good(browser.get(`/rest/disponibilidad-consulta/?fecha=${day}`))) as unknown as readonly {
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
      await good(browser.post('/rest/videollamada-soporte/', body, bearer));
    },
    'write to the support': async () =>
      good(
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
    'end other sessions': () => good(browser.post('/rest/sesiones/cerrar_otras/', {}, bearer)),
    'log out': () => good(other.post('/auth/logout', {})),
    'close the account': () => good(browser.post(`/rest/ciudadanos/${id}/cerrar_cuenta/`, {}, bearer)),
  };
}

async function signInTo(server: LiveServer, browser: Browser): Promise<void> {
  const secret = await server.register({ id: 'tramites', name: 'Trámites', redirectUris: [callback] });
  const config = await relyingParty(server.origin, 'tramites', secret);
  const request = await beginFlow(config, { scope: 'openid personal_info offline_access', prompt: 'consent' });
  const back = await decide(browser, await follow(browser, request.url.href, server.origin), server.origin);
  const { access_token: token } = await finishFlow(request, back);
  const headers = { authorization: `Bearer ${token}` };
  await good(browser.get(new URL(config.serverMetadata().userinfo_endpoint ?? '').pathname, headers));
  const again = await beginFlow(config); // the second request needs neither consent nor sign-in
  await finishFlow(again, await follow(browser, again.url.href, server.origin));
}

function deskPaths({ parts }: LiveServer, citizen: CitizenBy) {
  const handlers = createHandlers(parts);
  const { id, document } = citizen(1);
  const caller: Caller = {
    citizenId: id,
    document: documentId(document),
    sessionId: id,
    role: 'agent',
    permisos: { [deskResource]: deskActions },
    restricted: false,
    factorDue: false,
    nid: 1,
  };
  const request = { params: {}, query: {}, cookies: {}, caller, origin: testOrigin() };
  const other = documentId(citizen(50).document);
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
    'find an account': () => handlers.findAccount({ ...request, body: { documento: other } }),
    'block an account': async () => {
      const sessionId = await parts.store.transaction(async (tx) => {
        const now = parts.clock.now();
        const life = { now, lifeS: 600, idleS: 600, device: { userAgent: '', address: '127.0.0.1' } };
        const session = await startSession(tx, { citizenId: id, amr: [], nid: 1, role: 'agent', ...life });
        await recordProof(tx, session.id, now);
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

function upkeepPaths({ parts }: LiveServer) {
  const jobs = createJobs(parts).map(({ name, run }) => [`job: ${name}`, run] as const);
  return {
    ...Object.fromEntries(jobs),
    'claim a mail': () => claimMail(parts.store),
    metrics: () => readDatabaseState(parts.store),
  };
}

async function entered(
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
