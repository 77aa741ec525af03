import { isObject } from '../../engine/core/json.ts';
import type { FlowServices } from '../../engine/runtime/flow-services.ts';
import type { Steps, FlowSteps } from '../../engine/runtime/steps.ts';
import { openSavedSteps, type SavedStepsParts, type JourneyStore } from '../../engine/runtime/saved-steps.ts';

/** Opens the steps of a flow with progress saved to the account. If saving is not possible, progress lasts as long as the page. */
export function openSaved(
  Base: typeof FlowSteps,
  parts: Omit<SavedStepsParts, 'journeys'>,
  { facts, invoke }: Pick<FlowServices, 'facts' | 'invoke'>,
): Steps {
  const journeys: JourneyStore = {
    owner() {
      const { authenticated, user } = facts();
      return authenticated === true && isObject(user) && typeof user.id === 'string' ? user.id : null;
    },
    async load(id) {
      const answer = await invoke('getSavedFlow', { params: { flujo: id } });
      return answer.ok && isObject(answer.result) ? fromWire(answer.result.guardado) : null;
    },
    async save(id, { state, done, forms, variables }) {
      const body = { estado: state, hechos: done, formularios: forms, variables };
      await invoke('saveFlow', { params: { flujo: id }, body });
    },
    async forget(id) {
      await invoke('forgetFlow', { params: { flujo: id } });
    },
  };
  return openSavedSteps(Base, { ...parts, journeys });
}

function fromWire(saved: unknown): unknown {
  if (!isObject(saved)) return null;
  const { estado: state, hechos: done, formularios: forms, variables } = saved;
  return { state, done, forms, variables };
}
