import { oldNodeText } from './node-version.ts';
import { DefinitionError } from '../../engine/compiler/definitions.ts';
import { sampleCitizens, type SampleCitizen } from './sample/sample-citizens.ts';
import { readEnvironment } from '../platform/config/read-environment.ts';
import { StartError } from '../platform/base/start-error.ts';
import { DatabaseUnavailable } from '../platform/database/unavailable.ts';
import { startServer, type RunningServer, type StartOptions } from './start-server.ts';

/** Longest wait for work under way when the process is told to stop, in milliseconds. */
const stopLimitMs = 10_000;

/** Errors whose message is all that an operator needs. */
const tellable = [DefinitionError, StartError, DatabaseUnavailable];

interface RunOptions extends StartOptions {
  /** Pages of the portal whose addresses are printed beside its own: what each is, and its path. */
  readonly shown?: readonly (readonly [name: string, path: string])[];
}

/** Runs a server as this process: prints its addresses, or why it cannot start, and stops it at SIGTERM and SIGINT. */
export async function runServer({ shown = [], ...options }: RunOptions): Promise<void> {
  const advice = oldNodeText(process.versions.node);
  if (advice !== null) process.stderr.write(`${advice}\n`);
  // From the first moment on: in a container, where this is process 1, a signal that nobody listens to is ignored.
  let stop = async (): Promise<void> => {};
  stopAtSignal(() => stop());
  try {
    const server = await startServer({ ...options, env: readEnvironment(options.env) });
    stop = server.stop;
    printAddresses(server, shown);
  } catch (error) {
    if (!(error instanceof Error) || !tellable.some((kind) => error instanceof kind)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

function printAddresses(
  { config, outboxUrl, metricsPort }: RunningServer,
  shown: NonNullable<RunOptions['shown']>,
): void {
  const lines = [`Portal:  ${config.baseUrl}`];
  for (const [name, path] of shown) lines.push(`${`${name}:`.padEnd(8)} ${config.baseUrl}${path}`);
  if (outboxUrl !== null) lines.push(`Outbox:  ${outboxUrl}`);
  if (metricsPort !== null) lines.push(`Metrics: http://${config.host}:${metricsPort}/metrics`);
  if (config.sampleData) lines.push('', 'Sample citizens:', ...sampleCitizens.map(describeCitizen));
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

function describeCitizen({
  document,
  password,
  firstName,
  secondName,
  firstSurname,
  secondSurname,
  note,
}: SampleCitizen): string {
  const name = [firstName, secondName, firstSurname, secondSurname].filter((part) => part !== '').join(' ');
  return `  ${document}  ${password === null ? '' : `password ${password}  `}(${name} ${note})`;
}

function stopAtSignal(stop: () => Promise<void>): void {
  const end = (): void => {
    setTimeout(() => process.exit(1), stopLimitMs).unref();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}
