import type { Flow } from '../../../src/engine/core/flow-and-screen-types.ts';
import { createJourneySteps } from '../../../src/engine/runtime/journey-steps.ts';
import { describeScenarioMismatch } from '../../../src/studio/scenario/describe-scenario-mismatch.ts';
import { replayToFirstMismatch, type ScenarioReplayOptions } from '../../../src/studio/scenario/replay.ts';
import type { Scenario } from '../../../src/studio/scenario/scenario.ts';
import { loadSource } from './draw-screen.tsx';

/** `readModule` returns the source of a screen's compiled module. */
export function createReplayOptions(readModule: (screen: string) => string): ScenarioReplayOptions {
  return {
    loadScreen: (id) => loadSource(readModule(id)),
    openSteps: createJourneySteps,
  };
}

/** Replays a scenario. Describes the first mismatch in Spanish, or returns `null` if there is none. */
export async function findReplayMismatch(
  flow: Flow,
  scenario: Scenario,
  readModule: (screen: string) => string,
): Promise<string | null> {
  const mismatch = await replayToFirstMismatch(flow, scenario, createReplayOptions(readModule));
  return mismatch && describeScenarioMismatch(mismatch);
}
