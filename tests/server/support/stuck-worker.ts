import { parentPort } from 'node:worker_threads';
import type { CheckRequest } from '../../../src/server/features/signature/verification/file-checker.ts';

/** Worker thread that replaces check-worker.ts. The checked file's content selects how it misbehaves. */
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
parentPort?.on('message', ({ file }: CheckRequest) => {
  parentPort?.postMessage(acts[Buffer.from(file).toString()]?.());
});
parentPort?.postMessage('ready');
