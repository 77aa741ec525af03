import { performance } from 'node:perf_hooks';
import { getSupportDates } from '../../src/server/features/agenda/index.ts';
import { createHandlers } from '../../src/server/app/create-services.ts';
import type { Parts } from '../../src/server/features/parts.ts';
import { laterDate } from '../../src/contract/written/dates.ts';
import { withoutLimits } from '../server/support/account.ts';
import { testOrigin } from '../server/support/origin.ts';
import { openTestServer } from '../server/support/test-server.ts';
import type { ServerFigures } from './load.ts';
import { percentile } from './median.ts';

const seconds = 8;
/** How many book at once. */
export const citizens = 50;

/** Places for as many as want one. */
export const freeAgenda = { SUPPORT_HOURS: 'mon-sun 00:00-23:55 x99', SUPPORT_CALL_MIN: '5' };

/** How many support calls are booked a second, by citizens who come at once: each at a time of their own choice, and all at the same times. */
export async function measureBookings(): Promise<readonly ServerFigures[]> {
  const server = await openTestServer({ database: 'postgresql', env: freeAgenda });
  try {
    const { apart, together } = await bookers(server.parts);
    return [
      { work: `bookings, ${citizens} at once, each at a time of its own`, ...(await rate(apart)) },
      { work: `the same, all at four times of one day`, ...(await rate(together)) },
    ];
  } finally {
    await server.close();
  }
}

/** One booking of one of the citizens. */
type Book = (worker: number, turn: number) => Promise<void>;

/** Bookings on a server, without captcha and limits: each at a time of its own, or all at a few times. */
export async function bookers(parts: Parts): Promise<{ readonly apart: Book; readonly together: Book }> {
  const { bookSupportCall } = createHandlers({
    ...withoutLimits(parts),
    captcha: { ...parts.captcha, verify: async () => {} },
  });
  const request = { params: {}, query: {}, caller: null, cookies: {}, origin: testOrigin() };
  const dates = (await getSupportDates(parts, { ...request, body: {} })).body.map(({ fecha }) => fecha);
  let count = 0;
  const book = async (fecha: string, hora: string): Promise<void> => {
    count += 1;
    await bookSupportCall({
      ...request,
      origin: testOrigin({ address: `10.${(count >> 16) % 256}.${(count >> 8) % 256}.${count % 256}` }), // one network holds few reservations
      body: {
        nombre_completo: 'Bench',
        pais_emisor: 'ar',
        tipo_documento: 'psp',
        numero_documento: `B${count}`,
        correo_electronico: `b${count}@example.com`,
        numero_telefono: '',
        asunto: 'otro',
        mensaje: 'x',
        fecha,
        hora,
        captcha_response: '',
      },
    });
  };
  const time = (slot: number) => `${pad(Math.floor(slot / 12) % 23)}:${pad((slot % 12) * 5)}:00`;
  return {
    apart: (worker, turn) =>
      book(dates[(worker + turn) % dates.length] ?? laterDate('2026-01-01', {}), time(worker * 5 + turn)),
    together: (worker, turn) => book(dates[0] ?? '', time(200 + ((worker + turn) % 4))),
  };
}

/** Has all citizens book for a while, or for as long as something else takes; what is refused does not count. */
export async function rate(work: Book, other?: Promise<unknown>): Promise<Omit<ServerFigures, 'work'>> {
  const began = performance.now();
  let over = false;
  const time = new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  void (other ?? time).finally(() => (over = true));
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: citizens }, async (_, worker) => {
      for (let turn = 0; !over; turn += 1) {
        const from = performance.now();
        const done = await work(worker, turn).then(
          () => true,
          () => false,
        );
        if (done) times.push(performance.now() - from);
      }
    }),
  );
  return {
    perSecond: Math.round(times.length / ((performance.now() - began) / 1000)),
    median: Math.round(percentile(times, 0.5)),
    p99: Math.round(percentile(times, 0.99)),
  };
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
