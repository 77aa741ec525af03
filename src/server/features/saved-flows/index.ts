import { createExpiryPurgeRule } from '../../platform/modules/table-descriptions.ts';
import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };
import { defineAttemptLimits, allowAttemptsPerHour } from '../../platform/modules/attempt-limits.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import { secondsPerDay } from '../../platform/base/fixed-periods.ts';
import { createAccountCommandHandler, createAccountReadHandler } from '../handler-context.ts';
import { parseSavedJourney, type SavedJourney } from '../../../engine/core/saved-journey.ts';
import type { DatabaseStore } from '../../platform/database/open-store.ts';
import type { Vault } from '../../platform/keys/vault.ts';

export const serverModule = {
  handlers: () => ({ getSavedFlow, saveFlow, forgetFlow }),
  texts,
  limits: defineAttemptLimits({
    saveFlow: { address: allowAttemptsPerHour(1_200), document: allowAttemptsPerHour(240) },
  }),
  tables: {
    saved_flows: {
      data: 'Input of a citizen in an unfinished flow',
      why: 'Continuing the flow later',
      readers: ['citizen'],
      encrypted: {
        sealed: (row) =>
          buildSavedFlowEncryptionPurpose({ citizenId: String(row['citizen_id']), flow: String(row['flow']) }),
      },
      retention: createExpiryPurgeRule('dias_a_medias'),
    },
  },
} as const satisfies ServerModule;

declare module '../../platform/database/schema.ts' {
  interface Database {
    /** Saved progress of citizens in flows. `sealed` is encrypted and bound to the citizen and the flow. */
    saved_flows: { citizen_id: string; flow: string; sealed: string; saved_at: Date; expires_at: Date };
  }
}

/**
 * Returns the caller's saved progress in a flow. An unknown flow, and one that does not save progress any more, get the same response as a flow
 * without saved progress.
 */
const getSavedFlow = createAccountReadHandler<'getSavedFlow'>(
  async ({ citizen }, { params }, { store, clock, vault, definitions }) => {
    const flow = params['flujo'] ?? '';
    const journeys = await listSavedProgress(store.db, vault, citizen.id, clock.now());
    const journey = journeys.find((one) => one.flow === flow)?.journey;
    const saved = journey && definitions().savedJourney(flow, journey);
    if (!saved) return { guardado: null };
    const { state, done, forms, variables } = saved;
    return { guardado: { estado: state, hechos: [...done], formularios: forms, variables } };
  },
);

const saveFlow = createAccountCommandHandler<'saveFlow'>(
  async ({ tx, now, audit, citizen }, { body, params }, { vault, definitions }) => {
    const flow = params['flujo'] ?? '';
    const { flows, savedJourney } = definitions();
    const { estado: state, hechos: done, formularios: forms, variables } = body;
    const journey = savedJourney(flow, { state, done, forms, variables });
    const days = Object.hasOwn(flows, flow) ? flows[flow]?.save?.days : undefined;
    if (!journey || days === undefined) throw new OperationError(404, 'no_encontrado');
    if (citizen.closing_at !== null) return;
    const purpose = buildSavedFlowEncryptionPurpose({ citizenId: citizen.id, flow });
    const row = {
      sealed: vault.encrypt(purpose, JSON.stringify(journey)),
      saved_at: now,
      expires_at: addSeconds(now, days * secondsPerDay),
    };
    const earlier = await tx
      .selectFrom('saved_flows')
      .select('flow')
      .where('citizen_id', '=', citizen.id)
      .where('flow', '=', flow)
      .where('expires_at', '>', now)
      .executeTakeFirst();
    await tx
      .insertInto('saved_flows')
      .values({ citizen_id: citizen.id, flow, ...row })
      .onConflict((conflict) => conflict.columns(['citizen_id', 'flow']).doUpdateSet(row))
      .execute();
    if (earlier === undefined) await audit('flow-saved', citizen.id, { flow });
  },
);

const forgetFlow = createAccountCommandHandler<'forgetFlow'>(async ({ tx, audit, citizen }, { params }) => {
  const flow = params['flujo'] ?? '';
  if ((await deleteSavedProgress(tx, citizen.id, [flow])) > 0) await audit('flow-forgotten', citizen.id, { flow });
});

type Db = DatabaseStore['db'];

interface SavedFlowOwner {
  readonly citizenId: string;
  readonly flow: string;
}

export function buildSavedFlowEncryptionPurpose({ citizenId, flow }: SavedFlowOwner): string {
  return `saved-flow:${citizenId}:${flow}`;
}

export async function listSavedProgress(db: Db, vault: Vault, citizenId: string, now: Date) {
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
    journey: decryptSavedProgress(vault, { citizenId, flow }, sealed),
  }));
}

/** Deletes a citizen's saved progress in `flows`, or in all flows by default. Returns the number of deleted rows. */
export async function deleteSavedProgress(db: Db, citizenId: string, flows?: readonly string[]): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_flows')
    .where('citizen_id', '=', citizenId)
    .$if(flows !== undefined, (query) => query.where('flow', 'in', flows ?? []))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Returns `null` if the progress cannot be decrypted, for example after a change of the server's key. */
function decryptSavedProgress(vault: Vault, owner: SavedFlowOwner, sealed: string): SavedJourney | null {
  try {
    return parseSavedJourney(JSON.parse(vault.decrypt(buildSavedFlowEncryptionPurpose(owner), sealed)));
  } catch {
    return null;
  }
}
