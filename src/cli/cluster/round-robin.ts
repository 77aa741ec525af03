import { Agent, createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RoundRobin {
  /** Sends no more requests to a replica, and waits for its pending ones, at most `drainMs` for streams. */
  drain(port: number): Promise<void>;
  fill(port: number): void;
  close(): Promise<void>;
}

const drainMs = 5_000;
/**
 * Time that an idle connection to a replica is kept, which is shorter than the replica keeps it. Connections are reused because Node.js accepts one
 * new connection per turn of its event loop, so that requests to a busy replica would wait in the kernel.
 */
const idleMs = 30_000;
/** Hop-by-hop headers, which are not forwarded (RFC 9110, section 7.6.1). */
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-connection', 'te']);

/** Listens on a port of 127.0.0.1 and forwards each request to the next replica. Keeps Host and adds the client to X-Forwarded-For. */
export async function startRoundRobin(port: number, replicas: readonly number[]): Promise<RoundRobin> {
  const targets = new Map(replicas.map((replica) => [replica, { open: true, requests: 0 }]));
  const agent = new Agent({ keepAlive: true, timeout: idleMs });
  let turn = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const open = [...targets].filter(([, { open: isOpen }]) => isOpen);
    const first = (turn += 1) % Math.max(open.length, 1);
    for (const [replica, state] of [...open.slice(first), ...open.slice(0, first)]) {
      state.requests += 1;
      try {
        return await pass(request, { body, response, replica });
      } catch (error) {
        if (response.headersSent || !mayRepeat(request, error)) break;
      } finally {
        state.requests -= 1;
      }
    }
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-type': 'application/json' }).end('{"error":"no replica answers"}\n');
  };

  const pass = async (
    request: IncomingMessage,
    { body, response, replica }: { body: Buffer; response: ServerResponse; replica: number },
  ): Promise<void> => {
    const { method = 'GET', url = '/', rawHeaders, socket } = request;
    const outward = ask({
      host: '127.0.0.1',
      port: replica,
      method,
      path: url,
      agent,
      headers: [...endToEnd(rawHeaders), 'X-Forwarded-For', socket.remoteAddress ?? ''],
    });
    response.once('close', () => outward.destroy());
    outward.end(body);
    const [inward] = (await once(outward, 'response')) as [IncomingMessage];
    response.writeHead(inward.statusCode ?? 502, endToEnd(inward.rawHeaders));
    for await (const chunk of inward) response.write(chunk);
    response.end();
  };

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    async drain(replica) {
      const state = targets.get(replica);
      if (!state) return;
      state.open = false;
      for (const end = Date.now() + drainMs; state.requests > 0 && Date.now() < end;) await sleep(10);
    },
    fill(replica) {
      const state = targets.get(replica);
      if (state) state.open = true;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

/** Whether another replica may get the request. A replica that accepted it may have executed it, so only safe methods are repeated then. */
function mayRepeat({ method }: IncomingMessage, error: unknown): boolean {
  const refused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
  return refused || method === 'GET' || method === 'HEAD';
}

function endToEnd(raw: readonly string[]): string[] {
  return raw.filter((_, index) => !hopByHop.has((raw[index - (index % 2)] ?? '').toLowerCase()));
}
