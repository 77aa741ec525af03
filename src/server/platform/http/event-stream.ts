import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Events, StreamReader } from '../base/operation-request.ts';

/** How often a stream says that it lives, and asks whether its reader may still read; proxies cut what is silent for a minute. */
const beatMs = 15_000;
/** What a reader may leave unread, in bytes, before it is dropped: it comes back and reads what is then so. */
const unreadLimit = 256 * 1024;
/** How long a reader may take to read the end of a stream, before the connection is cut. */
const endMs = 1_000;

/** Most streams of one group, such as a video call with its two seats; the oldest ends. */
const groupLimit = 6;

/** What one stream is made of. */
export interface Streamed<Event> {
  readonly first: Event;
  readonly events: Events<Event>;
  readonly admit: () => Promise<void>;
  /** The newest stream of a reader ends its others. */
  readonly reader?: StreamReader | undefined;
}

/** The answers of a server that go on: server-sent events, each one JSON on a line. */
export class EventStreams {
  readonly #running = new Set<AbortController>();
  readonly #groups = new Map<string, readonly { readonly name: string; readonly running: AbortController }[]>();
  #closed = false;

  /** Sends the first event and what `events` tells, until they are done, the reader leaves, or `admit` throws: a session that ended reads no further. */
  send<Event>(reply: FastifyReply, { first, events, admit, reader }: Streamed<Event>): FastifyReply {
    const stream = new PassThrough();
    const running = new AbortController();
    this.#running.add(running);
    if (reader) this.#replace(reader, running);
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

  /** Ends the other streams of a reader, and the oldest of a group that has too many. */
  #replace({ group, name }: StreamReader, running: AbortController): void {
    const others = this.#groups.get(group) ?? [];
    const kept = others.filter((other) => other.name !== name).slice(1 - groupLimit);
    this.#groups.set(group, [...kept, { name, running }]);
    for (const other of others) if (!kept.includes(other)) other.running.abort();
    running.signal.addEventListener('abort', () => {
      const left = (this.#groups.get(group) ?? []).filter((other) => other.running !== running);
      if (left.length === 0) this.#groups.delete(group);
      else this.#groups.set(group, left);
    });
  }

  /** Ends all of them: the server stops. */
  end(): void {
    this.#closed = true;
    for (const running of [...this.#running]) running.abort();
  }
}
