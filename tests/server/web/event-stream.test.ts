import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { apiContract } from '../../../src/contract/contract.ts';
import type { Caller } from '../../../src/server/platform/base/operation-request.ts';
import type { BoundOperationHandler } from '../../../src/server/platform/base/operation-request.ts';
import { callers, startFakeServer } from '../support/fake-server.ts';

/** Heartbeat interval of an event stream, in milliseconds. */
const beat = 15_000;

/** Timeout for asynchronous events, ample for a busy machine. */
const soon = { timeout: 10_000 };

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Starts a server whose desk emits the test's events. The caller is an agent until the test changes it. */
async function startEventServer() {
  let caller: Caller | null = callers.attendant;
  let emit: (event: unknown) => void = () => undefined;
  let signal = new AbortController().signal;
  const { http, log } = await startFakeServer({
    authenticate: async () => caller,
    handlers: {
      watchDesk: async () => ({
        body: { numero: 0 },
        events: async (send, ended) => {
          emit = send;
          signal = ended;
          if (!ended.aborted) await once(ended, 'abort');
        },
      }),
    },
  });
  await http.listen({ port: 0, host: '127.0.0.1' });
  closers.push(() => http.close());
  const { port } = http.server.address() as AddressInfo; // `address()` returns an `AddressInfo` for a server that listens on a port
  return {
    http,
    log,
    port,
    emit: (event: unknown) => emit(event),
    ended: () => signal.aborted,
    become: (next: Caller | null) => (caller = next),
  };
}

/** Opens an event stream on a keep-alive connection, as browsers do. `ended` resolves when the response ends. */
async function openReader(port: number) {
  const agent = new Agent({ keepAlive: true });
  closers.push(async () => agent.destroy());
  const headers = { authorization: 'Bearer x', host: 'localhost:3000' };
  const asked = request({ port, host: '127.0.0.1', path: apiContract.watchDesk.path, headers, agent }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let heard = '';
  response.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  return { heard: () => heard, ended: once(response, 'end'), type: response.headers['content-type'] };
}

/** Opens an event stream without reading from it. */
async function openStalledReader(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined); // ignores the error when the server closes the connection
  socket.pause();
  closers.push(async () => socket.destroy());
  await once(socket, 'connect');
  socket.write(`GET ${apiContract.watchDesk.path} HTTP/1.1\r\nhost: localhost:3000\r\nauthorization: Bearer x\r\n\r\n`);
  return socket;
}

/** Opens an idle connection, as browsers do in advance. */
async function openIdleConnection(port: number): Promise<() => Promise<void>> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return async () => void socket.destroy();
}

const connections = (http: Awaited<ReturnType<typeof startEventServer>>['http']) =>
  new Promise<number>((resolve) => http.server.getConnections((_error, count) => resolve(count)));

const filler = 'x'.repeat(10_000);

test.each([
  ['whose session ended', null],
  ['who lost the permission', { ...callers.attendant, permisos: {} }],
])('desk event stream ends at the next heartbeat for a reader %s', async (_who, next) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const server = await startEventServer();
  const page = await openReader(server.port);
  expect(page.type).toBe('text/event-stream; charset=utf-8');
  await vi.waitFor(() => expect(page.heard()).toBe('data: {"numero":0}\n\n'), soon);
  vi.advanceTimersByTime(beat);
  await vi.waitFor(() => expect(page.heard()).toMatch(/\n\n:\n\n$/), soon);
  server.emit({ numero: 1 });
  await vi.waitFor(() => expect(page.heard()).toContain('data: {"numero":1}'), soon);
  server.become(next);
  vi.advanceTimersByTime(beat);
  await page.ended;
  server.emit({ numero: 2 });
  expect(server.ended()).toBe(true);
  expect(page.heard()).not.toContain('"numero":2');
  expect(server.log(), 'not logged as an error').not.toContain('a stream of events failed');
});

