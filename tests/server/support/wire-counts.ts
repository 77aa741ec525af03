import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Proxy that counts queries on the wire, independently of the code that sends them. */
export interface WireCounts {
  /** Connection URL of the counting proxy. */
  readonly url: string;
  /** Returns the number of statements since the last reset, including those that begin and end transactions. */
  statements(): number;
  /** Returns the number of sequential round trips to the database. */
  roundTrips(): number;
  reset(): void;
  close(): Promise<void>;
}

/**
 * Header lengths of messages in bytes. The header contains type and length. The first message of a connection has no
 * type.
 */
const head = { typed: 5, untyped: 4 };
const mark = { query: 0x51, execute: 0x45, sync: 0x53, ready: 0x5a };

/** Starts a counting proxy in front of a PostgreSQL server. Connections to it are unencrypted. */
export async function startWireCounts(target: string): Promise<WireCounts> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let [statements, roundTrips, outstanding] = [0, 0, 0];
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    let [signedIn, waited] = [false, 0];
    const asked = parseMessages(true, (type) => {
      if (type === mark.query || type === mark.execute) statements += 1;
      if (!signedIn || (type !== mark.query && type !== mark.sync)) return;
      if (outstanding === 0) roundTrips += 1;
      outstanding += 1;
      waited += 1;
    });
    const answered = parseMessages(false, (type) => {
      if (type !== mark.ready) return;
      if (signedIn) {
        outstanding -= 1;
        waited -= 1;
      }
      signedIn = true;
    });
    near.on('data', (chunk) => (asked(chunk), far.write(chunk)));
    far.on('data', (chunk) => (answered(chunk), near.write(chunk)));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.setNoDelay();
      one.on('error', () => undefined);
      one.on('close', () => (sockets.delete(one), other.destroy()));
    }
    near.on('close', () => {
      outstanding -= waited;
      waited = 0;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  return {
    url: url.href,
    statements: () => statements,
    roundTrips: () => roundTrips,
    reset() {
      [statements, roundTrips] = [0, 0];
    },
    async close() {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((done) => server.close(done));
    },
  };
}

/**
 * Creates a parser for a stream of PostgreSQL's protocol. It calls `onMessage` with the type of each message, even if a
 * message is split across chunks.
 */
function parseMessages(begins: boolean, onMessage: (type: number) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let untyped = begins;
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const need = untyped ? head.untyped : head.typed;
      if (rest.length < need) return;
      const length = untyped ? rest.readUInt32BE(0) : 1 + rest.readUInt32BE(1);
      if (rest.length < length) return;
      if (!untyped) onMessage(rest.readUInt8(0));
      untyped = false;
      rest = rest.subarray(length);
    }
  };
}
