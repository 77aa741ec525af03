import { write, writeSync } from 'node:fs';

/** Buffered characters that trigger a write. Buffering pays off: a write costs a fifth of a short response. */
const enoughChars = 16_000;
/** Maximum time that a line stays in the buffer, in milliseconds. */
const flushMs = 200;
/** Maximum number of characters buffered for a reader that is slow or gone. Further lines are dropped. */
const maxChars = 4_000_000;
/** Pause before a write to a full pipe is retried, in milliseconds. */
const retryMs = 100;
/** Number of attempts to write to a full pipe when the process ends. */
const lastTries = 5;

/** Destination of log lines. It never throws, and a missing reader never blocks it. */
interface LogOutput {
  write(line: string): void;
  /** Writes the buffered lines synchronously, as far as the reader accepts them. Lines of a pending write may appear twice. */
  flushSync(): void;
  dropped(): number;
}

/**
 * Buffers lines and writes them to a file descriptor. Drops and counts lines if the reader of a pipe is gone (EPIPE), the disk is full, or the
 * reader is too slow. `pino.destination` is not used, because its flush at exit repeats a failing write forever (pinojs/sonic-boom, `flushSync`).
 */
export function openLogOutput(fd: number): LogOutput {
  let waiting: string[] = [];
  let waitingChars = 0;
  let lost = 0;
  /** The pending write and its number of lines. `null` if there is none. */
  let current: { bytes: Buffer; readonly lines: number } | null = null;
  let timer: NodeJS.Timeout | null = null;

  const take = (): typeof current => {
    if (waiting.length === 0) return null;
    const taken = { bytes: Buffer.from(waiting.join('')), lines: waiting.length };
    waiting = [];
    waitingChars = 0;
    return taken;
  };
  const flush = (): void => {
    timer = null;
    if (current !== null) return;
    current = take();
    if (current !== null) writeRest();
  };
  const writeRest = (): void => {
    const batch = current;
    if (batch === null) return;
    write(fd, batch.bytes, (error, count) => {
      if (current !== batch) return; // `flushSync` has already written the batch
      if (error !== null && isFull(error)) {
        setTimeout(writeRest, retryMs).unref();
        return;
      }
      batch.bytes = batch.bytes.subarray(count);
      if (error === null && batch.bytes.length > 0) {
        writeRest();
        return;
      }
      if (error !== null) lost += batch.lines;
      current = null;
      if (waitingChars >= enoughChars) flush();
      else if (waiting.length > 0) plan();
    });
  };
  const plan = (): void => {
    timer ??= setTimeout(flush, flushMs).unref();
  };

  return {
    write(line) {
      if (waitingChars + line.length > maxChars) {
        lost += 1;
        return;
      }
      waiting.push(line);
      waitingChars += line.length;
      if (waitingChars >= enoughChars && current === null) flush();
      else plan();
    },
    flushSync() {
      for (const batch of [current, take()]) {
        if (batch !== null && !writeNow(fd, batch.bytes)) lost += batch.lines;
      }
      current = null;
    },
    dropped: () => lost,
  };
}

/** Writes all bytes. Returns `false` if the reader is gone or does not accept them. */
function writeNow(fd: number, bytes: Buffer): boolean {
  let rest = bytes;
  let tries = lastTries;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      tries -= 1;
      if (!isFull(error) || tries === 0) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
    }
  }
  return true;
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');
}

let shared: LogOutput | null = null;

/** Returns the log output of this process on standard output. The last flush is at the end of the process. */
export function standardOutput(): LogOutput {
  if (shared !== null) return shared;
  void process.stdout; // opening the stream makes a pipe non-blocking: otherwise a write could wait for a stalled reader forever
  const output = openLogOutput(1);
  process.once('exit', output.flushSync);
  shared = output;
  return output;
}

export function droppedLogLines(): number {
  return shared?.dropped() ?? 0;
}
