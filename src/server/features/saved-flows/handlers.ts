import { OperationError } from '../../platform/base/errors.ts';
import type { Handler, Handlers } from '../../platform/base/operation-request.ts';
import { after, type Clock } from '../../platform/base/clock.ts';
import type { Definitions } from '../../../engine/compiler/definitions.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { dropJourneys, heldJourneys, keepJourney } from './saved-flows.ts';

const day = 24 * 60 * 60;

interface Needs {
  readonly store: Store;
  readonly commands: Commands;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly definitions: () => Definitions;
}

export function savedFlowHandlers(needs: Needs) {
  return {
    getSavedFlow: getSavedFlow(needs),
    saveFlow: saveFlow(needs),
    forgetFlow: forgetFlow(needs),
  } satisfies Partial<Handlers>;
}

/** An unknown flow, or one that no longer saves its progress, gets the same response as one without saved progress. */
function getSavedFlow({ store, clock, vault, definitions }: Needs): Handler<'getSavedFlow'> {
  return async ({ caller, params }) => {
    const { citizen } = await ownCitizen(store.db, caller);
    const flow = params['flujo'] ?? '';
    const held = await heldJourneys(store.db, vault, citizen.id, clock.now());
    const journey = held.find((one) => one.flow === flow)?.journey;
    const saved = journey && definitions().savedJourney(flow, journey);
    if (!saved) return { body: { guardado: null } };
    const { state, done, forms, variables } = saved;
    return { body: { guardado: { estado: state, hechos: [...done], formularios: forms, variables } } };
  };
}

/** Stores only the values that the flow declares to save, whatever the client sent. */
function saveFlow({ commands, vault, definitions }: Needs): Handler<'saveFlow'> {
  return async ({ body, caller, origin, params }) => {
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
}

function forgetFlow({ commands }: Needs): Handler<'forgetFlow'> {
  return async ({ caller, origin, params }) => {
    const flow = params['flujo'] ?? '';
    await commands.run(origin, async ({ tx, audit }) => {
      const { citizen } = await ownCitizen(tx, caller);
      if ((await dropJourneys(tx, citizen.id, [flow])) > 0) await audit('flow-forgotten', citizen.id, { flow });
    });
    return { body: {} };
  };
}
