import { readJourney, type SavedJourney } from '../../../engine/core/saved.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import { savedFlowPurpose } from './tables.ts';

type Db = Store['db'] | Tx;

/** Whose journey it is. */
interface Owner {
  readonly citizenId: string;
  readonly flow: string;
}

/** A journey that is held, and until when. */
export interface HeldJourney {
  readonly flow: string;
  readonly savedAt: Date;
  readonly expiresAt: Date;
  /** Null: it cannot be opened, e.g. since the server has another key. */
  readonly journey: SavedJourney | null;
}

/** Keeps a journey in the place of the one before; answers whether there was none. The row opens as what it was sealed for alone. */
export async function keepJourney(
  tx: Tx,
  vault: Vault,
  { citizenId, flow }: Owner,
  { journey, now, expiresAt }: { journey: SavedJourney; now: Date; expiresAt: Date },
): Promise<boolean> {
  const row = {
    sealed: vault.seal(savedFlowPurpose({ citizenId, flow }), JSON.stringify(journey)),
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

/** The journeys of a citizen that have not expired, oldest first. */
export async function heldJourneys(
  db: Db,
  vault: Vault,
  citizenId: string,
  now: Date,
): Promise<readonly HeldJourney[]> {
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
    journey: opened(vault, { citizenId, flow }, sealed),
  }));
}

/** Deletes journeys of a citizen, those of some flows or all; answers how many there were. */
export async function dropJourneys(db: Db, citizenId: string, flows?: readonly string[]): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_flows')
    .where('citizen_id', '=', citizenId)
    .$if(flows !== undefined, (query) => query.where('flow', 'in', flows ?? []))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function opened(vault: Vault, owner: Owner, sealed: string): SavedJourney | null {
  try {
    return readJourney(JSON.parse(vault.open(savedFlowPurpose(owner), sealed)));
  } catch {
    return null;
  }
}
