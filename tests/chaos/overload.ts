import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../bench/median.ts';
import { openBrowser } from '../server/support/browser.ts';
import type { Book } from './book.ts';
import { watchedFetch } from './watched-fetch.ts';

/** What became of a sign-in: `shed` is a 503 that says when to come again. */
type Outcome = 'served' | 'shed' | `failed: ${string}`;

/** Numbers of concurrent sign-ins to try when measuring capacity. */
const parallel = [4, 8, 16];
const seekingS = 4;
const overloadS = 15;

/** What a cluster did while twice as many sign-ins came as it carries. */
export interface Overload {
  /** Sign-ins a second that were served at most, without overload. */
  readonly capacity: number;
  readonly came: number;
  readonly served: number;
  readonly shed: number;
  /** What happened to those that were neither served nor shed. */
  readonly failed: readonly string[];
  /** Served a second. */
  readonly rate: number;
  /** Milliseconds that served ones took, 99 of 100. */
  readonly p99: number;
}

/** Finds what a cluster carries of sign-ins by password, then has twice as many come, whether or not those before are answered; the book has each request. */
export async function overload(url: string, book: Book): Promise<Overload> {
  let serial = 0;
  const next = (): Promise<Outcome> => signIn({ url, book }, (serial += 1));
  let capacity = 0;
  for (const lanes of parallel) capacity = Math.max(capacity, await servedBy(lanes, next));
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
    p99: percentile(took, 0.99),
  };
}

/** Sign-ins a second that some lanes have served, each beginning one when its last is answered. */
async function servedBy(lanes: number, next: () => Promise<Outcome>): Promise<number> {
  let served = 0;
  const end = Date.now() + seekingS * 1_000;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (Date.now() < end) if ((await next()) === 'served') served += 1;
    }),
  );
  return served / seekingS;
}

/** Both steps of the sign-in of somebody who has no account, whose password costs as much as any. Each comes from an address of its own. */
async function signIn({ url, book }: { url: string; book: Book }, serial: number): Promise<Outcome> {
  const address = `10.${128 + ((serial >> 16) & 63)}.${(serial >> 8) & 255}.${serial & 255}`;
  const browser = openBrowser(url, watchedFetch(book, address));
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
    return (await answer(typed, 400)).outcome; // no password is right
  } catch (error) {
    return `failed: ${String(error)}`;
  }
}
