import { readJourney, type SavedJourney } from '../../../engine/core/saved.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import type { Vault } from '../../platform/keys/vault.ts';

type Db = Store['db'] | Tx;

interface Owner {
  readonly citizenId: string;
  readonly flow: string;
}

/** Binds an encrypted journey to its citizen and flow. */
export function savedFlowPurpose({ citizenId, flow }: Owner): string {
  return `saved-flow:${citizenId}:${flow}`;
}

interface HeldJourney {
  readonly flow: string;
  readonly savedAt: Date;
  readonly expiresAt: Date;
  /** `null` if it cannot be decrypted, for example because the server has another key. */
  readonly journey: SavedJourney | null;
}

/** Stores a journey, replacing the previous one. Returns `true` if there was none. The encryption binds it to this citizen and flow. */
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

/** Deletes a citizen's journeys, of some flows or of all. Returns how many there were. */
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
