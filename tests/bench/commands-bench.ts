import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import { pino } from 'pino';
import { AuditWriter } from '../../src/server/platform/audit/audit-writer.ts';
import { makeAuditKey, readAuditKey } from '../../src/server/platform/keys/audit-keys.ts';
import { sealAudit } from '../../src/server/platform/audit/seal-audit.ts';
import { systemClock } from '../../src/server/platform/base/clock.ts';
import { openStore, type Store, type Tx } from '../../src/server/platform/database/open-store.ts';
import { ownOrigin } from '../../src/server/platform/base/origin.ts';
import { startPostgres } from '../server/support/postgres.ts';

/** Commands of a cluster on one PostgreSQL. */
export interface CommandFigures {
  readonly work: string;
  readonly perSecond: number;
  /** Times as many as commands that wait for each other. */
  readonly ratio: number;
}

const seconds = 5;
const connections = 16;

/**
 * How many commands a second leave an audit row: with one lock for all, as a chained log needs; without; and while the rows are sealed. All in
 * one run, on a database of its own.
 */
export async function measureCommands(): Promise<readonly CommandFigures[]> {
  const postgres = await startPostgres();
  const store = await openStore({ url: postgres.url, pool: connections }, pino({ level: 'silent' }));
  const key = await readAuditKey(makeAuditKey());
  const writer = new AuditWriter(key);
  try {
    const locked = await rate({ store, writer }, async (tx, command) => {
      await sql`lock table audit in exclusive mode`.execute(tx);
      await command(tx);
    });
    const free = await rate({ store, writer }, (tx, command) => command(tx));
    let sealing = true;
    const sealer = (async () => {
      while (sealing) await sealAudit(store, key, systemClock);
    })();
    const sealed = await rate({ store, writer }, (tx, command) => command(tx));
    sealing = false;
    await sealer;
    return [
      { work: 'commands, one after another', perSecond: Math.round(locked), ratio: 1 },
      { work: 'commands', perSecond: Math.round(free), ratio: round(free / locked) },
      { work: 'commands while their rows are sealed', perSecond: Math.round(sealed), ratio: round(sealed / locked) },
    ];
  } finally {
    await store.close();
    await postgres.stop();
  }
}

/** A command as short as they are: it reads a row, writes another one, and tells the audit log. */
async function rate(
  { store, writer }: { readonly store: Store; readonly writer: AuditWriter },
  run: (tx: Tx, command: (tx: Tx) => Promise<void>) => Promise<void>,
): Promise<number> {
  const began = performance.now();
  const end = began + seconds * 1000;
  let done = 0;
  await Promise.all(
    Array.from({ length: connections }, async (_, worker) => {
      for (let turn = 0; performance.now() < end; turn += 1) {
        await writer.transaction(store, (tx, append) =>
          run(tx, async () => {
            await tx.selectFrom('countries').select('code').where('code', '=', 'uy').executeTakeFirst();
            await tx
              .insertInto('captcha_replays')
              .values({ hash: `${began}-${worker}-${turn}`, expires_at: new Date() })
              .execute();
            await append(ownOrigin('system', 'bench'), {
              at: new Date(),
              action: 'bench',
              citizenId: `citizen-${worker}`,
            });
          }),
        );
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - began) / 1000);
}

function round(ratio: number): number {
  return Math.round(ratio * 10) / 10;
}
