import { baseLanguage } from '../../contract/portal-config.ts';
import type { ServedDefinitions } from '../../engine/compiler/definitions.ts';
import { hashForUrl } from '../../engine/compiler/sources/hash-for-url.ts';
import type { Flow } from '../../engine/core/flow-and-screen-types.ts';
import { groupBy } from '../../engine/core/json.ts';
import type { LocalizedText } from '../../engine/compiler/sources/localized-text.ts';
import { buildScenarioPath } from '../../studio/scenario/scenario.ts';
import { hashSnapshotRenderer, openSnapshotRenderer, type SnapshotRenderer } from './cases/screen-snapshots.ts';
import {
  checkScreens,
  findModulePath,
  readModule,
  rejectsValidCase,
  type CheckContext,
  type ScreenCheckResult,
} from './check-screens.ts';
import { formatShortList, type createLocalizedPrint, localize } from './localized-output.ts';
import type { FlowScenarios } from './cases/read-scenarios.ts';

export interface ScenarioCheckResult {
  readonly flow: string;
  /** Path of the scenarios. */
  readonly file: string;
  readonly screens: readonly string[];
  readonly broken: readonly { readonly name: string; readonly mismatch: string }[];
}

/** Lists the scenarios of flows that changed, or whose screens changed, since they last passed. `screens` selects the flows that show one of them. */
export function listUncheckedScenarios(
  context: CheckContext,
  all: readonly FlowScenarios[],
  screens: readonly string[],
): readonly FlowScenarios[] {
  return all
    .filter(
      ({ flow }) =>
        screens.length === 0 || listScreens(context.definitions, flow).some((screen) => screens.includes(screen)),
    )
    .filter((own) => context.kept.get(buildResultKey(own))?.inputs !== hashInputs(context, own));
}

/** Opens the renderer only if something has to be checked, because it takes most of the time. */
export async function checkScreensAndScenarios(
  checkContext: CheckContext,
  screens: readonly string[],
  scenarios: readonly FlowScenarios[],
  accept: boolean,
) {
  if (screens.length === 0 && scenarios.length === 0) return { results: [], replayed: [] };
  const renderer = await openSnapshotRenderer();
  try {
    const results = await checkScreens(checkContext, renderer, screens, accept);
    return { results, replayed: await checkScenarios(checkContext, renderer, scenarios) };
  } finally {
    await renderer.close();
  }
}

async function checkScenarios(context: CheckContext, { replay }: SnapshotRenderer, all: readonly FlowScenarios[]) {
  const results: ScenarioCheckResult[] = [];
  for (const own of all) {
    const flow = context.definitions.flows[own.flow] as Flow; // `readScenarios` has reported scenarios of unknown flows
    const broken: { name: string; mismatch: string }[] = [];
    for (const walk of own.walks.filter(({ todo }) => todo === undefined)) {
      const mismatch = await replay(flow, walk, (screen) => readModule(context.definitions, screen, baseLanguage));
      if (mismatch !== null) broken.push({ name: walk.name, mismatch });
    }
    if (broken.length === 0) context.kept.set(buildResultKey(own), { inputs: hashInputs(context, own), value: true });
    const screens = listScreens(context.definitions, own.flow);
    results.push({ flow: own.flow, file: buildScenarioPath(own.flow), screens, broken });
  }
  return results;
}

function hashInputs({ definitions }: CheckContext, { flow, walks }: FlowScenarios): string {
  const own = definitions.flows[flow];
  const modules = listScreens(definitions, flow).map((screen) => findModulePath(definitions, screen, baseLanguage));
  return hashForUrl([hashSnapshotRenderer(), JSON.stringify([own, walks]), ...modules].join('\0'));
}

function listScreens({ flows }: ServedDefinitions, flow: string): readonly string[] {
  return Object.values(flows[flow]?.states ?? {}).flatMap(({ screen }) => screen ?? []);
}

function buildResultKey({ flow }: FlowScenarios): string {
  return `scenarios ${flow}`;
}

export function describeBrokenScenarios({ flow, broken }: ScenarioCheckResult): readonly LocalizedText[] {
  return broken.length > 0 ? [localize`walks of ${flow}: ${broken.map(({ name }) => name).join(', ')}`] : [];
}

/** Prints one line for the walks of a flow if one of its screens rejects its case "valid", because they probably fill in the same values. */
export function printBrokenScenarios(
  { flow, file, screens, broken }: ScenarioCheckResult,
  checkedScreens: readonly ScreenCheckResult[],
  print: ReturnType<typeof createLocalizedPrint>,
): void {
  const rejected = checkedScreens.find((own) => screens.includes(own.screen) && rejectsValidCase(own));
  if (rejected && broken.length > 0) {
    print(
      localize`walks that stop: ${broken.length}. Give "fill" of the screen ${rejected.screen} the same values.`,
      `${file}: `,
    );
    return;
  }
  for (const [mismatch, equal] of groupBy(broken, (own) => own.mismatch)) {
    const names = formatShortList(equal.map(({ name }) => `"${name}"`));
    print(equal.length > 1 ? localize`walks ${names}: ${mismatch}` : localize`walk ${names}: ${mismatch}`, `${file}: `);
  }
  if (broken.length > 0)
    print(
      localize`${flow}: if the flow is correct, open the walk in the studio and take what happens now. Otherwise correct the flow.`,
    );
}
