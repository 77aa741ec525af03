import { fork, type ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { StudioFinding } from '../studio-data.ts';

/** Longest wait for the checker. */
const limitMs = 120_000;

/**
 * What the checker finds in the project as it stands, by a process beside this one: it stays, since the first of its walks takes ten times as
 * long as those over what it knows already. One question at a time.
 */
export class FindingReader {
  readonly #root: string;
  #checker: ChildProcess | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(root: string) {
    this.#root = root;
  }

  /** With `texts` those of the project after some of its files had these; null: they are gone. */
  read(texts: readonly (readonly [file: string, text: string | null])[] = []): Promise<readonly StudioFinding[]> {
    const answer = this.#turn.then(() => this.#ask(texts));
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  async #ask(texts: readonly (readonly [string, string | null])[]): Promise<readonly StudioFinding[]> {
    const checker = (this.#checker ??= this.#start());
    try {
      return await new Promise<readonly StudioFinding[]>((resolve, reject) => {
        setTimeout(() => reject(new Error('The checker does not answer.')), limitMs).unref();
        checker.once('exit', () => reject(new Error('The checker ended.')));
        checker.once('message', (message) => resolve(message as readonly StudioFinding[])); // written by that script from the same type
        checker.send(texts as (readonly [string, string | null])[]);
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
