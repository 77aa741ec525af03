import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../../src/cli/project.ts';
import { createBuiltCopy } from '../server/support/built-copy.ts';
import type { ResponseLog } from './response-log.ts';
import type { ChaosCluster } from './chaos-cluster.ts';
import { overloadCluster, type OverloadResult } from './overload.ts';

export interface Fault {
  readonly what: string;
  /** Whether the fault delays mails. Recovery then includes sending them. */
  readonly includesMails?: true;
  /** Whether the fault takes long. It then occurs only if it is requested by name. */
  readonly isLong?: true;
  /** Prepares the fault. The preparation is not part of its duration. */
  readonly prepare?: (cluster: ChaosCluster) => Promise<void>;
  /** Causes the fault and repairs it. `one` is the index of the affected replica. May return a note for the report. */
  strike(cluster: ChaosCluster, one: number, book: ResponseLog): Promise<unknown>;
}

export const faults = {
  kill: {
    what: 'a replica dies by -9 and comes back',
    async strike(cluster, one) {
      await cluster.signal(one, 'SIGKILL');
      await sleep(4_000);
      await cluster.start(one);
    },
  },
  pause: {
    what: 'a replica is paused for 20 s',
    async strike(cluster, one) {
      await cluster.signal(one, 'SIGSTOP');
      await sleep(20_000);
      await cluster.signal(one, 'SIGCONT');
    },
  },
  restart: {
    what: 'PostgreSQL restarts (immediate)',
    async strike({ postgres }) {
      await postgres.kill();
      await sleep(1_000);
      await postgres.start();
    },
  },
  failover: {
    what: 'PostgreSQL dies, its synchronous standby is promoted',
    prepare: ({ postgres }) => postgres.addStandby(),
    async strike({ postgres, network }) {
      await postgres.kill();
      await sleep(2_000);
      await postgres.promote();
      network.database.redirectTo(postgres.url());
    },
  },
  cut: {
    what: 'every connection to PostgreSQL is cut, ten times a second',
    async strike({ network }) {
      for (let count = 0; count < 50; count += 1) {
        network.database.cut();
        await sleep(100);
      }
    },
  },
  slow: {
    what: 'PostgreSQL is 200 ms further away in each direction',
    async strike({ network }) {
      network.database.slow(200);
      await sleep(10_000);
      network.database.restore();
    },
  },
  'mail-down': {
    what: 'the mail server is down',
    includesMails: true,
    async strike({ network }) {
      network.mail.refuse();
      await sleep(15_000);
      network.mail.restore();
    },
  },
  'mail-down-long': {
    what: 'the mail server is down for ten minutes',
    includesMails: true,
    isLong: true,
    async strike({ network }) {
      network.mail.refuse();
      await sleep(600_000);
      network.mail.restore();
    },
  },
  'mail-slow': {
    what: 'the mail server is 1 s away in each direction',
    includesMails: true,
    async strike({ network }) {
      network.mail.slow(1_000);
      await sleep(15_000);
      network.mail.restore();
    },
  },
  overload: {
    what: 'twice as many sign-ins come as the replicas carry, with PostgreSQL 40 ms away',
    async strike({ network, url }, _, book) {
      network.database.slow(20); // makes database connections the bottleneck instead of the CPU
      const said = describeOverload(await overloadCluster(url, book));
      network.database.restore();
      return said;
    },
  },
  'overload-cpu': {
    what: 'twice as many sign-ins come as the replicas carry, which share the processor with what loads them',
    strike: async ({ url }, _, book) => describeOverload(await overloadCluster(url, book)),
  },
  registry: {
    what: 'the identity registry never answers',
    async strike({ registry }) {
      registry.answers = false;
      await sleep(10_000);
      registry.answers = true;
    },
  },
  disk: {
    what: 'the disk of a replica is full: files, and those of the system',
    async strike(cluster, one) {
      const disk = join(cluster.folder, 'disk');
      execFileSync('mkdir', ['-p', disk]);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'none', disk]); // `mount` requires root
      try {
        await cluster.stop(one);
        await cluster.start(one, { env: { DATA_DIR: disk, TMPDIR: disk } });
        spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'full')}`], { stdio: 'ignore' }); // fills the disk
        if (statfsSync(disk).bavail > 0) throw new Error('the disk is not full');
        await sleep(10_000);
        await cluster.stop(one);
      } finally {
        execFileSync('umount', ['-l', disk]);
      }
      await cluster.start(one);
    },
  },
  clocks: {
    what: 'the clock of a replica is two minutes ahead',
    async strike(cluster, one) {
      const clock = join(projectRoot, 'tests/chaos/shifted-clock.mjs');
      await cluster.stop(one);
      await cluster.start(one, { env: { NODE_OPTIONS: `--import=${clock}`, CLOCK_SHIFT_MS: '120000' } });
      if ((await readCaptchaExpiry(cluster, one)) < (await readCaptchaExpiry(cluster, one === 0 ? 1 : 0)) + 100)
        throw new Error('the clock is not ahead');
      await sleep(15_000);
      await cluster.stop(one);
      await cluster.start(one);
    },
  },
  rolling: {
    what: 'a rolling restart of every replica',
    async strike(cluster) {
      for (const index of cluster.ports.keys()) {
        await cluster.stop(index);
        await cluster.start(index);
      }
    },
  },
  version: {
    what: 'a rolling change to an image with other screens and scripts',
    async strike(cluster) {
      const before = await readVersion(cluster);
      const script = 'page-B2.js';
      const other = createBuiltCopy(undefined, script);
      cluster.onClose(() => rmSync(other, { recursive: true, force: true }));
      const file = join(other, 'schemas/registro/ui.json');
      const ui = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
      writeFileSync(file, JSON.stringify({ ...ui, title: 'Registro' }));
      for (const index of cluster.ports.keys()) {
        await cluster.stop(index);
        await cluster.start(index, { root: other });
        await expectServedEverywhere(cluster, ['/assets/page-A1.js', `/assets/${script}`]);
      }
      if ((await readVersion(cluster)) === before) throw new Error('the screens are the same');
    },
  },
} as const satisfies Readonly<Record<string, Fault>>;

/**
 * Throws if a replica does not serve one of the scripts, because a page of one image requests scripts from every
 * replica. Retries while a replica is busy.
 */
async function expectServedEverywhere({ ports }: ChaosCluster, scripts: readonly string[]): Promise<void> {
  for (const port of ports)
    for (const script of scripts) {
      let status = 503;
      for (; status === 503; await sleep(200)) ({ status } = await fetch(`http://127.0.0.1:${port}${script}`));
      if (status !== 200) throw new Error(`the replica on ${port} answers ${status} to ${script}`);
    }
}

