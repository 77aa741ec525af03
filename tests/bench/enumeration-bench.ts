import { activateByHttp, requestCaptchaSolution, post as send, registerByHttp } from '../e2e/support/accounts.ts';
import { startPortal, type Portal } from '../e2e/support/portal.ts';
import type { Person } from '../e2e/support/registration.ts';
import type { TableRow } from './markdown-table.ts';
import { computeMedian, compareSamples } from './statistics.ts';

/**
 * Kind of request whose response may reveal whether a document has an account. `prepare` sends the preceding requests,
 * which are not measured.
 */
interface EnumerationRequest {
  readonly work: string;
  /**
   * State of the accounts that are compared with unknown documents. `waiting` means not yet activated: only these
   * accounts get a new activation mail.
   */
  readonly accounts: 'active' | 'waiting';
  readonly prepare: (person: Person) => Promise<() => Promise<Response>>;
}

const pairs = 120;
const warmUp = 20;
/** Number of documents. It is large enough that each document stays below the rate limits. */
const documents = 48;

/**
 * Compares response times of anonymous requests for documents with and without an account, in the order A B B A. Also
 * compares the response times of the next request, which work after the response could delay. Each request has a
 * different client address. An AUC near 0.5 means that the two kinds are indistinguishable.
 */
export async function measureEnumeration(): Promise<TableRow[]> {
  const portal = await startPortal({ TRUST_PROXY: 'loopback' });
  try {
    const accounts = { active: listSerialPeople('71'), waiting: listSerialPeople('72') };
    for (const person of [...accounts.active, ...accounts.waiting]) await registerByHttp(portal, person, nextAddress());
    for (const person of accounts.active) await activateByHttp(portal, person, nextAddress());
    const figures: TableRow[] = [];
    for (const question of listRequests(portal))
      figures.push(...(await compare(portal, question, accounts[question.accounts], listSerialPeople('73'))));
    return figures;
  } finally {
    await portal.stop();
  }
}

function listSerialPeople(prefix: string): readonly Person[] {
  return Array.from({ length: documents }, (_, index) => {
    const document = `${prefix}${String(100_000 + index)}`;
    return {
      firstName: 'Inés',
      surname: 'Quiroga',
      country: 'ar',
      type: 'dni',
      document,
      email: `persona.${document}@example.com`,
      password: 'cuatro-termos-de-agua',
    };
  });
}

function listRequests(portal: Portal): readonly EnumerationRequest[] {
  const form = async ({ document, country, type }: Person) => ({
    doc: document,
    pais_emisor: country,
    tipo_doc: type,
    captcha_response: await requestCaptchaSolution(portal),
  });
  return [
    { work: 'document', accounts: 'active', prepare: async (person) => () => startSignIn(portal, person) },
    {
      work: 'wrong password',
      accounts: 'active',
      async prepare(person) {
        const first = await startSignIn(portal, person);
        const { token } = (await first.json()) as { token: string };
        const cookie = first.headers
          .getSetCookie()
          .map((line) => line.split(';')[0])
          .join('; ');
        const body = {
          challenge: 'urn:iduruguay:am:password',
          data_challenge: { password: 'no-es-esta-clave' },
          extra: null,
          token,
        };
        return () => post(portal, '/auth/login', body, { cookie });
      },
    },
    {
      work: 'password reset',
      accounts: 'active',
      async prepare(person) {
        const body = await form(person);
        return () => post(portal, '/account/reset-password/', body);
      },
    },
    {
      work: 'activation mail again',
      accounts: 'waiting',
      async prepare(person) {
        const body = await form(person);
        return () => post(portal, '/account/resend_activation/', body);
      },
    },
  ];
}

async function compare(
  portal: Portal,
  { work, prepare }: EnumerationRequest,
  known: readonly Person[],
  unknown: readonly Person[],
): Promise<readonly TableRow[]> {
  const asked = { known: [] as number[], unknown: [] as number[] };
  const behind = { known: [] as number[], unknown: [] as number[] };
  const [stranger] = listSerialPeople('74') as [Person, ...Person[]]; // the cast is safe, because the function returns at least two people
  const sets = { known, unknown };
  for (let turn = 0; turn < 2 * (pairs + warmUp); turn += 1) {
    const kind = turn % 4 === 0 || turn % 4 === 3 ? 'known' : 'unknown';
    const ask = await prepare(sets[kind][Math.floor(turn / 2) % documents]!); // cannot be undefined, because the index is less than the length
    const delay = await measureMs(ask);
    const next = await measureMs(() => startSignIn(portal, stranger));
    if (turn < 2 * warmUp) continue;
    asked[kind].push(delay);
    behind[kind].push(next);
  }
  return [figuresOf(work, asked), figuresOf(`the call right behind: ${work}`, behind)];
}

function figuresOf(
  work: string,
  { known, unknown }: { known: readonly number[]; unknown: readonly number[] },
): TableRow {
  const medians = { 'known ms': computeMedian(known), 'unknown ms': computeMedian(unknown) };
  const { auc, p } = compareSamples(known, unknown);
  const ratio = medians['known ms'] / medians['unknown ms'];
  return { work, samples: known.length, ...medians, ratio, AUC: auc, p };
}

async function measureMs(ask: () => Promise<Response>): Promise<number> {
  const from = performance.now();
  const response = await ask();
  await response.arrayBuffer();
  const delay = performance.now() - from;
  if (response.status === 429 || response.status >= 500) throw new Error(`${response.url}: ${response.status}`);
  return delay;
}

function startSignIn(portal: Portal, { document, country, type }: Person): Promise<Response> {
  const data = { username: document, pais_emisor: country, tipo_documento: type };
  return post(portal, '/auth/login', { challenge: 'username', data_challenge: data, extra: null, token: null });
}

let addresses = 0;

function nextAddress(): Readonly<Record<string, string>> {
  const address = (addresses += 1);
  return { 'x-forwarded-for': `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}` };
}

function post(
  portal: Portal,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return send(portal, path, body, { ...nextAddress(), ...headers });
}
