import { join } from 'node:path';
import { DefinitionError } from '../../engine/compiler/definitions.ts';
import { definitionOptions } from '../../server/app/definition-options.ts';
import { systemClock } from '../../server/platform/base/clock.ts';
import { ConfigError, readConfig } from '../../server/platform/config/read-config.ts';
import { listOf } from './changes-report.ts';
import { setsInService, takeBack } from './take-back.ts';
import { root } from '../project.ts';

const usage = `Usage:
  npm run definitions                     the sets of screens and flows that were in service on this machine, the latest first
  npm run definitions -- back [VERSION]   the files of the set before come back, or those of a version; a running server takes them at once
`;

async function run(verb: string | undefined, version: string | undefined): Promise<number> {
  const folder = join(readConfig(process.env).dataDir, 'definitions');
  const options = definitionOptions(root);
  if (verb === undefined) {
    const { current, digest, kept } = await setsInService(options, folder);
    for (const set of kept)
      process.stdout.write(
        `${set.version.padEnd(18)} ${set.since.toISOString()}${set.digest === digest ? '  the files are this one' : ''}\n`,
      );
    if (kept.length === 0) process.stdout.write('No server has kept a set here yet.\n');
    if (current === null) process.stdout.write('The files do not compile: npm run check:definitions says why.\n');
    return 0;
  }
  if (verb !== 'back') return refuse(`There is no command ${verb}.\n${usage}`);
  const taken = await takeBack(options, { folder, version, now: systemClock.now() });
  if (taken === null)
    return refuse(`There is no set to take back${version === undefined ? '' : ` of version ${version}`}.\n`);
  process.stdout.write(
    `${listOf(taken.changes, 'en')}The files are those of ${taken.version} again; what they were is kept.\n`,
  );
  return 0;
}

function refuse(text: string): number {
  process.stderr.write(text);
  return 2;
}

try {
  process.exitCode = await run(process.argv[2], process.argv[3]);
} catch (error) {
  if (!(error instanceof DefinitionError) && !(error instanceof ConfigError)) throw error;
  process.exitCode = refuse(`${error.message}\n`);
}