/** Returns the version of the definitions that the first replica serves. */
async function readVersion({ ports: [first] }: ChaosCluster): Promise<unknown> {
  const answer = (await (await fetch(`http://127.0.0.1:${first}/readyz`)).json()) as { definitions?: unknown };
  return answer.definitions;
}

/** Returns the expiry time of a new captcha, in seconds of the replica's clock. */
async function readCaptchaExpiry({ ports }: ChaosCluster, index: number): Promise<number> {
  const { challenge } = (await (await fetch(`http://127.0.0.1:${ports[index]}/rest/captcha/`)).json()) as {
    challenge: { parameters: { expiresAt: number } };
  };
  return challenge.parameters.expiresAt;
}

export type FaultName = keyof typeof faults;

/** Timeline of one fault, in milliseconds. */
export interface FaultReport {
  readonly name: FaultName;
  readonly began: number;
  readonly ended: number;
  /** Time at which all replicas had recovered. `null` if they exceeded the time limit. */
  readonly recovered: number | null;
  /** Observation of the fault, for the report. */
  readonly note: string | null;
}

function describeOverload({ capacity, came, served, shed, failed, rate, p99 }: OverloadResult): string {
  const share = Math.round((rate / capacity) * 100);
  const others = [...new Set(failed)].map((what) => `, ${failed.filter((one) => one === what).length} ${what}`);
  return `Overload: ${capacity.toFixed(0)} sign-ins a second are carried; of ${came} that came at twice that, ${served} were served (${share} % of the rate, p99 ${p99.toFixed(0)} ms) and ${shed} shed${others.join('')}.`;
}