test.each([
  ['ends at the next heartbeat if the session of its reader has ended', callers.citizen, true],
  ['stays open for a reader who was never signed in', null, false],
])('room event stream %s', async (_who, first, cut) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let caller: Caller | null = first;
  let asked = 0;
  let over: AbortSignal | null = null;
  const { http } = await startFakeServer({
    authenticate: async () => ((asked += 1), caller),
    handlers: {
      enterRoom: async () => ({
        body: { tipo: 'sala' },
        events: async (_say, signal) => {
          over = signal;
          if (!signal.aborted) await once(signal, 'abort');
        },
      }),
    },
  });
  closers.push(() => http.close());
  const answer = http.inject({
    method: 'POST',
    url: apiContract.enterRoom.path,
    headers: { authorization: 'Bearer x', host: 'localhost:3000' },
    payload: { llamada: 'l', cliente: 'c' },
  });
  const beats = async (times: number) => {
    vi.advanceTimersByTime(beat);
    await vi.waitFor(() => expect(asked).toBe(times), soon);
  };
  await vi.waitFor(() => expect(over).not.toBeNull(), soon);
  await beats(2);
  caller = null;
  await beats(3);
  if (cut) expect((await answer).body).toContain('"tipo":"sala"');
  else await beats(4);
  expect(over).toMatchObject({ aborted: cut });
});

test('event stream of a client that does not read is closed', async () => {
  const server = await startEventServer();
  await openStalledReader(server.port);
  await vi.waitFor(async () => expect(await connections(server.http)).toBe(1), soon);
  await vi.waitFor(() => {
    for (let count = 0; count < 100; count += 1) server.emit({ filler });
    expect(server.ended()).toBe(true);
  }, soon);
  await vi.waitFor(async () => expect(await connections(server.http)).toBe(0), soon);
});

test('server that stops ends its event streams without waiting for stalled or idle connections', async () => {
  const server = await startEventServer();
  const page = await openReader(server.port);
  await openStalledReader(server.port);
  await vi.waitFor(async () => expect(await connections(server.http)).toBe(2), soon);
  closers.push(await openIdleConnection(server.port));
  server.emit({ filler: 'x'.repeat(20_000_000) }); // more data than any operating system buffers for a connection
  await server.http.close();
  await page.ended;
  expect(server.ended()).toBe(true);
});

test('server that stops completes its pending requests and waits for no keep-alive connection', async () => {
  const answers: (() => void)[] = [];
  const { http } = await startFakeServer({
    handlers: { getCountries: () => new Promise((resolve) => answers.push(() => resolve({ body: [] }))) },
  });
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as AddressInfo; // `address()` returns an `AddressInfo` for a server that listens on a port
  const agent = new Agent({ keepAlive: true });
  closers.push(async () => agent.destroy());
  const asked = request({ port, host: '127.0.0.1', path: apiContract.getCountries.path, agent }).end();
  await vi.waitFor(() => expect(answers).toHaveLength(1), soon);
  const stopped = http.close();
  await vi.waitFor(() => expect(http.server.listening).toBe(false), soon);
  for (const answer of answers) answer();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(200);
  await stopped;
});

test('newest event stream of a page ends its previous one, and a call has at most six streams', async () => {
  const over: Record<string, AbortSignal> = {};
  let readers = 0;
  const streamed = async (group: string, name: string): Promise<string> => {
    const id = `${group} ${name} ${(readers += 1)}`;
    const { http } = served;
    void http.inject({
      method: 'POST',
      url: apiContract.enterRoom.path,
      headers: { host: 'localhost:3000' },
      payload: { llamada: `${group}|${name}|${id}`, cliente: 'c' },
    });
    await vi.waitFor(() => expect(over[id]).toBeDefined(), soon);
    return id;
  };
  const served = await startFakeServer({
    handlers: {
      enterRoom: async ({ body }) => {
        const [group = '', name = '', id = ''] = String(Reflect.get(Object(body), 'llamada')).split('|');
        return {
          body: { tipo: 'sala' },
          reader: { group, name },
          events: async (_emit, ended) => {
            over[id] = ended;
            if (!ended.aborted) await once(ended, 'abort');
          },
        };
      },
    },
  });
  closers.push(() => served.http.close());
  const first = await streamed('call', 'citizen');
  const other = await streamed('elsewhere', 'citizen');
  const agent = await streamed('call', 'agent');
  const second = await streamed('call', 'citizen');
  const running = () => Object.keys(over).filter((id) => over[id]?.aborted === false);
  expect(running()).toEqual([other, agent, second]);
  expect(first).not.toBe(second);
  const more: string[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) more.push(await streamed('call', name));
  expect(running()).toEqual([other, second, ...more]);
});

