import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Definitions, DefinitionsSource } from '../../engine/compiler/definitions.ts';
import { keepSet } from '../platform/definitions/kept-sets.ts';
import { readKnown } from '../platform/definitions/set-files.ts';
import { DefinitionSets } from '../platform/definitions/sets.ts';
import { startJobs } from '../platform/jobs/start-jobs.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import { followDefinitions } from './follow-definitions.ts';
import type { Parts } from './parts.ts';

/** A notification may be lost: what is in service for all is also asked now and then. */
const askMs = 10_000;
/** How often the modules in service are said to be in use. */
const renewMs = 30 * 60 * 1000;

/** What a server serves. */
export interface Served {
  readonly root: string;
  readonly definitions: DefinitionsSource;
  /** Folder of the build; null: there is none. */
  readonly build: string | null;
  readonly metrics: Metrics | undefined;
}

/**
 * Stores modules before their set comes into service, and keeps the set. Replicas of one PostgreSQL follow each other. A server on the embedded
 * database is alone: its sets are kept in a folder, which a command can read while it runs. Answers the way to stop.
 */
export async function serveDefinitions(
  { config, store, modules, log, clock }: Pick<Parts, 'config' | 'store' | 'modules' | 'log' | 'clock'>,
  { root, definitions, build, metrics }: Served,
): Promise<() => Promise<void>> {
  let keptAt: number | null = null;
  const keep = async (set: Definitions): Promise<void> => {
    keptAt = null;
    await modules.keep(set.modules);
    keptAt = performance.now();
  };
  /** Of a build, which an edit does not change, the scripts and styles are kept as well. */
  const keepAll = async (): Promise<void> => {
    await keep(definitions.current);
    if (build !== null) await modules.keepBuild(build);
  };
  const admit = (set: Definitions): Promise<void> =>
    keep(set).catch((error: unknown) => log.warn({ err: error }, 'modules are not stored')); // tried again by the job

  await keepAll();
  const shared =
    config.databaseUrl === null
      ? keepFiles({ root, definitions, admit, folder: join(config.dataDir, 'definitions'), log, clock })
      : await followDefinitions({
          definitions,
          sets: new DefinitionSets(store),
          root,
          own: await readKnown(root),
          name: `${hostname()}:${config.port}/${process.pid}`,
          admit,
          log,
        });
  log.info({ version: definitions.current.version }, 'definitions in service');
  const run = async (): Promise<void> => {
    if (keptAt === null || performance.now() - keptAt > renewMs) await keepAll();
    await shared.follow?.();
  };
  const jobs = startJobs([{ name: 'follow definitions', everyMs: askMs, run }], log, metrics);
  return async () => {
    await jobs.close();
    await shared.close();
  };
}

/** Keeps each set that comes into service as files of this machine, so that an operator can take the last one back. */
function keepFiles({
  root,
  definitions,
  admit,
  folder,
  log,
  clock,
}: Pick<Served, 'root' | 'definitions'> &
  Pick<Parts, 'log' | 'clock'> & {
    readonly admit: (set: Definitions) => Promise<void>;
    readonly folder: string;
  }): { follow?: () => Promise<void>; close(): Promise<void> } {
  let work = Promise.resolve();
  const keep = () => {
    const { version } = definitions.current;
    work = work
      .then(() => keepSet(folder, root, version, clock.now()))
      .catch((error: unknown) => log.warn({ err: error }, 'the definitions in service are not kept'));
  };
  keep();
  definitions.guardBy({ texts: async () => undefined, admit });
  const stop = definitions.onChange(() => definitions.problems.length === 0 && keep());
  return {
    close() {
      stop();
      return work;
    },
  };
}
