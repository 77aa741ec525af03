import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StudioFinding } from '../studio-data.ts';

const run = promisify(execFile);
/** Longest wait for the checker. */
const limitMs = 120_000;

/** What the checker finds in the project as it stands, by a process beside this one. */
export async function readFindings(root: string): Promise<readonly StudioFinding[]> {
  const command = [join(root, 'src/cli/run.mjs'), join(root, 'src/studio/server/walk-set.ts')];
  const { stdout } = await run(process.execPath, command, { cwd: root, maxBuffer: 2 ** 26, timeout: limitMs });
  return JSON.parse(stdout) as readonly StudioFinding[]; // written by that script from the same type
}
