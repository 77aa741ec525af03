import { bindGuardedHandlers } from './test-server.ts';
import { createNoThrottle } from './no-throttle.ts';
import { writeSync } from 'node:fs';
import { createOrigin } from './origin.ts';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { pino } from 'pino';
import { systemClock } from '../../../src/server/platform/base/clock.ts';
import { readConfig } from '../../../src/server/platform/config/read-config.ts';
import { getSupportDates } from '../../../src/server/features/agenda/index.ts';
import { createHandlerContext } from '../../../src/server/app/create-handler-context.ts';
import { cheapHashes } from './cheap-hashes.ts';
import { createFakeDefinitions } from './fake-definitions.ts';

/**
 * Definitions of the worker. The worker registers citizens in six concurrent loops and books support calls in two,
 * until the process is killed. It prints the number of each document once the request has succeeded.
 */
const definitions = createFakeDefinitions();
const parts = await createHandlerContext({
  config: readConfig(process.env),
  passwordCost: cheapHashes,
  clock: systemClock,
  log: pino({ level: 'silent' }),
  definitions: () => definitions,
  content: () => ({}),
});
const { registerCitizen, bookSupportCall } = bindGuardedHandlers({
  ...parts,
  throttle: createNoThrottle(parts.store),
});
const request = { params: {}, query: {}, caller: null, cookies: {} };
const dates = (await getSupportDates(parts, { ...request, origin: createOrigin(), body: {} })).map(
  ({ fecha }) => fecha,
);
await Promise.all(Array.from({ length: 8 }, (_, lane) => workForever(lane, lane < 6 ? register : book)));

async function workForever(lane: number, work: (number: string, count: number) => Promise<void>): Promise<never> {
  for (let count = 0; ; count++) {
    const number = `${lane < 6 ? 'K' : 'B'}${lane}N${count}`;
    await work(number, count);
    writeSync(1, `${number}\n`);
  }
}

async function register(number: string): Promise<void> {
  await registerCitizen({
    ...request,
    origin: createOrigin(),
    body: {
      primer_nombre: 'Ana',
      primer_apellido: 'Sosa',
      pais_emisor: 'ar',
      tipo_documento: 'psp',
      numero_documento: number,
      email: `${number}@example.com`,
      password: 'una-frase-larga',
      captcha_response: await solveCaptcha(),
    },
  });
}

async function book(number: string, count: number): Promise<void> {
  await bookSupportCall({
    ...request,
    origin: createOrigin({ address: `10.0.${(count >> 8) % 256}.${count % 256}` }), // a different network address each time, because the reservations of one network are limited
    body: {
      nombre_completo: 'Ana Sosa',
      pais_emisor: 'ar',
      tipo_documento: 'psp',
      numero_documento: number,
      correo_electronico: `${number}@example.com`,
      asunto: 'otro',
      mensaje: 'Hola',
      fecha: dates[count % dates.length] ?? '',
      hora: '09:00:00',
      captcha_response: await solveCaptcha(),
    },
  });
}

async function solveCaptcha(): Promise<string> {
  const challenge = await parts.captcha.challenge();
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}
