/** Writes log lines endlessly. Reports the number of dropped lines to the parent process. Stops as the server does. */
import { countDroppedLogLines, getStandardLogOutput } from '../../../src/server/platform/base/log-output.ts';

const output = getStandardLogOutput();
setInterval(() => {
  for (let line = 0; line < 100; line += 1) output.write(`${'x'.repeat(999)}\n`);
  process.send?.(countDroppedLogLines());
}, 5);
process.once('SIGTERM', () => process.exit(0));
