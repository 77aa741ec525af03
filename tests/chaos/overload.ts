import { setTimeout as sleep } from 'node:timers/promises';
import { computePercentile } from '../bench/statistics.ts';
import { openBrowser } from '../server/support/browser.ts';
import type { ResponseLog } from './response-log.ts';
import { createRecordingFetch } from './recording-fetch.ts';

/** Outcome of a sign-in. `shed` is a 503 with Retry-After. */
type Outcome = 'served' | 'shed' | `failed: ${string}`;

/** Numbers of concurrent sign-ins at which the capacity is measured. */
const parallel = [4, 8, 16];
const seekingS = 4;
const overloadS = 15;

/** Result of sending twice as many sign-ins as the cluster can serve. */
export interface OverloadResult {
  /** Maximum rate of successful sign-ins per second without overload. */
  readonly capacity: number;
  readonly came: number;
  readonly served: number;
  readonly shed: number;
  /** Errors of the sign-ins that were neither served nor shed. */
  readonly failed: readonly string[];
  /** Successful sign-ins per second. */
  readonly rate: number;
  /** 99th percentile of the response times of successful sign-ins, in milliseconds. */
  readonly p99: number;
}

/**
 * Measures the capacity of the cluster for sign-ins by password. Then sends twice as many sign-ins without waiting for
 * responses. Adds each request to the response log.
 */
export async function overloadCluster(url: string, book: ResponseLog): Promise<OverloadResult> {
  let serial = 0;
  const next = (): Promise<Outcome> => signIn({ url, book }, (serial += 1));
  let capacity = 0;
  for (const lanes of parallel) capacity = Math.max(capacity, await measureSignIns(lanes, next));
  const outcomes: Outcome[] = [];
  const took: number[] = [];
  const running: Promise<void>[] = [];
  const began = performance.now();
  const wanted = () => ((performance.now() - began) / 1_000) * capacity * 2;
  while (performance.now() - began < overloadS * 1_000) {
    for (; running.length < wanted();) {
      const from = performance.now();
      running.push(
        next().then((outcome) => {
          outcomes.push(outcome);
          if (outcome === 'served') took.push(performance.now() - from);
        }),
      );
    }
    await sleep(10);
  }
  await Promise.all(running);
  const seconds = (performance.now() - began) / 1_000;
  const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
  const served = count('served');
  return {
    capacity,
    came: running.length,
    served,
    shed: count('shed'),
    failed: outcomes.filter((one) => one !== 'served' && one !== 'shed'),
    rate: served / seconds,
    p99: computePercentile(took, 0.99),
  };
}

/** Measures successful sign-ins per second of `lanes` sequential clients. */
async function measureSignIns(lanes: number, next: () => Promise<Outcome>): Promise<number> {
  let served = 0;
  const end = Date.now() + seekingS * 1_000;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (Date.now() < end) if ((await next()) === 'served') served += 1;
    }),
  );
  return served / seekingS;
}

/**
 * Sends both steps of a sign-in without an account. Its password costs as much to verify as that of an account. Each
 * sign-in has a different client address.
 */
async function signIn({ url, book }: { url: string; book: ResponseLog }, serial: number): Promise<Outcome> {
  const address = `10.${128 + ((serial >> 16) & 63)}.${(serial >> 8) & 255}.${serial & 255}`;
  const browser = openBrowser(url, createRecordingFetch(book, address));
  const answer = async (body: object, code: number): Promise<{ outcome: Outcome; body: Record<string, unknown> }> => {
    const response = await browser.post('/auth/login', body);
    const said = (await response.json()) as Record<string, unknown>;
    if (response.status === 503 && response.headers.has('retry-after')) return { outcome: 'shed', body: said };
    return {
      outcome: response.status === code ? 'served' : `failed: ${response.status} ${String(said['code'])}`,
      body: said,
    };
  };
  try {
    const person = { username: `S${serial}`, pais_emisor: 'ar', tipo_documento: 'psp' };
    const first = await answer({ challenge: 'username', data_challenge: person, extra: null, token: null }, 200);
    if (first.outcome !== 'served') return first.outcome;
    const { challenge, token } = first.body;
    const typed = { challenge, data_challenge: { password: 'una-frase-cualquiera' }, extra: null, token };
    return (await answer(typed, 400)).outcome; // expects 400, because this password is always wrong
  } catch (error) {
    return `failed: ${String(error)}`;
  }
}
