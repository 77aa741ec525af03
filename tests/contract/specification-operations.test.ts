import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identityBrokerPaths, operationNames, apiContract, type ApiOperation } from '../../src/contract/contract.ts';
import { isObject } from '../../src/engine/core/json.ts';
import { loadLocalizedContent } from '../../src/server/features/content/open-content.ts';
import { saveForeignCitizen } from '../../src/server/trust/federation/upstream/provider-identities.ts';
import { findLiveSessionOfCookie } from '../../src/server/trust/sessions/broker-sessions.ts';
import { startSession } from '../../src/server/trust/sessions/start-session.ts';
import { openBrowser, type Browser } from '../server/support/browser.ts';
import { issueRoot, encodePem } from '../server/support/certificates.ts';
import { startLiveServer, type LiveServer } from '../server/support/live-server.ts';
import { beginFlow, callback, followRedirects, configureRelyingParty } from '../server/support/relying-party.ts';
import { registerProvider, requestSamlSignIn } from '../server/support/service-provider.ts';
import { productDefinitions } from '../definitions/support/product-definitions.ts';
import { requiredFields } from './required-fields.ts';

/**
 * Root of the project. The test below simulates a third-party portal that was written from sections 3 and 7 of the
 * specification. It sends the request of each operation to a running server, and checks the shape of the response.
 * Details that the specification leaves open are marked (ours).
 */

const root = resolve(import.meta.dirname, '../..');
const password = 'tres-tazas-de-mate';
const serial = '007HEC';
const user = [
  ...['id', 'user.email', 'user.id', 'user.permisos', 'nombre_completo', 'primer_nombre', 'segundo_nombre'],
  ...[
    'primer_apellido',
    'segundo_apellido',
    'numero_documento',
    'numero_telefono',
    'nivel',
    'nivel_de_confianza.value',
  ],
  ...['documento.tipo_documento.codigo', 'documento.tipo_documento.nombre', 'documento.pais_emisor.codigo'],
  ...['documento.pais_emisor.nombre', 'rid', 'acr', 'origen_registro.nombre', 'firma_validada', 'email_validado'],
  ...['email_por_validar', 'cuenta_activa', 'bloqueado', 'acceso_funcionalidades', 'ultimo_login'],
  ...['ultimo_cambio_contrasena', 'info_tramite_videollamada_pendiente'],
];

let server: LiveServer;
let folder: string;
let ana: Browser;
let id = '';
let bearer: Record<string, string> = {};
/** Values of responses that later requests need. */
const kept: Record<string, string> = {};

beforeAll(async () => {
  const definitions = await productDefinitions;
  const { languages, manifest } = definitions;
  const content = await loadLocalizedContent({ root, languages, routes: manifest('es').routes, language: 'es' });
  folder = await mkdtemp(join(tmpdir(), 'portal-roots-'));
  const roots = join(folder, 'roots.pem');
  await writeFile(roots, encodePem(await issueRoot(new Date())));
  const hours = 'mon-sun 09:00-17:00 x4';
  server = await startLiveServer(
    {
      ...{ CAPTCHA_COST: '1', SUPPORT_HOURS: hours, ELEVATION_HOURS: hours, RESET_SHOWS_EMAIL: 'on' },
      ...{ SIGNATURE_ROOTS: roots, DSS_URL: 'https://firma.example/pedido' },
    },
    { definitions, content },
  );
  ana = openBrowser(server.origin);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Returns all paths in a value. `[]` represents the items of a list. */
function pathsOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((item) => pathsOf(item, `${path}[]`))];
  if (!isObject(value)) return [path];
  const below = Object.entries(value).flatMap(([name, inner]) =>
    pathsOf(inner, path === '' ? name : `${path}.${name}`),
  );
  return [path, ...below];
}

/** Calls an operation as a third-party portal would, and checks the shape of the response. Returns the response. */
async function callOperation(
  line: string,
  { path, body, by = bearer, status = 200 }: { path?: string; body?: object; by?: object; status?: number } = {},
  shape: readonly string[] = [],
) {
  const [method = '', shown = ''] = line.split(' ');
  const url = server.origin + (path ?? shown.replace('{id}', id));
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...by, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect([response.status, text.slice(0, 300)], `${line} ${url}`).toEqual([status, expect.any(String)]);
  const answer = text === '' ? {} : JSON.parse(text);
  const paths = new Set(pathsOf(answer));
  expect(
    shape.filter((one) => !paths.has(one)),
    `${line} lacks`,
  ).toEqual([]);
  made.add(line);
  return answer;
}

