import { readWay, type SavedWay } from '../../../engine/core/saved.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import type { Vault } from '../../platform/keys/vault.ts';

type Db = Store['db'] | Tx;

/** Whose way it is. */
interface Owner {
  readonly citizenId: string;
  readonly flow: string;
}

/** A way that is held, and until when. */
export interface HeldWay {
  readonly flow: string;
  readonly savedAt: Date;
  readonly expiresAt: Date;
  /** Null: it cannot be opened, e.g. since the server has another key. */
  readonly way: SavedWay | null;
}

/** Keeps a way in the place of the one before; answers whether there was none. The row opens as what it was sealed for alone. */
export async function keepWay(
  tx: Tx,
  vault: Vault,
  { citizenId, flow }: Owner,
  { way, now, expiresAt }: { way: SavedWay; now: Date; expiresAt: Date },
): Promise<boolean> {
  const row = {
    sealed: vault.seal(purposeOf({ citizenId, flow }), JSON.stringify(way)),
    saved_at: now,
    expires_at: expiresAt,
  };
  const known = await tx
    .selectFrom('saved_flows')
    .select('flow')
    .where('citizen_id', '=', citizenId)
    .where('flow', '=', flow)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  await tx
    .insertInto('saved_flows')
    .values({ citizen_id: citizenId, flow, ...row })
    .onConflict((conflict) => conflict.columns(['citizen_id', 'flow']).doUpdateSet(row))
    .execute();
  return known === undefined;
}

/** The ways of a citizen that have not expired, oldest first. */
export async function heldWays(db: Db, vault: Vault, citizenId: string, now: Date): Promise<readonly HeldWay[]> {
  const rows = await db
    .selectFrom('saved_flows')
    .selectAll()
    .where('citizen_id', '=', citizenId)
    .where('expires_at', '>', now)
    .orderBy('saved_at')
    .execute();
  return rows.map(({ flow, sealed, saved_at: savedAt, expires_at: expiresAt }) => ({
    flow,
    savedAt,
    expiresAt,
    way: opened(vault, { citizenId, flow }, sealed),
  }));
}

/** Deletes ways of a citizen, those of some flows or all; answers how many there were. */
export async function dropWays(db: Db, citizenId: string, flows?: readonly string[]): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_flows')
    .where('citizen_id', '=', citizenId)
    .$if(flows !== undefined, (query) => query.where('flow', 'in', flows ?? []))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function purposeOf({ citizenId, flow }: Owner): string {
  return `saved-flow:${citizenId}:${flow}`;
}

function opened(vault: Vault, owner: Owner, sealed: string): SavedWay | null {
  try {
    return readWay(JSON.parse(vault.open(purposeOf(owner), sealed)));
  } catch {
    return null;
  }
}
