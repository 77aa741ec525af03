import { parentPort } from 'node:worker_threads';
import type { SignedFileCheckRequest } from '../../../src/server/features/signature/verification/signed-file-checker.ts';

/** Ways in which the worker thread misbehaves, by the content of the checked file. This module replaces check-worker.ts. */
const acts: Readonly<Record<string, () => unknown>> = {
  loop() {
    for (;;);
  },
  remember() {
    for (const memory: unknown[] = []; ;) memory.push(Array.from({ length: 1000 }, () => Math.random()));
  },
  throw() {
    throw new Error('a fault');
  },
  exit: () => process.exit(),
  refuse: () => ({ refusal: 'firma_invalida', reason: null }),
};
parentPort?.on('message', ({ file }: SignedFileCheckRequest) => {
  parentPort?.postMessage(acts[Buffer.from(file).toString()]?.());
});
parentPort?.postMessage('ready');
