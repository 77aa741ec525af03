import { setTimeout as sleep } from 'node:timers/promises';
import type * as client from 'openid-client';
import { computeCheckDigit } from '../../plugins/document-number/check-digit.ts';
import { redirectOnlyPagePaths } from '../../src/contract/page-paths.ts';
import { openBrowser } from '../server/support/browser.ts';
import { beginFlow, callback, followRedirects } from '../server/support/relying-party.ts';
import { createRetry, NoResponseError, readReply, solveCaptcha } from './retry-requests.ts';
import type { CitizenAction, ResponseLog } from './response-log.ts';
import type { Mailbox } from './mailbox.ts';
import { createRecordingFetch } from './recording-fetch.ts';

/** Environment of simulated citizens. */
export interface SimulationContext {
  readonly url: string;
  readonly book: ResponseLog;
  readonly mailbox: Mailbox;
  readonly application: client.Configuration;
  /** Generator of pseudo-random numbers from 0 to 1. */
  readonly random: () => number;
  /** Whether citizens may begin another action. */
  readonly going: () => boolean;
}

const mailMs = 20_000;

/** Simulates a citizen from registration to logout. Failed requests are retried a few times, and then abandoned. */
export async function simulateCitizen(world: SimulationContext, serial: number): Promise<void> {
  const citizen = createCitizen(world, serial);
  if (!(await citizen.register()) || !(await citizen.activate()) || !(await citizen.signIn())) return;
  const wishes = [citizen.changePassword, citizen.changeEmail, citizen.bookCall, citizen.consent];
  while (wishes.length > 0 && world.going()) {
    const [wish] = wishes.splice(Math.floor(world.random() * wishes.length), 1);
    await citizen.read();
    await wish?.();
    await sleep(200 + world.random() * 600);
  }
  await citizen.logOut();
}

