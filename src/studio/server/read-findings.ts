import { fork, type ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { StudioFinding } from '../studio-data.ts';

/** Longest wait for the checker. */
const limitMs = 120_000;

/**
 * What the checker finds in the project as it stands, by a process beside this one: it stays, since the first of its walks takes ten times as
 * long as those over what it knows already. One question at a time: its callers see to that.
 */
export class FindingReader {
  readonly #root: string;
  #checker: ChildProcess | null = null;

  constructor(root: string) {
    this.#root = root;
  }

  async read(): Promise<readonly StudioFinding[]> {
    const checker = (this.#checker ??= this.#start());
    try {
      return await new Promise<readonly StudioFinding[]>((resolve, reject) => {
        setTimeout(() => reject(new Error('The checker does not answer.')), limitMs).unref();
        checker.once('exit', () => reject(new Error('The checker ended.')));
        checker.once('message', (message) => resolve(message as readonly StudioFinding[])); // written by that script from the same type
        checker.send('walk');
      });
    } catch (error) {
      this.close();
      throw error;
    } finally {
      checker.removeAllListeners();
    }
  }

  /** Ends the process; the next question starts another. */
  close(): void {
    this.#checker?.kill();
    this.#checker = null;
  }

  #start(): ChildProcess {
    const script = join(this.#root, 'src/studio/server/walk-set.ts');
    const checker = fork(join(this.#root, 'src/cli/run.mjs'), [script], { cwd: this.#root });
    // Drawing and saving come first.
    if (checker.pid !== undefined) setPriority(checker.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    checker.unref();
    checker.channel?.unref();
    return checker;
  }
}
