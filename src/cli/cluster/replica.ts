import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A server in a process of its own. */
export interface Replica {
  readonly port: number;
  readonly pid: number;
  /** Resolved when the process has ended, by whatever: its exit code, or null where a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Tells it to stop, and waits until it has. */
  stop(): Promise<void>;
}

/** Starts a server as the image does; answers once it listens. Throws what it printed where it does not start. */
export async function startReplica(root: string, env: NodeJS.ProcessEnv & { readonly PORT: string }): Promise<Replica> {
  const child = spawn(process.execPath, ['src/cli/run.mjs', 'src/server/app/main.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit').then(([code]: unknown[]) => (typeof code === 'number' ? code : null));
  let printed = '';
  await new Promise<void>((listening, failed) => {
    const read = (chunk: unknown): void => {
      printed += String(chunk);
      if (printed.includes('Portal:')) listening();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => failed(new Error(printed)));
  });
  printed = '';
  return {
    port: Number(env.PORT),
    pid: child.pid ?? 0,
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
