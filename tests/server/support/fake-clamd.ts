import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** Test file that every scanner reports (eicar.org), in two parts, so that scanners do not report this source. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

export interface FakeClamd {
  readonly port: number;
  /** Sizes of the chunks of each scanned stream. */
  readonly streams: (readonly number[])[];
  close(): Promise<void>;
}

interface FakeClamdOptions {
  readonly tls?: TlsOptions;
  readonly maxBytes?: number;
  /** Replaces the verdict. With `null`, no reply is sent. It may change while the server runs. */
  reply?: string | null;
}

/** Starts a server that implements INSTREAM of clamd. */
export async function startFakeClamd(options: FakeClamdOptions = {}): Promise<FakeClamd> {
  const { tls, maxBytes = 3_000_000 } = options;
  const streams: (readonly number[])[] = [];
  const serve = (socket: Socket): void => {
    let received: Buffer = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data]);
      const found = readStream(received);
      if (found === null) return;
      streams.push(found.sizes);
      const { reply } = options;
      if (reply !== null) socket.end(`${reply ?? judge(found.content, maxBytes)}\0`);
    });
  };
  const server: Server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  await new Promise<void>((listening) => server.listen(0, () => listening()));
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  return {
    port: (server.address() as AddressInfo).port, // `address()` returns an `AddressInfo` for a server that listens on a port
    streams,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Parses `zINSTREAM` and its chunks. Returns `null` while the stream is incomplete. */
function readStream(received: Buffer): { sizes: readonly number[]; content: Buffer } | null {
  const command = 'zINSTREAM\0';
  if (received.length < command.length) return null;
  if (received.toString('latin1', 0, command.length) !== command) throw new Error('another command');
  const chunks: Buffer[] = [];
  for (let at = command.length; at + 4 <= received.length;) {
    const length = received.readUInt32BE(at);
    if (length === 0) return { sizes: chunks.map((chunk) => chunk.length), content: Buffer.concat(chunks) };
    chunks.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}

function judge(content: Buffer, maxBytes: number): string {
  if (content.length > maxBytes) return 'INSTREAM size limit exceeded. ERROR';
  return content.includes(eicar) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK';
}
