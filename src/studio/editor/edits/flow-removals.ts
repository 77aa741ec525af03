import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { StudioFacts } from '../../dev-data.ts';
import type { FileChange, StudioCases, StudioEdit, StudioSet } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { walksFile, type WalkFile } from '../../walk/walk.ts';
import { valueIn } from '../pending.ts';
import { flowFile, journeysOf, leadsTo, statesOf, transitionsOf, type WrittenPlace } from '../tasks/flow-tasks.ts';
import { logicSentence } from '../tasks/logic-sentence.ts';
import { guardsOfFlow } from '../tasks/rule-places.ts';
import { filesOf } from '../tasks/screen-tasks.ts';
import { titleOf } from '../titles.ts';
import type { Removal } from './removals.ts';

/** The states of a flow, steps among them, and the branches of its transitions that have a guard. */
export function removalsOfFlow(set: StudioSet, facts: StudioFacts, flow: string): readonly Removal[] {
  const branches = guardsOfFlow(set, facts, flow).flatMap(({ pointer, place, logic, names }) => {
    const branch = /^(.*\/\d+)\/guard$/.exec(pointer)?.[1];
    if (branch === undefined || logic === undefined) return [];
    const name = t('removeBranch', { place, rule: logicSentence(logic, names) });
    return { name, changes: changeOf(set, flowFile(flow), [{ pointer: branch }]) };
  });
  return [...statesOf(set, flow).map((own) => stateRemoval(set, flow, own)), ...branches];
}

/** A state with its screen, where no other has it, and the walks that come through it; what led to a step leads to the next one. */
function stateRemoval(set: StudioSet, flow: string, own: WrittenPlace): Removal {
  const file = flowFile(flow);
  const { name, pointer, state } = own;
  const journeys = journeysOf(valueIn(set, file, '/progress'));
  const journey = journeys.find(({ steps }) => steps.includes(name));
  const next = journey?.steps[journey.steps.indexOf(name) + 1];
  const others = statesOf(set, flow).filter((other) => other.name !== name);
  const led = others.flatMap((other) =>
    transitionsOf(other).flatMap(([at, transition]) => leadsTo(name, transition, at)),
  );
  const follows = (at: string): readonly StudioEdit[] => {
    if (next !== undefined) return [{ pointer: at, value: next }];
    // The step before the last one ends the journey as that one did.
    const end = isObject(state['on']) ? (state['on'] as JsonObject)['submit'] : undefined;
    const isWhole = /\/on\/[^/]+$/.test(at);
    return journey && end !== undefined && isWhole ? [{ pointer: at, value: end }] : [];
  };
  const shown = String(state['screen'] ?? '');
  const isAlone = shown !== '' && screensElsewhere(set, flow, own).every((screen) => screen !== shown);
  return {
    name: t('removeState', { name: shown === '' ? name : titleOf(set, shown), key: name }),
    changes: [
      ...changeOf(set, file, [
        ...led.flatMap(follows),
        ...journeys.flatMap(({ pointer: at, steps }) => entryGone(at, steps, name)),
        ...(valueIn(set, file, '/initial') === name && next !== undefined
          ? [{ pointer: '/initial', value: next }]
          : []),
        { pointer },
      ]),
      ...walksGone(set, flow, name),
      ...(isAlone ? Object.values(filesOf(shown)).flatMap((each) => gone(set.files[each])) : []),
    ],
    ...(isAlone && { screen: shown }),
  };
}

/** What goes of the cases of a screen with it. */
export function casesGone({ file, version, pictures }: StudioCases): readonly FileChange[] {
  return [{ file, version }, ...pictures].flatMap(gone);
}

function gone(file: { readonly file: string; readonly version: string | null } | undefined): readonly FileChange[] {
  return !file || file.version === null ? [] : [{ file: file.file, base: file.version, gone: true }];
}

function screensElsewhere(set: StudioSet, flow: string, { pointer }: WrittenPlace): readonly (Json | undefined)[] {
  return Object.keys(set.flows).flatMap((other) =>
    statesOf(set, other)
      .filter((state) => other !== flow || state.pointer !== pointer)
      .map(({ state }) => state['screen']),
  );
}

/** A journey of one step is none. */
function entryGone(pointer: string, steps: readonly string[], name: string): readonly StudioEdit[] {
  if (!steps.includes(name)) return [];
  return [{ pointer: steps.length > 2 ? `${pointer}/${steps.indexOf(name)}` : pointer }];
}

function walksGone(set: StudioSet, flow: string, name: string): readonly FileChange[] {
  const file = walksFile(flow);
  const { walks = [] } = (valueIn(set, file) ?? {}) as unknown as Partial<WalkFile>; // its format is checked
  const through = walks.flatMap(({ at, then, steps = [] }, index) =>
    [at, then?.state, ...steps.map((step) => step.then?.state)].includes(name) ? [index] : [],
  );
  if (through.length > 0 && through.length === walks.length) return gone(set.files[file]);
  return changeOf(
    set,
    file,
    through.toReversed().map((index) => ({ pointer: `/walks/${index}` })),
  );
}

function changeOf(set: StudioSet, file: string, edits: readonly StudioEdit[]): readonly FileChange[] {
  return edits.length === 0 ? [] : [{ file, base: set.files[file]?.version ?? null, edits }];
}
