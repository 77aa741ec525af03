import cluster from 'node:cluster';
import { DefinitionError } from '../../engine/compiler/definitions.ts';
import { importSampleDataModule } from './import-samples.ts';
import { resolveFreePort } from '../platform/config/free-port.ts';
import { readConfig } from '../platform/config/read-config.ts';
import { readEnvironment } from '../platform/config/read-environment.ts';
import { createLogger } from '../platform/http/logging.ts';
import type { Logger } from 'pino';
import { StartError } from '../platform/base/errors.ts';
import { DatabaseUnavailableError } from '../platform/database/database-unavailable-error.ts';
import {
  exitWorkerProcess,
  isFirstWorkerProcess,
  startWorkerProcesses,
  reportWorkerProcessStarted,
  type WorkerProcessesOptions,
} from '../platform/load/worker-processes.ts';
import { startServer, type RunningServer, type ServerStartOptions } from './start-server.ts';

export function findNodeVersionWarning(version: string): string | null {
  const major = Number(version.split('.')[0]);
  return major < 22 ? `Node.js ${major} gets no security updates any more: run the portal on Node.js 24.` : null;
}

/** Maximum time to finish pending work when the process stops. */
const stopTimeoutMs = 10_000;

/** Errors that are shown to the operator without a stack trace. */
const operatorErrors = [DefinitionError, StartError, DatabaseUnavailableError];

interface RunOptions extends ServerStartOptions {
  /** Names and paths of pages to print below the portal's address. */
  readonly printedPages?: readonly (readonly [name: string, path: string])[];
  /** Command that starts a worker process. If absent, the server runs without workers. */
  readonly worker?: WorkerProcessesOptions['command'];
}

/** Runs until SIGTERM or SIGINT. Prints the server's addresses, or the reason why it cannot start. */
export async function runServer({ printedPages = [], worker, ...options }: RunOptions): Promise<void> {
  const advice = findNodeVersionWarning(process.versions.node);
  if (advice !== null) process.stderr.write(`${advice}\n`);
  // The signal handlers are installed before the start, because process 1 of a container ignores signals without a handler.
  let stop = async (): Promise<void> => {};
  let log = createLogger({ level: 'info' });
  stopProcessOnSignal(
    () => stop(),
    () => log,
  );
  // Ignores write errors, so that the server continues if the process that reads its output ends. Removes the listeners that would end the process in
  // this case, as they do in other commands.
  for (const stream of [process.stdout, process.stderr])
    stream.removeAllListeners('error').on('error', () => undefined);
  try {
    const env = await resolveFreePort(readEnvironment(options.env));
    const config = readConfig(env);
    log = createLogger({ level: config.logLevel });
    if (worker !== undefined && cluster.isPrimary && config.workers > 1) {
      const { port, metricsPort } = config; // workers share all ports except the metrics port
      const buildEnv = (place: number) => ({
        PORT: String(port),
        ...(metricsPort && { METRICS_PORT: String(metricsPort + place) }),
      });
      const stopWorkers = await startWorkerProcesses({ command: worker, count: config.workers, buildEnv, log });
      if (stopWorkers === null) process.exitCode = 1;
      else stop = stopWorkers;
      return;
    }
    const server = await startServer({ ...options, env });
    stop = server.stop;
    if (isFirstWorkerProcess()) await printAddresses(server, printedPages);
    reportWorkerProcessStarted();
  } catch (error) {
    if (!(error instanceof Error) || !operatorErrors.some((kind) => error instanceof kind)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    exitWorkerProcess();
  }
}

async function printAddresses(
  { config, outboxUrl, metricsPort }: RunningServer,
  printedPages: NonNullable<RunOptions['printedPages']>,
): Promise<void> {
  const lines = [`Portal:  ${config.baseUrl}`];
  for (const [name, path] of printedPages) lines.push(`${`${name}:`.padEnd(8)} ${config.baseUrl}${path}`);
  if (outboxUrl !== null) lines.push(`Outbox:  ${outboxUrl}`);
  if (metricsPort !== null)
    lines.push(`Metrics: ${config.tlsFile === null ? 'http' : 'https'}://${config.host}:${metricsPort}/metrics`);
  if (config.sampleData) {
    const { describeSampleCitizen: describeCitizen, sampleCitizens } = await importSampleDataModule();
    lines.push('', 'Sample citizens:', ...sampleCitizens.map(describeCitizen));
  }
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

/** Exits with code 0 after SIGTERM or SIGINT, and with code 1 after an uncaught error, which it logs. */
export function stopProcessOnSignal(stop: () => Promise<void>, log: () => Pick<Logger, 'fatal'>): void {
  let ends = false;
  const end = (code: number): void => {
    if (ends) return; // signals can repeat: a terminal signals the whole process group, and the parent process may signal too
    ends = true;
    setTimeout(() => process.exit(1), stopTimeoutMs).unref();
    stop().then(
      () => process.exit(code),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => end(0));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      log().fatal({ err: error, event }, 'an error was not caught: the process stops');
      end(1);
    });
}
