import { ended } from '../../platform/topics/table.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { hourS } from '../../platform/base/periods.ts';
import { nameLimits } from '../../platform/topics/limit.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { after } from '../../platform/base/clock.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { dropJourneys, heldJourneys, keepJourney, savedFlowPurpose } from './saved-flows.ts';
import type { Handler } from '../parts.ts';

export const topic = {
  handlers: () => ({ getSavedFlow, saveFlow, forgetFlow }),
  texts,
  limits: nameLimits({
    saveFlow: { address: { free: 1_200, windowS: hourS }, document: { free: 240, windowS: hourS } },
  }),
  tables: {
    saved_flows: {
      data: 'What a citizen has filled in of a flow that is not finished',
      why: 'Going on later',
      readers: ['citizen'],
      encrypted: {
        sealed: (row) => savedFlowPurpose({ citizenId: String(row['citizen_id']), flow: String(row['flow']) }),
      },
      kept: ended('dias_a_medias'),
    },
  },
} as const satisfies Topic;

declare module '../../platform/database/schema.ts' {
  interface Database {
    /** Progress of citizens in flows. `sealed` is encrypted, and bound to this citizen and flow. */
    saved_flows: { citizen_id: string; flow: string; sealed: string; saved_at: Date; expires_at: Date };
  }
}

const day = 24 * 60 * 60;

/** An unknown flow, or one that no longer saves its progress, gets the same response as one without saved progress. */
const getSavedFlow: Handler<'getSavedFlow'> = async ({ store, clock, vault, definitions }, { caller, params }) => {
  const { citizen } = await ownCitizen(store.db, caller);
  const flow = params['flujo'] ?? '';
  const held = await heldJourneys(store.db, vault, citizen.id, clock.now());
  const journey = held.find((one) => one.flow === flow)?.journey;
  const saved = journey && definitions().savedJourney(flow, journey);
  if (!saved) return { body: { guardado: null } };
  const { state, done, forms, variables } = saved;
  return { body: { guardado: { estado: state, hechos: [...done], formularios: forms, variables } } };
};

/** Stores only the values that the flow declares to save, and ignores others that the client sent. */
const saveFlow: Handler<'saveFlow'> = async ({ commands, vault, definitions }, { body, caller, origin, params }) => {
  const flow = params['flujo'] ?? '';
  const { flows, savedJourney } = definitions();
  const { estado: state, hechos: done, formularios: forms, variables } = body;
  const journey = savedJourney(flow, { state, done, forms, variables });
  const days = Object.hasOwn(flows, flow) ? flows[flow]?.save?.days : undefined;
  if (!journey || days === undefined) throw new OperationError(404, 'no_encontrado');
  await commands.run(origin, async ({ tx, now, audit }) => {
    const { citizen } = await ownCitizen(tx, caller);
    if (citizen.closing_at !== null) return;
    const begun = await keepJourney(
      tx,
      vault,
      { citizenId: citizen.id, flow },
      { journey, now, expiresAt: after(now, days * day) },
    );
    if (begun) await audit('flow-saved', citizen.id, { flow });
  });
  return { body: {} };
};

const forgetFlow: Handler<'forgetFlow'> = async ({ commands }, { caller, origin, params }) => {
  const flow = params['flujo'] ?? '';
  await commands.run(origin, async ({ tx, audit }) => {
    const { citizen } = await ownCitizen(tx, caller);
    if ((await dropJourneys(tx, citizen.id, [flow])) > 0) await audit('flow-forgotten', citizen.id, { flow });
  });
  return { body: {} };
};
