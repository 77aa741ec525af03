import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { IdentityDocument } from '../../../platform/base/identity-document.ts';
import { OperationError } from '../../../platform/base/errors.ts';
import { createBoundedQueue } from '../../../platform/load/bounded-queue.ts';
import {
  parseCertificate,
  type ParsedCertificate,
  createSignatureRefusalError,
  type SignatureRefusalCode,
} from '../../../trust/certificates/certificate.ts';
import type { CheckedSignature, SignatureCheckInput, SignerCertificateRecord } from './verify-signed-statement.ts';

export interface SignedFileCheckRequest {
  readonly file: Uint8Array;
  readonly statement: Uint8Array;
  readonly document: IdentityDocument;
  readonly now: Date;
}

/** Reply of the worker thread: a verified signature with its certificate path in DER, or the reason why the file is invalid. */
export type SignedFileCheckReply =
  | { readonly signer: SignerCertificateRecord; readonly path: readonly Uint8Array[]; readonly refusal?: never }
  | { readonly refusal: string; readonly reason: string | null };

export interface SignedFileChecker {
  /** Throws an `OperationError` 400 for an invalid signature, and a 503 if too many files wait. Checks a sender's files one at a time. */
  checkFile(signed: SignatureCheckInput, sender: string): Promise<CheckedSignature>;
  close(): Promise<void>;
}

/** Limits of the checks. A valid file takes about 20 ms and 20 MB. */
const defaultLimits = { threads: 2, waiting: 16, waitMs: 5_000, timeoutMs: 5_000, memoryMb: 128 } as const;
/** Time for a new thread to compile and load its code, in milliseconds. */
const startMs = 60_000;
const runnerScript = fileURLToPath(new URL('../../../../cli/run.mjs', import.meta.url));
const workerScript = fileURLToPath(new URL('./signed-file-check-worker.ts', import.meta.url));

interface Options extends Partial<Record<keyof typeof defaultLimits, number>> {
  readonly script?: string;
}

/**
 * Creates a checker with worker threads, which start with the first file. A file that takes too long or too much memory is rejected, and its thread
 * is replaced.
 */
export function createSignedFileChecker(roots: readonly ParsedCertificate[], options: Options = {}): SignedFileChecker {
  const { threads, waiting, waitMs, timeoutMs, memoryMb, script = workerScript } = { ...defaultLimits, ...options };
  const { run } = createBoundedQueue({ running: threads, waiting, waitMs });
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  let isClosed = false;
  const startThread = async (): Promise<Worker> => {
    const worker = new Worker(runnerScript, {
      argv: [script],
      execArgv: [],
      workerData: roots.map(({ x509 }) => new Uint8Array(x509.raw)),
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    all.add(worker);
    worker.on('error', () => undefined); // keeps the process running: `nextMessage` reports the error of a busy worker, and an idle worker is just replaced
    worker.once('exit', () => {
      all.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    });
    await nextMessage(worker, startMs);
    return worker;
  };
  const checkNow = async (request: SignedFileCheckRequest): Promise<SignedFileCheckReply> => {
    let worker = idle.pop();
    try {
      if (isClosed) throw new Error('the server is stopping');
      worker ??= await startThread();
      worker.ref();
      worker.postMessage(request);
      const reply = (await nextMessage(worker, timeoutMs)) as SignedFileCheckReply; // the cast is safe: signed-file-check-worker.ts sent the reply
      worker.unref(); // an idle thread does not keep the process alive
      idle.push(worker);
      return reply;
    } catch (cause) {
      await worker?.terminate();
      if (isClosed) throw new OperationError(503, 'servidor_ocupado', { retryAfter: 2, cause });
      throw worker === undefined ? cause : createSignatureRefusalError('firma_ilegible', cause);
    }
  };
  const inOrder = createKeyedQueue();
  return {
    async checkFile({ file, statement, document: { country, type, number }, now }, sender) {
      const bytes = { file: Uint8Array.from(file), statement: Uint8Array.from(statement) };
      const request = { ...bytes, document: { country, type, number }, now };
      const reply = await inOrder(sender, () => run(() => checkNow(request)));
      if (reply.refusal !== undefined) {
        const cause = reply.reason === null ? undefined : new Error(reply.reason);
        throw createSignatureRefusalError(reply.refusal as SignatureRefusalCode, cause);
      }
      return { signer: reply.signer, path: reply.path.map(parseCertificate) };
    },
    async close() {
      isClosed = true;
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

async function nextMessage(worker: Worker, timeoutMs: number): Promise<unknown> {
  const ended = new AbortController();
  const onExit = (): void => ended.abort(new Error('the worker thread has ended'));
  worker.once('exit', onExit);
  try {
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(timeoutMs)]);
    const [message]: readonly unknown[] = await once(worker, 'message', { signal });
    return message;
  } finally {
    worker.off('exit', onExit);
  }
}

function createKeyedQueue(): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const task = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, task);
    try {
      return await task;
    } finally {
      if (last.get(key) === task) last.delete(key);
    }
  };
}