test.each([
  ['an account', 'watchDesk', { authorization: 'Bearer attendant' }, 12],
  ['a network of readers without an account', 'enterRoom', {}, 60],
] as const)(
  '%s has a maximum of event streams per operation, beyond which the oldest ends',
  async (_owner, name, headers, most) => {
    const over: AbortSignal[] = [];
    const streaming: BoundOperationHandler = async () => ({
      body: name === 'watchDesk' ? { numero: 0 } : { tipo: 'sala' },
      events: async (_emit, ended) => {
        over.push(ended);
        if (!ended.aborted) await once(ended, 'abort');
      },
    });
    const { http } = await startFakeServer({
      handlers: { watchDesk: streaming, enterRoom: streaming, attendRoom: streaming },
    });
    closers.push(() => http.close());
    const open = async (operation: 'watchDesk' | 'enterRoom' | 'attendRoom', sent: object): Promise<AbortSignal> => {
      const { method, path: url } = apiContract[operation];
      const payload = method === 'POST' ? { payload: { llamada: 'l', cliente: 'c' } } : {};
      const number = over.length;
      void http.inject({ method, url, headers: { host: 'localhost:3000', ...sent }, ...payload });
      await vi.waitFor(() => expect(over).toHaveLength(number + 1), soon);
      return over[number] ?? AbortSignal.abort();
    };
    const apart = [
      await open('attendRoom', { authorization: 'Bearer attendant' }),
      await open('enterRoom', { authorization: 'Bearer citizen' }),
    ];
    const own: AbortSignal[] = [];
    for (let count = 0; count < most + 3; count += 1) own.push(await open(name, headers));
    expect(own.map(({ aborted }) => aborted)).toEqual(own.map((_, index) => index < 3));
    expect(apart.map(({ aborted }) => aborted)).toEqual([false, false]);
  },
);

test.each([
  ['an account', 'enterRoom', { authorization: 'Bearer own' }, 30, 429],
  ['an agent, who gets 404,', 'watchDesk', { authorization: 'Bearer own' }, 30, 404],
  ['a network of readers without an account', 'enterRoom', {}, 120, 429],
] as const)(
  'burst of event streams opened by %s runs no handler beyond the rate limit',
  async (_reader, name, headers, most, status) => {
    let now = new Date('2026-11-28T12:00:00.900Z');
    const opened = vi.fn<BoundOperationHandler>(async () => ({
      body: name === 'watchDesk' ? { numero: 0 } : { tipo: 'sala' },
      events: async () => undefined,
    }));
    const authenticate = vi.fn(async () => callers.attendant);
    const { http } = await startFakeServer({ handlers: { [name]: opened }, authenticate, now: () => now });
    closers.push(() => http.close());
    const { method, path: url } = apiContract[name];
    const payload = method === 'POST' ? { payload: { llamada: 'l', cliente: 'c' } } : {};
    const open = async (sent: object): Promise<number> =>
      (await http.inject({ method, url, headers: { host: 'localhost:3000', ...sent }, ...payload })).statusCode;
    const refusedOfBurst = async (): Promise<readonly number[]> =>
      (await Promise.all(Array.from({ length: most + 5 }, () => open(headers)))).filter((code) => code !== 200);
    expect(await refusedOfBurst()).toEqual(Array(5).fill(status));
    expect(opened).toHaveBeenCalledTimes(most);
    expect(authenticate.mock.calls.length).toBeLessThanOrEqual(most);
    expect(await open({ authorization: 'Bearer other' }), 'another account or network').toBe(200);
    now = new Date('2026-11-28T12:00:02.000Z');
    expect(await refusedOfBurst(), 'a second later').toHaveLength(5);
  },
);
