import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Events, StreamReader } from '../base/operation-request.ts';

/** Interval of heartbeats, in milliseconds, at which the reader's access is checked again. Proxies close connections that are silent for a minute. */
const beatMs = 15_000;
/** Unread bytes after which a reader is disconnected. It reconnects and reads the current state. */
const unreadLimit = 256 * 1024;
/** Time that a reader has to read the end of a stream before the connection is closed, in milliseconds. */
const endMs = 1_000;

/**
 * Most streams of one operation at once in this process. A new one ends the oldest, so that a reloaded page is never refused. `group` is a video call
 * with two seats, each of which a reload briefly doubles. `account` is two browsers with six pages each, the most connections of a browser to one
 * host over HTTP/1.1. `network` is readers without an account, such as those of an office or a mobile carrier, who enter calls through mailed links.
 */
const most = { page: 1, group: 6, account: 12, network: 60 } as const;

/** Most openings of a reader: within a second in this process, and within a minute by the rate limit of the operations with streams. */
export const maxOpenings = { account: 30, network: 120 } as const;

interface Streamed<Event> {
  readonly first: Event;
  readonly events: Events<Event>;
  readonly admit: () => Promise<void>;
  readonly operation: string;
  /** The reader's account, or its network if it has none. */
  readonly owner: readonly [bound: 'account' | 'network', id: string];
  /** A page's new stream ends its previous ones. */
  readonly reader?: StreamReader | undefined;
}

/** Server-sent events of this process. Each event is one line of JSON. */
export class EventStreams {
  readonly #running = new Set<AbortController>();
  /** Running streams by the key of their limit, oldest first. */
  readonly #bounded = new Map<string, Set<AbortController>>();
  /** Openings in the current second, by reader. */
  readonly #openings = new Map<string, number>();
  #second = 0;
  #closed = false;

  /** Counts an opening before anything is read for it, so that a burst does not load the database. Returns `false` beyond `maxOpenings`. */
  admits([bound, id]: readonly [bound: keyof typeof maxOpenings, id: string], now: Date): boolean {
    const second = Math.floor(now.getTime() / 1000);
    if (second !== this.#second) this.#openings.clear();
    this.#second = second;
    const count = (this.#openings.get(`${bound} ${id}`) ?? 0) + 1;
    this.#openings.set(`${bound} ${id}`, count);
    return count <= maxOpenings[bound];
  }

  /** Sends the first event and those of `events`, until they end, the reader disconnects, or `admit` throws because its session has ended. */
  send<Event>(reply: FastifyReply, streamed: Streamed<Event>): FastifyReply {
    const { first, events, admit } = streamed;
    const stream = new PassThrough();
    const running = new AbortController();
    this.#running.add(running);
    this.#bound(streamed, running);
    const beat = setInterval(() => {
      stream.write(':\n\n');
      admit().catch(() => running.abort());
    }, beatMs);
    const emit = (event: Event): void => {
      if (running.signal.aborted) return;
      if (stream.writableLength > unreadLimit) reply.raw.destroy();
      else stream.write(`data: ${JSON.stringify(event)}\n\n`);
    };
    const ended = (): void => {
      clearInterval(beat);
      this.#running.delete(running);
      stream.end();
      const cut = setTimeout(() => reply.raw.destroy(), endMs).unref();
      reply.raw.once('close', () => clearTimeout(cut));
    };
    running.signal.addEventListener('abort', ended);
    stream.on('close', () => running.abort());
    emit(first);
    events(emit, running.signal)
      .catch((error: unknown) => {
        // a disconnected reader or a stopping server aborts pending reads, which is no failure
        if (!running.signal.aborted) reply.log.error({ err: error }, 'a stream of events failed');
      })
      .finally(() => running.abort());
    if (this.#closed) running.abort();
    return reply
      .type('text/event-stream; charset=utf-8')
      .header('x-accel-buffering', 'no') // otherwise a proxy buffers the events
      .send(stream);
  }

  /** Ends the oldest stream of each limit that the new one exceeds. */
  #bound(streamed: Bounded, running: AbortController): void {
    for (const [bound, key] of listBounds(streamed)) {
      const streams = this.#bounded.get(key) ?? new Set();
      this.#bounded.set(key, streams.add(running));
      running.signal.addEventListener('abort', () => {
        streams.delete(running);
        if (streams.size === 0) this.#bounded.delete(key);
      });
      const [oldest] = streams;
      if (streams.size > most[bound]) oldest?.abort();
    }
  }

  end(): void {
    this.#closed = true;
    for (const running of [...this.#running]) running.abort();
  }
}

type Bounded = Pick<Streamed<unknown>, 'operation' | 'owner' | 'reader'>;

/** Limits of a stream. The page comes first, because a reload has just left its previous stream. */
function listBounds({
  operation,
  owner: [bound, id],
  reader,
}: Bounded): readonly (readonly [keyof typeof most, string])[] {
  const own = [bound, `${bound} ${operation} ${id}`] as const;
  if (reader === undefined) return [own];
  const { group, name } = reader;
  return [['page', `page ${group} ${name}`], ['group', `group ${group}`], own];
}
