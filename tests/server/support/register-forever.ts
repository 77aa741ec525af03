import { writeSync } from 'node:fs';
import { testOrigin } from './origin.ts';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { pino } from 'pino';
import { systemClock } from '../../../src/server/base/clock.ts';
import { readConfig } from '../../../src/server/config/config.ts';
import { handlersOf } from '../../../src/server/app/handlers.ts';
import { openParts } from '../../../src/server/app/open-parts.ts';
import { fakeDefinitions } from './fake-definitions.ts';

/** Registers citizens in eight lanes until it is killed; writes each document's number after its answer. */
const definitions = fakeDefinitions();
const parts = await openParts({
  config: readConfig(process.env),
  clock: systemClock,
  log: pino({ level: 'silent' }),
  definitions: () => definitions,
  content: () => ({}),
});
const { registerCitizen } = handlersOf(parts);
await Promise.all(Array.from({ length: 8 }, (_, lane) => registerForever(lane)));

async function registerForever(lane: number): Promise<never> {
  for (let count = 0; ; count++) {
    const number = `K${lane}N${count}`;
    const challenge = await parts.captcha.challenge();
    const captcha = Buffer.from(
      JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) }),
    ).toString('base64');
    await registerCitizen({
      params: {},
      query: {},
      caller: null,
      cookies: {},
      origin: testOrigin({ address: `192.0.2.${lane}-${count}` }),
      body: {
        primer_nombre: 'Ana',
        primer_apellido: 'Sosa',
        pais_emisor: 'ar',
        tipo_documento: 'psp',
        numero_documento: number,
        email: `${number}@example.com`,
        password: 'una-frase-larga',
        captcha_response: captcha,
      },
    });
    writeSync(1, `${number}\n`);
  }
}
