import { hostname } from 'node:os';
import { join } from 'node:path';
import { DefinitionError } from '../../engine/compiler/definitions.ts';
import { definitionOptions } from '../../server/app/definition-options.ts';
import { systemClock } from '../../server/platform/base/clock.ts';
import { readEnvironment } from '../../server/platform/config/read-environment.ts';
import { readConfig } from '../../server/platform/config/read-config.ts';
import { DefinitionSets, type ServingReplica } from '../../server/platform/definitions/sets.ts';
import { action, CommandError, type Command, type Given, type Terminal } from '../command.ts';
import { withStore } from '../database/with-store.ts';
import { root } from '../project.ts';
import { listOf } from './changes-report.ts';
import { languageOption, readLanguage } from './language.ts';
import { sharedSets, takeBackShared, untilTaken } from './shared-sets.ts';
import { setsInService, takeBack } from './take-back.ts';

export const command: Command = {
  usage: `Usage:
  portal definitions                                 the sets of screens and flows that were in service, the latest first
  portal definitions back [VERSION] [--lang es|en]   the set before comes back, or that of a version; a running server takes it at once
With DATABASE_URL the sets are those of all replicas, which take the one that comes back together: each says whether it did. Without it the sets are
those of this machine, and what comes back are the files.
`,
  verbs: {
    '': action({}, (given) => (isShared(given.terminal) ? listShared(given) : list(given))),
    back: action(languageOption, (given) => (isShared(given.terminal) ? backShared(given) : back(given))),
  },
};

/** Longest wait until replicas say that they serve what they were told, in milliseconds: longer than they ask by themselves. */
const takingMs = 15_000;

async function list({ terminal }: Given): Promise<void> {
  const { current, digest, kept } = await setsInService(definitionOptions(root), folderOf(terminal));
  for (const set of kept)
    terminal.out(
      `${set.version.padEnd(18)} ${set.since.toISOString()}${set.digest === digest ? '  the files are this one' : ''}\n`,
    );
  if (kept.length === 0) terminal.out('No server has kept a set here yet.\n');
  if (current === null) terminal.out('The files do not compile: portal definitions check says why.\n');
}

async function listShared({ terminal }: Given): Promise<void> {
  await withStore(terminal, async ({ store }) => {
    const { list: sets, replicas } = await sharedSets(new DefinitionSets(store));
    for (const { version, digest, at, by } of sets) {
      terminal.out(`${version.padEnd(18)} ${at.toISOString()}  ${by}\n`);
      for (const replica of replicas) if (replica.digest === digest) terminal.out(`  ${describe(replica)}\n`);
    }
    if (sets.length === 0) terminal.out('No server has put a set in service yet.\n');
  });
}

async function back({ words: [version], options, terminal }: Given<typeof languageOption>): Promise<void> {
  const language = readLanguage(options.lang);
  const place = { folder: folderOf(terminal), version, now: systemClock.now() };
  const taken = await takeBack(definitionOptions(root), place).catch(throwMendable);
  if (taken === null) throw noSet(version);
  terminal.out(
    `${listOf(taken.changes, language)}The files are those of ${taken.version} again; what they were is kept.\n`,
  );
}

async function backShared({ words: [version], options, terminal }: Given<typeof languageOption>): Promise<void> {
  const language = readLanguage(options.lang);
  await withStore(terminal, async ({ store }) => {
    const sets = new DefinitionSets(store);
    const by = `${terminal.env['USER'] ?? 'portal'}@${hostname()}`;
    const taken = await takeBackShared(definitionOptions(root), sets, { version, by }).catch(throwMendable);
    if (taken === null) throw noSet(version);
    const { set, before, changes } = taken;
    terminal.out(
      `${listOf(changes, language)}${set.version} is in service again; "portal definitions back ${before.version}" is the way forward.\n`,
    );
    const replicas = await untilTaken(sets, set.digest, takingMs);
    for (const replica of replicas)
      terminal.out(
        `  ${describe(replica)}${replica.digest === set.digest ? '' : ', not the set that was announced'}\n`,
      );
    if (replicas.some(({ digest }) => digest !== set.digest))
      throw new CommandError('Not every replica serves that set: the log of those that do not says why.');
  });
}

function describe({ name, version, problem }: ServingReplica): string {
  return `${name} serves ${version}${problem === null ? '' : `: ${problem}`}`;
}

function throwMendable(error: unknown): never {
  throw error instanceof DefinitionError ? new CommandError(error.message, { cause: error }) : error;
}

function noSet(version: string | undefined): CommandError {
  return new CommandError(`There is no set to take back${version === undefined ? '' : ` of version ${version}`}.`);
}

function isShared({ env }: Terminal): boolean {
  return readConfig(readEnvironment(env)).databaseUrl !== null;
}

function folderOf({ env }: Terminal): string {
  return join(readConfig(readEnvironment(env)).dataDir, 'definitions');
}
