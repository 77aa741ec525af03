import { isObject } from '../../engine/core/json.ts';
import type { FlowServices } from '../../engine/runtime/flow-services.ts';
import type { JourneyStore } from '../../engine/runtime/saved-journey-steps.ts';

export { SavedJourneySteps as SavedSteps } from '../../engine/runtime/saved-journey-steps.ts';

/** Saves multi-step flows in the account. If saving fails, only this page has the progress. */
export function createJourneyStore({ facts, invoke }: Pick<FlowServices, 'facts' | 'invoke'>): JourneyStore {
  return {
    owner() {
      const { authenticated, user } = facts();
      return authenticated === true && isObject(user) && typeof user.id === 'string' ? user.id : null;
    },
    async load(id) {
      const answer = await invoke('getSavedFlow', { params: { flujo: id } });
      return answer.ok && isObject(answer.result) ? parseSavedProgress(answer.result.guardado) : null;
    },
    async save(id, { state, done, forms, variables }) {
      const body = { estado: state, hechos: done, formularios: forms, variables };
      await invoke('saveFlow', { params: { flujo: id }, body });
    },
    async forget(id) {
      await invoke('forgetFlow', { params: { flujo: id } });
    },
  };
}

function parseSavedProgress(saved: unknown): unknown {
  if (!isObject(saved)) return null;
  const { estado: state, hechos: done, formularios: forms, variables } = saved;
  return { state, done, forms, variables };
}
