import { write, writeSync } from 'node:fs';

/** Number of buffered characters that triggers a write. Lines are buffered, because one write takes a fifth of the time of a short response. */
const flushChars = 16_000;
const flushMs = 200;
/** Maximum number of characters buffered for a slow or missing reader. Further lines are dropped. */
const maxBufferedChars = 4_000_000;
/** Pause before another write to a full pipe, in milliseconds. */
const retryMs = 100;
const maxFinalAttempts = 5;

/**
 * Creates an output that buffers lines and writes them to a file descriptor. Never throws or blocks: drops and counts lines if the reader of a pipe is
 * gone (EPIPE) or too slow, or the disk is full. `pino.destination` is not used, because its flush at exit repeats a failing write forever
 * (pinojs/sonic-boom, `flushSync`).
 */
export function openLogOutput(fd: number) {
  let waiting: string[] = [];
  let waitingChars = 0;
  let lost = 0;
  /** The pending write and its number of lines. `null` if there is none. */
  let current: { bytes: Buffer; readonly lines: number } | null = null;
  let timer: NodeJS.Timeout | null = null;

  const takeBuffer = (): typeof current => {
    if (waiting.length === 0) return null;
    const taken = { bytes: Buffer.from(waiting.join('')), lines: waiting.length };
    waiting = [];
    waitingChars = 0;
    return taken;
  };
  const flush = (): void => {
    timer = null;
    current ??= takeBuffer();
    flushRemaining();
  };
  const flushRemaining = (): void => {
    const batch = current;
    if (batch === null) return;
    write(fd, batch.bytes, (error, count) => {
      if (current !== batch) return; // `flushSync` has already written the batch
      if (error !== null && isPipeFull(error)) {
        setTimeout(flushRemaining, retryMs).unref();
        return;
      }
      batch.bytes = batch.bytes.subarray(count);
      if (error === null && batch.bytes.length > 0) {
        flushRemaining();
        return;
      }
      if (error !== null) lost += batch.lines;
      current = null;
      if (waitingChars >= flushChars) flush();
      else if (waiting.length > 0) scheduleFlush();
    });
  };
  const scheduleFlush = (): void => {
    timer ??= setTimeout(flush, flushMs).unref();
  };

  return {
    write(line: string): void {
      if (waitingChars + line.length > maxBufferedChars) {
        lost += 1;
        return;
      }
      waiting.push(line);
      waitingChars += line.length;
      if (waitingChars >= flushChars && current === null) flush();
      else scheduleFlush();
    },
    /** Writes the buffered lines synchronously, as far as the reader accepts them. Lines of a pending write may appear twice. */
    flushSync(): void {
      for (const batch of [current, takeBuffer()]) {
        if (batch !== null && !writeNow(fd, batch.bytes)) lost += batch.lines;
      }
      current = null;
    },
    countDroppedLines: () => lost,
  };
}

function writeNow(fd: number, bytes: Buffer): boolean {
  let rest = bytes;
  let tries = maxFinalAttempts;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      tries -= 1;
      if (!isPipeFull(error) || tries === 0) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
    }
  }
  return true;
}

function isPipeFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');
}

let sharedOutput: ReturnType<typeof openLogOutput> | null = null;

/** Returns the log output of this process on standard output. The output is flushed when the process ends. */
export function getStandardLogOutput() {
  if (sharedOutput !== null) return sharedOutput;
  void process.stdout; // opening the stream makes a pipe non-blocking: otherwise a write could wait for a stalled reader forever
  const output = openLogOutput(1);
  process.once('exit', output.flushSync);
  sharedOutput = output;
  return output;
}

export function countDroppedLogLines(): number {
  return sharedOutput?.countDroppedLines() ?? 0;
}