function createCitizen({ url, book, mailbox, application, random }: SimulationContext, serial: number) {
  const address = `10.${(serial >> 16) & 255}.${(serial >> 8) & 255}.${serial & 255}`;
  const browser = openBrowser(url, createRecordingFetch(book, address));
  const national = serial % 2 === 0;
  const email = `c${serial}@example.com`;
  const person = book.person({
    country: national ? 'uy' : 'ar',
    type: national ? 'ci' : 'psp',
    number: national ? buildNationalNumber(4_000_000 + serial) : `C${100_000 + serial}`,
    emails: [email],
    passwords: ['una-frase-bastante-larga'],
  });
  const document = { pais_emisor: person.country, tipo_documento: person.type };

  const bearer = async (): Promise<Record<string, string>> => {
    const { status, body } = await readReply(browser.get('/jwt/obtain/'));
    if (status === 401) book.find('lost', `the session of ${person.number}`);
    if (status !== 200) throw new NoResponseError(status);
    const token = String(body['token']);
    person.id ??= subjectOf(token);
    if (subjectOf(token) !== person.id) book.find('crossed', `${person.number} got the token of ${subjectOf(token)}`);
    return { authorization: `Bearer ${token}` };
  };
  const own = (path: string) => `/rest/ciudadanos/${person.id ?? ''}/${path}`;

  const attempt = createRetry(book, random);
  let registration: CitizenAction | null = null;

  return {
    async register() {
      registration = book.act(person, 'register', { once: false });
      return attempt(registration, async () =>
        readReply(
          browser.post('/rest/ciudadanos/', {
            primer_nombre: 'Ana',
            segundo_nombre: '',
            primer_apellido: 'Sosa',
            segundo_apellido: '',
            ...document,
            numero_documento: person.number,
            email,
            repetir_email: email,
            numero_telefono: '+59899123456',
            password: person.passwords[0],
            repetir_password: person.passwords[0],
            terminos: true,
            captcha_response: await solveCaptcha(browser),
          }),
        ),
      );
    },

    async activate() {
      if ((await mailbox.secret(email, redirectOnlyPagePaths.activateAccount, mailMs)) === null) return null;
      const act = book.act(person, 'activate', { once: true });
      return attempt(act, async () => {
        const uuid = await mailbox.secret(email, redirectOnlyPagePaths.activateAccount, mailMs);
        const answer = await readReply(browser.post('/account/activate_account/', { uuid }));
        // If the response to a registration was lost, its retry has replaced the account, and the first mail contains
        // the old link.
        if (answer.status === 400 && (registration?.attempts ?? 1) > 1) throw new NoResponseError(0);
        return answer;
      });
    },

    async signIn() {
      const act = book.act(person, 'sign-in', { once: false });
      return attempt(act, async () => {
        const first = await readReply(
          browser.post('/auth/login', {
            challenge: 'username',
            data_challenge: national
              ? { username: person.number, pais_emisor: null, tipo_documento: null }
              : { username: person.number, ...document },
            extra: null,
            token: null,
          }),
        );
        if (first.status !== 200) return first;
        const second = await readReply(
          browser.post('/auth/login', {
            challenge: first.body['challenge'],
            data_challenge: { password: person.passwords[0] },
            extra: null,
            token: first.body['token'],
          }),
        );
        return second.body['code'] === 'sesion_expirada' ? { status: 503, body: {} } : second;
      });
    },

    /** Checks that the record belongs to the citizen, and contains the acknowledged changes. */
    async read() {
      try {
        const { status, body } = await readReply(browser.get(own(''), await bearer()));
        if (status !== 200) return;
        if (body['id'] !== person.id || body['numero_documento'] !== person.number)
          book.find('crossed', `${person.number} reads the record of ${String(body['numero_documento'])}`);
      } catch {
        // the response log contains the failure
      }
    },

    async changePassword() {
      const [before = ''] = person.passwords;
      const next = `otra-frase-bastante-larga-${Math.floor(random() * 1e6)}`;
      const act = book.act(person, 'change-password', { once: true });
      person.passwords = [before, next];
      const answer = await attempt(
        act,
        async () => {
          const proof = await readReply(browser.post(own('verify_password/'), { pwd: before }, await bearer()));
          // tries the new password, because an attempt without a response may have changed it
          if (proof.status !== 200 && act.attempts > 1)
            await browser.post(own('verify_password/'), { pwd: next }, await bearer());
          else if (proof.status !== 200) return proof;
          return readReply(
            browser.post(own('update_password/'), { new_pass: next, repeat_pass: next }, await bearer()),
          );
        },
        'contrasena_repetida',
      );
      if (answer !== null) person.passwords = [next];
    },

    async changeEmail() {
      const next = `n${serial}@example.com`;
      const asked = book.act(person, 'email-change-requested', { once: false });
      const [password] = person.passwords;
      const answer = await attempt(asked, async () => {
        const proof = await readReply(browser.post(own('verify_password/'), { pwd: password }, await bearer()));
        if (proof.status !== 200) return proof;
        return readReply(
          browser.post(own('update_email/'), { email: next, second_factor_flow: false }, await bearer()),
        );
      });
      if (answer === null) return;
      const uuid = await mailbox.secret(next, redirectOnlyPagePaths.approveEmail, mailMs);
      if (uuid === null || asked.attempts > 1) return; // gives up after several requests, because only the latest link is valid and mails arrive in any order
      const act = book.act(person, 'change-email', { once: true });
      person.emails = [email, next];
      if (
        (await attempt(act, async () =>
          readReply(browser.post('/account/approve_email_change/', { uuid }, await bearer())),
        )) !== null
      )
        person.emails = [next];
    },

    async bookCall() {
      const act = book.act(person, 'support-call-book', { once: true });
      await attempt(
        act,
        async () => {
          const dates = await readReply(browser.get('/rest/configuracion-turno-consulta/lista-fechas-configuradas/'));
          if (dates.status !== 200) return dates;
          const days = dates.body as unknown as readonly { fecha: string }[];
          const hour = `${pad(Math.floor(random() * 23))}:${pad(Math.floor(random() * 12) * 5)}:00`;
          return readReply(
            browser.post(
              '/rest/videollamada-soporte/',
              {
                nombre_completo: 'Ana Sosa',
                ...document,
                numero_documento: person.number,
                correo_electronico: email,
                numero_telefono: '+59899123456',
                asunto: 'otro',
                mensaje: 'Hola',
                fecha: days[Math.floor(random() * days.length)]?.fecha,
                hora: hour,
              },
              await bearer(),
            ),
          );
        },
        'usuario_con_videollamada',
      );
    },

    async consent() {
      const act = book.act(person, 'consent-given', { once: false });
      await attempt(act, async () => {
        const { url: request } = await beginFlow(application);
        const page = await followRedirects(browser, request.href, url);
        if (page.startsWith(callback)) return { status: 200, body: {} }; // skips the consent page, because the citizen has already consented
        const { pathname, searchParams } = new URL(page.split(' ')[0] ?? '', url);
        if (pathname !== '/autorizacion') return { status: 503, body: { page } };
        return readReply(
          browser.post(
            '/oidc/v1/consent',
            {
              client_id: searchParams.get('client_id'),
              next: searchParams.get('next'),
              allow: true,
              es_extranjero: false,
              rid_alto_sin_2do_factor: false,
            },
            await bearer(),
          ),
        );
      });
    },

    async logOut() {
      const act = book.act(person, 'logout', { once: true });
      const cookies = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
      if ((await attempt(act, () => readReply(browser.post('/auth/logout', {})))) === null) return;
      const after = await readReply(
        openBrowser(url, createRecordingFetch(book, address)).get('/jwt/obtain/', { cookie: cookies }),
      ).catch(() => null);
      if (after?.status === 200) book.find('lost', `the logout of ${person.number}`);
    },
  };
}

function subjectOf(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { cid: string };
  return claims.cid;
}

/** Returns a valid number of a Uruguayan card. */
function buildNationalNumber(number: number): string {
  return `${number}${computeCheckDigit(String(number))}`;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
