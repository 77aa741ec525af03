import { join } from 'node:path';
import { DefinitionError } from '../../engine/compiler/definitions.ts';
import { definitionOptions } from '../../server/app/definition-options.ts';
import { systemClock } from '../../server/platform/base/clock.ts';
import { readEnvironment } from '../../server/platform/config/read-environment.ts';
import { readConfig } from '../../server/platform/config/read-config.ts';
import { action, CommandError, type Command, type Given, type Terminal } from '../command.ts';
import { root } from '../project.ts';
import { listOf } from './changes-report.ts';
import { languageOption, readLanguage } from './language.ts';
import { setsInService, takeBack } from './take-back.ts';

export const command: Command = {
  usage: `Usage:
  portal definitions                                 the sets of screens and flows that were in service on this machine, the latest first
  portal definitions back [VERSION] [--lang es|en]   the files of the set before come back, or those of a version; a running server takes them at once
`,
  verbs: { '': action({}, list), back: action(languageOption, back) },
};

async function list({ terminal }: Given): Promise<void> {
  const { current, digest, kept } = await setsInService(definitionOptions(root), folderOf(terminal));
  for (const set of kept)
    terminal.out(
      `${set.version.padEnd(18)} ${set.since.toISOString()}${set.digest === digest ? '  the files are this one' : ''}\n`,
    );
  if (kept.length === 0) terminal.out('No server has kept a set here yet.\n');
  if (current === null) terminal.out('The files do not compile: portal definitions check says why.\n');
}

async function back({ words: [version], options, terminal }: Given<typeof languageOption>): Promise<void> {
  const language = readLanguage(options.lang);
  const place = { folder: folderOf(terminal), version, now: systemClock.now() };
  const taken = await takeBack(definitionOptions(root), place).catch((error: unknown) => {
    throw error instanceof DefinitionError ? new CommandError(error.message, { cause: error }) : error;
  });
  if (taken === null)
    throw new CommandError(`There is no set to take back${version === undefined ? '' : ` of version ${version}`}.`);
  terminal.out(
    `${listOf(taken.changes, language)}The files are those of ${taken.version} again; what they were is kept.\n`,
  );
}

function folderOf({ env }: Terminal): string {
  return join(readConfig(readEnvironment(env)).dataDir, 'definitions');
}
