/** Process that throws an uncaught error (argument `throw`) or rejects a promise without a handler. Stops on a signal as the server does. */
import { stopProcessOnSignal } from '../../../src/server/app/run-server.ts';
import { createLogger } from '../../../src/server/platform/http/logging.ts';

const log = createLogger({ level: 'info' });
stopProcessOnSignal(
  async () => log.info('stopped'),
  () => log,
);
setInterval(() => undefined, 1_000);
const fault = new Error('the document 45123784 is wrong');
if (process.argv[2] === 'throw')
  setTimeout(() => {
    throw fault;
  });
else void Promise.reject(fault);