const made = new Set<string>();
const nobody = {};
const captcha = async (): Promise<string> => {
  const { challenge } = await (await fetch(`${server.origin}/rest/captcha/`)).json();
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
};
/**
 * Waits for `count` mailed links to a page, because some mails are written after the response. Returns a parameter of
 * the latest link.
 */
const waitForMailedLink = async (path: string, parameter: string, count = 1): Promise<string> => {
  const found = async () => {
    const mails = await server.parts.store.db.selectFrom('outbox').select('text').orderBy('id', 'desc').execute();
    const links = mails.flatMap(({ text }) => text.match(/https?:\S+/g) ?? []).map((link) => new URL(link));
    return links.filter(({ pathname }) => decodeURIComponent(pathname) === path);
  };
  await expect.poll(async () => (await found()).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
  return (await found())[0]?.searchParams.get(parameter) ?? '';
};
const readMailedCode = async (): Promise<string> => {
  const mails = await server.parts.store.db.selectFrom('outbox').select('text').orderBy('id', 'desc').execute();
  return mails.flatMap(({ text }) => /\b\d{6}\b/.exec(text) ?? [])[0] ?? '';
};
const challenge = (name: string, data: object, token: string | null, extra: object | null = null) => ({
  challenge: name,
  data_challenge: data,
  extra,
  token,
});
const person = { pais_emisor: 'uy', tipo_documento: 'ci', numero_documento: '50234162' };
const slot = async (dates: string, hours: string, by: object) => {
  const [first] = await (await fetch(server.origin + dates, { headers: { ...by } })).json();
  const times = await (await fetch(`${server.origin}${hours}?fecha=${first.fecha}`, { headers: { ...by } })).json();
  return { fecha: first.fecha, hora: times[0].hora_inicio };
};

describe('[CFG-03 ENT-03] third-party portal without a session', () => {
  test('reads countries, help, static pages, contact subjects and identity providers', async () => {
    await callOperation('GET /rest/paises/', { by: nobody }, requiredFields.countries);
    await callOperation('GET /rest/faqs/', { by: nobody }, requiredFields.faqs);
    const page = '/rest/paginas-estaticas/terminos-y-condiciones/';
    await callOperation('GET /rest/paginas-estaticas/{id}/', { path: page, by: nobody }, requiredFields.staticPage);
    await callOperation('GET /rest/contacto/asuntos/', { by: nobody }, requiredFields.contactSubjects);
    await callOperation('GET /rest/idps/', { by: nobody }, ['idps', 'ci_allowed', 'gub_uy_allowed']);
    const path = '/saml-login-gubuy';
    await callOperation('GET /saml-login-{product}', { path, by: nobody, status: 303 }, ['url']);
    await callOperation('GET /saml-logout-{product}', { path: '/saml-logout-gubuy', by: nobody }, ['url']);
  });

  test('sends contact messages, and feedback with the field names of both variants', async () => {
    const message = { nombre_completo: 'María Fernández', ...person, email: 'maria@example.com' };
    const rest = { telefono: '+59899123456', asunto: 'otro', mensaje: 'No puedo ingresar.', logueado: false };
    const [{ id: asunto }] = await callOperation('GET /rest/contacto/asuntos/', { by: nobody });
    const sent = { ...message, ...rest, asunto, captcha_response: await captcha() };
    await callOperation('POST /contacto/enviar/', { body: sent, by: nobody });
    const boxes = (name: string) => Object.fromEntries([1, 2, 3, 4, 5, 6].map((box) => [`${name}${box}`, box === 1]));
    const old = { pregunta_1: 4, pregunta_2: 3, ...boxes('pregunta_3_checkbox_'), pregunta_4: 'Bien', email: 'a@b.uy' };
    const newer = { pregunta1: 4, pregunta2: 3, ...boxes('pregunta3Checkbox'), pregunta4: 'Bien', email: 'a@b.uy' };
    await callOperation('POST /rest/feedback-form/', {
      body: { ...old, captcha_response: await captcha() },
      by: nobody,
    });
    await callOperation('POST /rest/feedback-form/', {
      body: { ...newer, captchaResponse: await captcha() },
      by: nobody,
    });
    const radios = { ...old, pregunta_1: '4', pregunta_2: '3', captcha_response: await captcha() };
    await callOperation('POST /rest/feedback-form/', { body: radios, by: nobody });
    const kept = await server.parts.store.db.selectFrom('feedback').select(['usefulness', 'clarity']).execute();
    expect(kept).toEqual(Array.from({ length: 3 }, () => ({ usefulness: 4, clarity: 3 })));
    const wrong = { ...radios, pregunta_1: '5', captcha_response: await captcha() };
    expect(await callOperation('POST /rest/feedback-form/', { body: wrong, by: nobody, status: 400 })).toMatchObject({
      field: 'pregunta_1',
    });
    const byName = { ...sent, asunto: 'Otro', captcha_response: await captcha() };
    await callOperation('POST /contacto/enviar/', { body: byName, by: nobody });
    const subjects = await server.parts.store.db
      .selectFrom('contact_messages')
      .select('subject')
      .orderBy('id')
      .execute();
    expect(subjects.at(-1)).toEqual({ subject: 'otro' });
    const refused = await callOperation('POST /rest/feedback-form/', {
      body: { ...old, pregunta_4: 'x'.repeat(2049), captcha_response: await captcha() },
      by: nobody,
      status: 400,
    });
    expect(refused).toMatchObject({ field: 'pregunta_4', error: expect.any(String) });
  });

  test('registers, requests the activation mail again, activates the account and resets the password', async () => {
    const names = {
      primer_nombre: 'María',
      segundo_nombre: 'José',
      primer_apellido: 'Fernández',
      segundo_apellido: 'Ñíguez',
    };
    const mail = { email: 'maria@example.com', repetir_email: 'maria@example.com', numero_telefono: '+59899123456' };
    const secret = { password: 'lluvia-sobre-chapas', repetir_password: 'lluvia-sobre-chapas', terminos: true };
    const form = { ...names, ...person, ...mail, ...secret, captcha_response: await captcha() };
    await callOperation('POST /rest/ciudadanos/', { body: form, by: nobody }, ['email']);
    const who = { doc: person.numero_documento, pais_emisor: 'uy', tipo_doc: 'ci' };
    const again = { ...who, captcha_response: await captcha() };
    const resent = await callOperation('POST /account/resend_activation/', { body: again, by: nobody }, ['resended']);
    expect(resent.resended).toBe(true);
    const activation = { uuid: await waitForMailedLink('/registro/activar-cuenta', 'uuid', 2) };
    await callOperation('POST /account/activate_account/', { body: activation, by: nobody });
    const reset = { ...who, captcha_response: await captcha() };
    await callOperation('POST /account/reset-password/', { body: reset, by: nobody }, ['email']);
    const token = await waitForMailedLink('/contraseña/restablecer/nueva-contraseña', 'token');
    const renewed = { password: 'otra-lluvia-de-abril', passwordRepeat: 'otra-lluvia-de-abril' };
    const invalid = { ...renewed, token: 'x' };
    expect(
      await callOperation('POST /account/reset-password/confirm', { body: invalid, by: nobody, status: 400 }),
    ).toMatchObject({ invalid_token: true });
    await callOperation('POST /account/reset-password/confirm', { body: { ...renewed, token }, by: nobody });
  });

  test('books a support call with informacion_contacto, opens, confirms and cancels it', async () => {
    const [dates, hours] = [
      '/rest/configuracion-turno-consulta/lista-fechas-configuradas/',
      '/rest/disponibilidad-consulta/',
    ];
    await callOperation(
      `GET ${dates}`,
      { path: `${dates}?fecha_inicio=2026-01-01&fecha_fin=2099-01-01&disponible=true`, by: nobody },
      requiredFields.callDates,
    );
    const { fecha, hora } = await slot(dates, hours, nobody);
    await callOperation(`GET ${hours}`, { path: `${hours}?fecha=${fecha}`, by: nobody }, requiredFields.callHours);
    expect([fecha, hora]).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d$/),
    ]);
    const contact = {
      nombre_completo: 'Juan Rodríguez',
      numero_documento: '38712057',
      correo_electronico: 'juan@example.com',
    };
    const rest = {
      numero_telefono: '+59899123456',
      asunto: 'Usuario gub uy',
      mensaje: 'Ayuda',
      pais_emisor: 'uy',
      tipo_documento: 'ci',
    };
    const informacion_contacto = { ...contact, ...rest };
    const booking = { informacion_contacto, fecha, hora };
    const line = 'POST /rest/videollamada-soporte/';
    expect(await callOperation(line, { body: booking, by: nobody, status: 400 })).toMatchObject({
      field: 'captcha_response',
    });
    const odd = { ...booking, informacion_contacto: { ...informacion_contacto, admin: true } };
    expect(
      await callOperation(line, { body: { ...odd, captcha_response: await captcha() }, by: nobody, status: 400 }),
    ).toMatchObject({ field: 'informacion_contacto' });
    await callOperation(
      line,
      { body: { ...booking, captcha_response: await captcha() }, by: nobody },
      requiredFields.bookedCall,
    );
    expect(await server.parts.store.db.selectFrom('video_calls').select('subject').execute()).toEqual([
      { subject: 'usuario' },
    ]);
    const uuid = await waitForMailedLink('/videollamada-soporte', 'videollamada');
    const at = (rest: string) => ({ path: `/rest/videollamada-soporte/${uuid}${rest}`, by: nobody });
    const call = await callOperation('GET /rest/videollamada-soporte/{id}', at(''), requiredFields.supportCall);
    expect(call).toMatchObject({ estado: 'Reservado', informacion_contacto: { nombre_completo: 'Juan Rodríguez' } });
    await callOperation('POST /rest/videollamada-soporte/{id}/confirmar', at('/confirmar'), ['estado']);
    await callOperation(
      'POST /rest/videollamada-soporte/{id}/cancelar-tramite-con-uuid/',
      at('/cancelar-tramite-con-uuid/'),
    );
  });
});

