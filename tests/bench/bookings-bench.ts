import { performance } from 'node:perf_hooks';
import { laterDate } from '../../src/server/base/zone.ts';
import { withoutLimits } from '../server/support/account.ts';
import { openTestServer } from '../server/support/test-server.ts';
import type { ServerFigures } from './load.ts';

const seconds = 8;
const citizens = 50;

/** How many support calls are booked a second, by citizens who come at once: each at a time of their own choice, and all at the same times. */
export async function measureBookings(): Promise<readonly ServerFigures[]> {
  const server = await openTestServer({
    database: 'postgresql',
    env: { SUPPORT_HOURS: 'mon-sun 00:00-23:55 x99', SUPPORT_CALL_MIN: '5' },
    parts: (parts) => ({ ...withoutLimits(parts), captcha: { ...parts.captcha, verify: async () => {} } }),
  });
  const { body } = await server.call('getSupportDates');
  const dates = body.map(({ fecha }) => fecha);
  let count = 0;
  const book = async (fecha: string, hora: string): Promise<void> => {
    count += 1;
    await server.call('bookSupportCall', {
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
  try {
    const apart = await rate((worker, turn) =>
      book(dates[(worker + turn) % dates.length] ?? laterDate('2026-01-01', {}), time(worker * 5 + turn)),
    );
    const together = await rate((worker, turn) => book(dates[0] ?? '', time(200 + ((worker + turn) % 4))));
    return [
      { work: `bookings, ${citizens} at once, each at a time of its own`, ...apart },
      { work: `the same, all at four times of one day`, ...together },
    ];
  } finally {
    await server.close();
  }
}

async function rate(work: (worker: number, turn: number) => Promise<void>): Promise<Omit<ServerFigures, 'work'>> {
  const began = performance.now();
  const end = began + seconds * 1000;
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: citizens }, async (_, worker) => {
      for (let turn = 0; performance.now() < end; turn += 1) {
        const from = performance.now();
        const done = await work(worker, turn).then(
          () => true,
          () => false,
        );
        if (done) times.push(performance.now() - from);
      }
    }),
  );
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
  return { perSecond: Math.round(times.length / ((performance.now() - began) / 1000)), median: at(0.5), p99: at(0.99) };
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
