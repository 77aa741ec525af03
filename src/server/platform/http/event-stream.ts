import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Events, StreamReader } from '../base/operation-request.ts';

/** How often a stream says that it lives, and asks whether its reader may still read; proxies cut what is silent for a minute. */
const beatMs = 15_000;
/** What a reader may leave unread, in bytes, before it is dropped: it comes back and reads what is then so. */
const unreadLimit = 256 * 1024;
/** How long a reader may take to read the end of a stream, before the connection is cut. */
const endMs = 1_000;

/**
 * Most streams of one operation at once in this process; the oldest ends, so that a page that is loaded again is never refused. A group is a video call with its two seats,
 * each of which a reload fills twice for a moment. An account has two browsers with six pages each, the most that a browser reads from one host over HTTP/1.1.
 * A network is one of readers without an account, such as those of an office or of a mobile carrier, who enter rooms by the links of their mails.
 */
const most = { page: 1, group: 6, account: 12, network: 60 } as const;

/** Most openings within a second: those that the limit `stream` admits within a minute. */
const mostOpenings = { account: 30, network: 120 } as const;

export interface Streamed<Event> {
  readonly first: Event;
  readonly events: Events<Event>;
  readonly admit: () => Promise<void>;
  readonly operation: string;
  /** The account of the reader, or its network where there is none. */
  readonly owner: readonly [bound: 'account' | 'network', id: string];
  /** The newest stream of a page ends its others. */
  readonly reader?: StreamReader | undefined;
}

/** The answers of a server that go on: server-sent events, each one JSON on a line. */
export class EventStreams {
  readonly #running = new Set<AbortController>();
  /** Running streams by what bounds them, the oldest first. */
  readonly #bounded = new Map<string, Set<AbortController>>();
  /** Openings of the current second by reader. */
  readonly #openings = new Map<string, number>();
  #second = 0;
  #closed = false;

  /** Counts an opening before anything is read for it, so that a burst costs the database nothing. Returns `false` beyond `mostOpenings`. */
  admits([bound, id]: readonly [bound: keyof typeof mostOpenings, id: string], now: Date): boolean {
    const second = Math.floor(now.getTime() / 1000);
    if (second !== this.#second) this.#openings.clear();
    this.#second = second;
    const count = (this.#openings.get(`${bound} ${id}`) ?? 0) + 1;
    this.#openings.set(`${bound} ${id}`, count);
    return count <= mostOpenings[bound];
  }

  /** Sends the first event and what `events` tells, until they are done, the reader leaves, or `admit` throws: a session that ended reads no further. */
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
        // who has gone, or a server that stops, breaks off what was being read
        if (!running.signal.aborted) reply.log.error({ err: error }, 'a stream of events failed');
      })
      .finally(() => running.abort());
    if (this.#closed) running.abort();
    return reply
      .type('text/event-stream; charset=utf-8')
      .header('x-accel-buffering', 'no') // a proxy would keep events until its buffer is full
      .send(stream);
  }

  /** Ends the oldest stream of each bound that a new one exceeds. */
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

  /** Ends all of them: the server stops. */
  end(): void {
    this.#closed = true;
    for (const running of [...this.#running]) running.abort();
  }
}

type Bounded = Pick<Streamed<unknown>, 'operation' | 'owner' | 'reader'>;

/** What bounds a stream: its page first, whose earlier stream a reload has just left. */
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