describe('[CFG-03 ENT-03] third-party portal with the session of a citizen', () => {
  test('signs in with challenges and obtains tokens with exp, cid and idp', async () => {
    const first = await ana.post(
      '/auth/login',
      challenge('username', { username: '45123784', pais_emisor: null, tipo_documento: null }, null, {
        redirect_url: null,
        agnt: null,
        process_state: null,
      }),
    );
    const { challenge: next, token } = await first.json();
    expect(next).toBe('urn:iduruguay:am:password');
    const signedIn = await (await ana.post('/auth/login', challenge(next, { password }, token))).json();
    expect(pathsOf(signedIn)).toEqual(
      expect.arrayContaining(['challenge', 'token', 'name', 'level', 'email', 'location']),
    );
    made.add('POST login URL');
    const obtained = await (await ana.get('/jwt/obtain/')).json();
    made.add('GET /jwt/obtain/');
    const refreshed = await (await ana.post('/jwt/refresh/', { token: obtained.token })).json();
    made.add('POST /jwt/refresh/');
    const claims = JSON.parse(Buffer.from(refreshed.token.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ exp: expect.any(Number), cid: expect.any(String), idp: null });
    id = claims.cid;
    bearer = { authorization: `Bearer ${refreshed.token}` };
  });

  test('[LOG-05] signs in from an empty challenge and with the short names of the challenges', async () => {
    const browser = openBrowser(server.origin);
    const step = async (name: string | null, data: object | null, token: string | null) =>
      (await browser.post('/auth/login', { challenge: name, data_challenge: data, extra: null, token })).json();
    expect(await step(null, null, null)).toMatchObject({ challenge: 'username', token: null });
    const { token } = await step(null, { username: '45123784' }, null);
    expect(await step('password', { password: 'otra' }, token)).toMatchObject({ field: 'password' });
    const asCitizen = { password, emailTOTP: null, emailAgent: null };
    expect(await step('password', asCitizen, token)).toMatchObject({ location: expect.any(String) });
    for (const emailAgent of [true, 'true', 'ana@ministerio.gub.uy']) {
      const { token: other } = await step('username', { username: '45123784' }, null);
      expect(await step('password', { password, emailAgent }, other)).toMatchObject({
        challenge: 'institutional_email',
      });
    }
  });

  test('reads the record, the mail address, the actions and the second factors', async () => {
    await callOperation('GET /rest/ciudadanos/{id}/', {}, user);
    await callOperation('GET /rest/ciudadanos/{id}/email_por_validar/', {}, ['email']);
    await callOperation('GET /rest/ciudadanos/{id}/email/', {}, ['email']);
    await callOperation('GET /rest/ciudadanos/{id}/obtener_acciones/', {}, requiredFields.actions);
    await callOperation('GET /rest/ciudadanos/{id}/mfa_status/', {}, [
      ...['estado.activado', 'estado.fecha_activado', 'methods.totp', 'methods.email', 'estado_email', 'errors'],
    ]);
  });

  test('verifies the password, changes phone and password, and requests a signature', async () => {
    await callOperation('POST /rest/ciudadanos/{id}/verify_password/', { body: { pwd: password } });
    await callOperation('POST /rest/ciudadanos/{id}/update_numero_telefono/', {
      body: { numero_telefono: '+59899123456' },
    });
    await callOperation('POST /rest/ciudadanos/{id}/resend_activation/', {}, ['resended']);
    await callOperation('GET /acceso/dss/request', {}, ['url']);
    const renewed = { new_pass: 'cuatro-tazas-de-mate', repeat_pass: 'cuatro-tazas-de-mate' };
    await callOperation('POST /rest/ciudadanos/{id}/update_password/', { body: renewed });
    kept['password'] = renewed.new_pass;
  });

  test('books an elevation with fecha, hora and numero_telefono after the identity check', async () => {
    const [dates, hours] = ['/rest/configuracion-turno/lista-fechas-configuradas/', '/rest/disponibilidad/'];
    await callOperation(
      `GET ${dates}`,
      { path: `${dates}?fecha_inicio=2026-01-01&fecha_fin=2099-01-01` },
      requiredFields.elevationDates,
    );
    const place = await slot(dates, hours, bearer);
    await callOperation(`GET ${hours}`, { path: `${hours}?fecha=${place.fecha}` }, requiredFields.callHours);
    const payload = { ...place, numero_telefono: '+59899123456' };
    const line = 'POST /rest/tramite-videollamada/';
    expect(await callOperation(line, { body: payload, status: 400 }), 'without an identity check').toMatchObject({
      field: 'numero_serie',
    });
    const query = new URLSearchParams({ primer_apellido: 'Pereira', numero_serie: serial, cedula: '45123784' });
    const checked = await callOperation('GET /rest/info-dnic/', { path: `/rest/info-dnic/?${query}` });
    expect(checked).toEqual({ primer_apellido: true, numero_serie: true, mayor_de_edad: true });
    const first = await callOperation(line, { body: payload }, ['id', 'estado', 'fecha', 'hora_inicio']);
    const pending = ['id', 'estado', 'fecha', 'hora_inicio', 'link', 'jwt'].map(
      (name) => `info_tramite_videollamada_pendiente.${name}`,
    );
    await callOperation('GET /rest/ciudadanos/{id}/', {}, pending);
    await callOperation('DELETE /rest/tramite-videollamada/{id}/', { path: `/rest/tramite-videollamada/${first.id}/` });
    const refused = { ...payload, numero_serie: serial, terminos: false, clausula: true };
    expect(await callOperation(line, { body: refused, status: 400 }), 'the sent values are validated').toMatchObject({
      field: 'terminos',
    });
    const second = await callOperation(line, { body: { ...payload, numero_serie: serial } });
    kept['call'] = second.id;
  });

  test('activates and removes both second factors', async () => {
    const totp = await callOperation('POST /rest/ciudadanos/authenticators/totp/', {}, ['id', 'secret', 'url']);
    const code = generateSync({ secret: totp.secret });
    const app = `/rest/ciudadanos/authenticators/totp/${totp.id}`;
    await callOperation('POST /rest/ciudadanos/authenticators/totp/{id}/verify/', {
      path: `${app}/verify/`,
      body: { code, login: false },
    });
    const mail = await callOperation(
      'POST /rest/ciudadanos/authenticators/email/email_activate/',
      { body: { uuid: null } },
      ['id'],
    );
    const email = `/rest/ciudadanos/authenticators/email/${mail.id}`;
    const proof = { code: await readMailedCode() };
    await callOperation('POST /rest/ciudadanos/authenticators/email/{id}/verify/', {
      path: `${email}/verify/`,
      body: proof,
    });
    const status = await callOperation('GET /rest/ciudadanos/{id}/mfa_status/', {}, [
      ...['methods.totp.id', 'methods.totp.secret', 'methods.totp.url', 'methods.email.id'],
    ]);
    expect(status.estado.activado).toBe(true);
    await callOperation('POST /rest/ciudadanos/{id}/verify_password/', { body: { pwd: kept['password'] } });
    await callOperation('DELETE /rest/ciudadanos/authenticators/totp/{id}/', { path: `${app}/` });
    const other = openBrowser(server.origin);
    const { token } = await (
      await other.post('/auth/login', challenge('username', { username: '45123784' }, null))
    ).json();
    const waiting = await (
      await other.post('/auth/login', challenge('urn:iduruguay:am:password', { password: kept['password'] }, token))
    ).json();
    expect(waiting).toMatchObject({ challenge: 'urn:iduruguay:am:recoverycode', token, email: expect.any(String) });
    const wrongCode = await other.post('/auth/login', challenge('recoverycode', { recoverycode: 'AAAAAA' }, token));
    expect(await wrongCode.json()).toMatchObject({ field: 'recoverycode' });
    const cookie = [...other.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
    await callOperation('POST /account/resend-recovery-code-email/', { body: { token }, by: { cookie } });
    await callOperation('DELETE /rest/ciudadanos/authenticators/email/{id}/', { path: `${email}/` });
  });

  test('gives consent, lists the application and revokes the consent', async () => {
    const secret = await server.register({ id: 'app', name: 'Trámites', redirectUris: [callback] });
    const request = await beginFlow(await configureRelyingParty(server.origin, 'app', secret), {
      scope: 'openid document',
    });
    const page = new URL(await followRedirects(ana, request.url.href, server.origin));
    const next = page.searchParams.get('next') ?? '';
    const client = `/rest/clients/app/?scopes=openid+document&next=${next}`;
    await callOperation('GET /rest/clients/{id}/', { path: client }, requiredFields.consentClient);
    const payload = { client_id: 'app', next, allow: true, es_extranjero: false, rid_alto_sin_2do_factor: false };
    const given = await ana.post('/oidc/v1/consent', payload, bearer);
    const { location } = await given.json();
    expect([given.status, location]).toEqual([200, expect.any(String)]);
    await followRedirects(ana, location, server.origin);
    made.add('POST consent');
    const [application] = await callOperation('GET /rest/aplicaciones/', {}, requiredFields.applications);
    await callOperation('DELETE /rest/aplicaciones/{id}/', { path: `/rest/aplicaciones/${application.id}/` });
    expect(await callOperation('GET /rest/aplicaciones/')).toEqual([]);
  });

  test('changes the mail address with a mailed link, and accepts an elevation', async () => {
    const change = { email: 'ana.nueva@example.com', second_factor_flow: false };
    await callOperation('POST /rest/ciudadanos/{id}/update_email/', { body: change }, ['uuid']);
    const uuid = await waitForMailedLink('/seguridad/correo-electronico/modificar/aprobar', 'uuid');
    await callOperation('POST /account/approve_email_change/', { body: { uuid }, by: nobody });
    await ana.signIn({ password: kept['password'] ?? '' }); // signs in again, because the change of the e-mail address has ended all sessions
    bearer = { authorization: `Bearer ${await ana.bearer()}` };
    const { db } = server.parts.store;
    await db
      .updateTable('video_calls')
      .set({ state: 'Pendiente usuario' })
      .where('id', '=', kept['call'] ?? '')
      .execute(); // simulates the approval by an agent
    await callOperation('POST /rest/ciudadanos/elevarse_a_intermedio_con_videollamada/');
    expect((await callOperation('GET /rest/ciudadanos/{id}/')).nivel).toBe('CERTIFICADO');
    expect(await callOperation('GET /rest/aplicaciones/', { status: 403 })).toMatchObject({
      next: '/configurar-segundo-factor',
    });
  });

  test('completes a registration that was started at a counter', async () => {
    const browser = openBrowser(server.origin);
    await browser.signIn({ document: '29458715', password: 'playa-de-invierno' });
    const token = await browser.bearer();
    const { cid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const by = { authorization: `Bearer ${token}` };
    const names = { primer_nombre: 'Carlos', primer_apellido: 'González', pais_emisor: 'uy', tipo_documento: 'ci' };
    const mail = { numero_documento: '29458715', email: 'carlos@example.com', repetir_email: 'carlos@example.com' };
    const secret = { password: 'bruma-sobre-el-puerto', repetir_password: 'bruma-sobre-el-puerto', terminos: true };
    const proof = { path: `/rest/ciudadanos/${cid}/verify_password/`, body: { pwd: 'playa-de-invierno' }, by };
    await callOperation('POST /rest/ciudadanos/{id}/verify_password/', proof);
    const body = { ...names, ...mail, ...secret, captcha_response: await captcha() };
    await callOperation(
      'POST /rest/ciudadanos/{id}/create_inside/',
      { path: `/rest/ciudadanos/${cid}/create_inside/`, body, by },
      ['email'],
    );
  });

  test('reads the record of a foreign user at the address for foreign providers', async () => {
    const { store, config, tokens } = server.parts;
    const now = new Date();
    const secret = await store.transaction(async (tx) => {
      const names = { firstName: 'João', secondName: '', firstSurname: 'Lima', secondSurname: '' };
      const document = { country: 'br', type: 'cpf', number: '12345678909' };
      const arrived = {
        provider: 'br',
        issuer: 'https://br.example',
        subject: 'x',
        nid: 1,
        signedInAt: null,
        document,
        person: names,
      };
      const citizenId = await saveForeignCitizen(tx, arrived, now);
      const life = { now, lifeS: config.sessionLifeS, idleS: 600, device: { userAgent: '', address: '' } };
      return (await startSession(tx, { citizenId, amr: ['x'], nid: 1, role: 'citizen', idp: 'br', ...life })).secret;
    });
    const session = await findLiveSessionOfCookie(store.db, secret, now);
    if (session === null) throw new Error('there is no session');
    const by = { authorization: `Bearer ${await tokens.issueToken(session)}` };
    const path = `/federated-identity/obtener-mis-datos-idp/${session.citizenId}/`;
    await callOperation('GET /federated-identity/obtener-mis-datos-idp/{id}/', { path, by }, user);
  });

  test('ends a session that a SAML service provider takes part in', async () => {
    const browser = openBrowser(server.origin);
    await browser.signIn({ document: '50234162', password: 'otra-lluvia-de-abril' });
    const provider = await registerProvider(server, { logout: 'redirect' });
    await requestSamlSignIn(provider, browser, server.origin);
    const { location, ...state } = await (await browser.post('/auth/logout', {})).json();
    expect(pathsOf(state)).toEqual(expect.arrayContaining(['logout_urls', 'wait_longer']));
    const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
    const query = new URL(location, server.origin).search;
    const shape = requiredFields.samlLogout;
    const slo = '/v1.1/idp/profile/SAML2/slo-response';
    await callOperation(`GET ${slo}`, { path: slo + query, by: { cookie } }, shape);
    const last = await callOperation(`GET ${slo}`, { path: `${slo}${query}&status=finish`, by: { cookie } }, shape);
    expect(last.logout_redirect).toContain('process_state=');
    const forced = '/v1.1/idp/profile/SAML2/logout-requests-force-auth';
    const begun = new URL(String(await requestSamlSignIn(provider, openBrowser(server.origin), server.origin)));
    await callOperation(`GET ${forced}`, { path: forced + begun.search, by: nobody }, shape);
    const out = await fetch(`${server.origin}/auth/logout?redirect_uri=%2F&state=x`, { redirect: 'manual' });
    expect(out.status).toBe(200);
    made.add('GET /auth/logout');
  });
});

/**
 * Operations in sections 7.1 and 7.2 of the specification. An entry without a path is identified by its description.
 */
const specified = [
  'GET /rest/ciudadanos/{id}/',
  'GET /federated-identity/obtener-mis-datos-idp/{id}/',
  'GET /rest/ciudadanos/{id}/email_por_validar/',
  'GET /rest/ciudadanos/{id}/email/',
  'POST /rest/ciudadanos/{id}/create_inside/',
  'POST /rest/ciudadanos/{id}/verify_password/',
  'POST /rest/ciudadanos/{id}/update_password/',
  'POST /rest/ciudadanos/{id}/update_numero_telefono/',
  'POST /rest/ciudadanos/{id}/update_email/',
  'POST /rest/ciudadanos/{id}/resend_activation/',
  'POST /account/approve_email_change/',
  'GET /rest/ciudadanos/{id}/obtener_acciones/',
  'GET /rest/ciudadanos/{id}/mfa_status/',
  'POST /rest/ciudadanos/authenticators/totp/',
  'POST /rest/ciudadanos/authenticators/totp/{id}/verify/',
  'DELETE /rest/ciudadanos/authenticators/totp/{id}/',
  'POST /rest/ciudadanos/authenticators/email/email_activate/',
  'POST /rest/ciudadanos/authenticators/email/{id}/verify/',
  'DELETE /rest/ciudadanos/authenticators/email/{id}/',
  'POST /rest/ciudadanos/elevarse_a_intermedio_con_videollamada/',
  'GET /rest/aplicaciones/',
  'DELETE /rest/aplicaciones/{id}/',
  'GET /rest/clients/{id}/',
  'POST consent',
  'GET /rest/idps/',
  'GET /rest/paginas-estaticas/{id}/',
  'GET /rest/faqs/',
  'GET /rest/paises/',
  'POST /rest/feedback-form/',
  'GET /rest/contacto/asuntos/',
  'POST /contacto/enviar/',
  'POST /account/activate_account/',
  'POST /account/resend_activation/',
  'POST /account/reset-password/',
  'POST /account/reset-password/confirm',
  'POST /account/resend-recovery-code-email/',
  'POST login URL',
  'GET /rest/info-dnic/',
  'GET /rest/configuracion-turno/lista-fechas-configuradas/',
  'GET /rest/configuracion-turno-consulta/lista-fechas-configuradas/',
  'GET /rest/disponibilidad/',
  'GET /rest/disponibilidad-consulta/',
  'POST /rest/tramite-videollamada/',
  'DELETE /rest/tramite-videollamada/{id}/',
  'POST /rest/videollamada-soporte/{id}/confirmar',
  'POST /rest/videollamada-soporte/{id}/cancelar-tramite-con-uuid/',
  'GET /rest/videollamada-soporte/{id}',
  'GET /acceso/dss/request',
  'GET /saml-login-{product}',
  'GET /saml-logout-{product}',
  'GET /auth/logout',
  'POST /jwt/refresh/',
  'GET /jwt/obtain/',
  'GET /v1.1/idp/profile/SAML2/slo-response',
  'GET /v1.1/idp/profile/SAML2/logout-requests-force-auth',
] as const;

describe('[CFG-03] operations of the specification', () => {
  test('are all called by the tests of this file', () =>
    expect(specified.filter((line) => !made.has(line))).toEqual([]));

  const known = operationNames
    .map((name): ApiOperation => apiContract[name])
    .map(({ method, path }) => `${method} ${path}`);
  const unnamed = (line: string) => line.replace(/\{\w+\}|:\w+/g, ':');
  test.each(specified.filter((line) => line.includes('/') && line !== 'GET /auth/logout'))(
    '%s is in the contract',
    (line) => expect(known.map(unnamed)).toContain(unnamed(line)),
  );
});

describe('[CFG-03] /openapi.json', () => {
  const read = async () => {
    const { components, paths } = await (await fetch(`${server.origin}/openapi.json`)).json();
    return { schemas: components.schemas, paths };
  };

  test('lists the challenges of a sign-in and describes how to solve the captcha', async () => {
    const { schemas, paths } = await read();
    expect(schemas['body.signIn'].properties.challenge.enum).toEqual(
      expect.arrayContaining([null, 'username', 'password', 'totp', 'recoverycode', 'institutional_email']),
    );
    expect(schemas['answer.signIn'].properties.challenge.enum).toEqual(
      expect.arrayContaining([null, 'username', 'urn:iduruguay:am:totp', 'needs_second_factor']),
    );
    expect(paths['/rest/captcha/'].get['summary']).toMatch(/altcha/i);
    expect(schemas['screen.contacto'].properties.captcha_response.description).toMatch(/altcha.*\/rest\/captcha\//i);
  });

  test('has no duplicate fields and no fields that a screen only displays', async () => {
    const { schemas } = await read();
    const objects: { path: string; schema: { required?: string[]; properties?: object } }[] = [];
    const look = (value: unknown, path: string): void => {
      if (Array.isArray(value)) value.forEach((one, at) => look(one, `${path}/${at}`));
      if (!isObject(value)) return;
      if (isObject(value['properties'])) objects.push({ path, schema: value });
      for (const [name, inner] of Object.entries(value)) look(inner, `${path}/${name}`);
    };
    look(schemas, '');
    const plain = (name: string) => name.replaceAll('_', '').toLowerCase();
    for (const { path, schema } of objects) {
      const { required = [], properties = {} } = schema;
      const names = Object.keys(properties);
      expect(new Set(required).size, `${path} required`).toBe(required.length);
      expect(new Set(names.map(plain)).size, `${path}: ${names.join(' ')}`).toBe(names.length);
      expect(
        names.filter((name) => name.startsWith('perfil_')),
        path,
      ).toEqual([]);
    }
    expect(objects.length).toBeGreaterThan(50);
  });
});

test('[SES-10] broker pages have the addresses of the specification', () => {
  expect(identityBrokerPaths).toMatchObject({
    login: '/auth/login',
    cardLogin: '/auth/login-con-ci',
    logout: '/auth/logout',
    consent: '/oidc/v1/consent',
  });
});
