import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import type { Replay } from './replay.ts';
import type { WalkReport } from './walk-messages.ts';
import { whyStuck } from './why-stuck.ts';

/** What of a replay the studio sees. */
export function reportOf({ runner, ...walked }: Replay): WalkReport {
  const { view, context } = (runner satisfies FlowRunner).state;
  const { screen = null, block = null, on = {}, back } = view?.state ?? {};
  const events = view && !walked.pending ? [...Object.keys(on), ...(back === 'none' ? [] : ['back'])] : [];
  const stuck = walked.pending
    ? null
    : whyStuck({
        ui: view?.screen?.validator.screen.ui ?? null,
        left: walked.moments.at(-1)?.place.left ?? '',
        scope: { ...walked.facts, context },
      });
  return { ...walked, screen, block, events, stuck };
}
