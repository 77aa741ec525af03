import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { EventStreamProducer, EventStreamClientKey } from '../base/operation-request.ts';

/**
 * Interval between heartbeats, because proxies close connections that are silent for a minute. At each heartbeat, the server checks again whether the
 * client may read the stream.
 */
const heartbeatMs = 15_000;
/** Maximum number of bytes that a client may leave unread. Beyond it, the client is disconnected, reconnects, and gets the current state. */
const maxUnreadBytes = 256 * 1024;

/**
 * Maximum number of concurrent streams of one operation in this process. A new stream ends the oldest, so that a reloaded page always gets a stream.
 * `group`: a video call has two seats, and a reload briefly doubles the streams of each. `account`: two browsers with six pages each, the most
 * connections of a browser to one host over HTTP/1.1. `network`: clients without an account behind one IP address, such as that of an office or a
 * mobile carrier. They enter calls through mailed links.
 */
const maxStreams = { page: 1, group: 6, account: 12, network: 60 } as const;

/** Maximum number of streams that a client opens per second in this process. The rate limit of these operations allows the same number per minute. */
export const maxStreamOpeningsPerSecond = { account: 30, network: 120 } as const;

interface StreamOptions<Event> {
  readonly first: Event;
  readonly events: EventStreamProducer<Event>;
  readonly admit: () => Promise<void>;
  readonly operation: string;
  readonly owner: readonly [bound: 'account' | 'network', id: string];
  /** Page that reads the stream. A new stream of the same page ends the page's previous stream. */
  readonly reader?: EventStreamClientKey | undefined;
}

/** Streams of server-sent events of this process. Each event is one line of JSON. */
export class EventStreams {
  readonly #running = new Set<AbortController>();
  /** Running streams by the key of their limit, oldest first. */
  readonly #bounded = new Map<string, Set<AbortController>>();
  /** Streams opened in the current second, by client. */
  readonly #openings = new Map<string, number>();
  #second = 0;
  #closed = false;

  /**
   * Counts the opening of a stream. Returns `false` beyond `maxStreamOpeningsPerSecond`. Runs before any query of the stream, so that a burst does
   * not load the database.
   */
  countOpening([bound, id]: readonly [bound: keyof typeof maxStreamOpeningsPerSecond, id: string], now: Date): boolean {
    const second = Math.floor(now.getTime() / 1000);
    if (second !== this.#second) this.#openings.clear();
    this.#second = second;
    const count = (this.#openings.get(`${bound} ${id}`) ?? 0) + 1;
    this.#openings.set(`${bound} ${id}`, count);
    return count <= maxStreamOpeningsPerSecond[bound];
  }

  /** Sends a stream of events. It ends after the last event, when the client disconnects, or if `admit` throws because the session has ended. */
  sendStream<Event>(reply: FastifyReply, streamed: StreamOptions<Event>): FastifyReply {
    const { first, events, admit } = streamed;
    const stream = new PassThrough();
    const running = new AbortController();
    this.#running.add(running);
    this.#bound(streamed, running);
    const beat = setInterval(() => {
      stream.write(':\n\n');
      admit().catch(() => running.abort());
    }, heartbeatMs);
    const emit = (event: Event): void => {
      if (running.signal.aborted) return;
      if (stream.writableLength > maxUnreadBytes) reply.raw.destroy();
      else stream.write(`data: ${JSON.stringify(event)}\n\n`);
    };
    const ended = (): void => {
      clearInterval(beat);
      this.#running.delete(running);
      stream.end();
      const cut = setTimeout(() => reply.raw.destroy(), 1_000).unref(); // until then, the client can read the end of the stream
      reply.raw.once('close', () => clearTimeout(cut));
    };
    running.signal.addEventListener('abort', ended);
    stream.on('close', () => running.abort());
    emit(first);
    events(emit, running.signal)
      .catch((error: unknown) => {
        // A disconnected client or a stopping server aborts pending reads, which is not a failure.
        if (!running.signal.aborted) reply.log.error({ err: error }, 'a stream of events failed');
      })
      .finally(() => running.abort());
    if (this.#closed) running.abort();
    return reply
      .type('text/event-stream; charset=utf-8')
      .header('x-accel-buffering', 'no') // prevents proxies from buffering the events
      .send(stream);
  }

  #bound(streamed: LimitedStream, running: AbortController): void {
    for (const [bound, key] of listStreamLimits(streamed)) {
      const streams = this.#bounded.get(key) ?? new Set();
      this.#bounded.set(key, streams.add(running));
      running.signal.addEventListener('abort', () => {
        streams.delete(running);
        if (streams.size === 0) this.#bounded.delete(key);
      });
      const [oldest] = streams;
      if (streams.size > maxStreams[bound]) oldest?.abort();
    }
  }

  endAllStreams(): void {
    this.#closed = true;
    for (const running of [...this.#running]) running.abort();
  }
}

type LimitedStream = Pick<StreamOptions<unknown>, 'operation' | 'owner' | 'reader'>;

/** Returns the limits of a new stream, each with its key. The limit of the page is first, so that a reload ends the page's previous stream. */
function listStreamLimits({
  operation,
  owner: [bound, id],
  reader,
}: LimitedStream): readonly (readonly [keyof typeof maxStreams, string])[] {
  const own = [bound, `${bound} ${operation} ${id}`] as const;
  if (reader === undefined) return [own];
  const { group, name } = reader;
  return [['page', `page ${group} ${name}`], ['group', `group ${group}`], own];
}
