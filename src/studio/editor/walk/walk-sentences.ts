import { t } from '../../texts.ts';
import type { BranchPlace } from '../../walk/branches.ts';
import type { ReplayStep, WalkFault } from '../../walk/replay.ts';
import { logicSentence } from '../tasks/logic-sentence.ts';
import type { FlowNames } from '../titles.ts';

export function takenSentence(place: BranchPlace, names: FlowNames): string {
  const { id, state, outcome, branch } = place;
  const where = [
    names.formatState(state),
    pressed(place, names),
    ...(outcome === undefined ? [] : [t(outcome === 'onDone' ? 'done' : 'failed')]),
    t('guardBranch', { number: Number(id.split(' ').at(-1)) }),
  ].join(', ');
  return branch.guard === undefined
    ? t('takenLast', { where })
    : t('taken', { where, rule: logicSentence(branch.guard) });
}

function pressed({ state, on }: BranchPlace, { formatEvent }: FlowNames): string {
  return on === 'always' || on === 'invoke' ? t(on) : formatEvent(state, on);
}

/** Describes the guards of the branches before `branch`, which were false. */
export function otherSentences({ branch, among }: BranchPlace): readonly string[] {
  return among
    .slice(
      0,
      among.findIndex((own) => JSON.stringify(own) === JSON.stringify(branch)),
    )
    .map(({ guard }, index) => t('notTaken', { place: index + 1, rule: logicSentence(guard ?? true) }));
}

export function changeSentences({ before, after, place }: ReplayStep): readonly string[] {
  return Object.keys(place.set).map((name) =>
    t('changedVariable', { name, before: text(before[name]), after: text(after[name]) }),
  );
}

export function describeWalkFault(fault: WalkFault): string {
  const { step } = fault;
  if (fault.kind === 'differs')
    return t('walkDiffers', { step, what: fault.what, expected: text(fault.expected), actual: text(fault.actual) });
  if (fault.kind === 'unmade') return t('walkUnmade', { step, operation: fault.operation });
  if (fault.kind === 'unanswered') return t('walkUnanswered', { step, operation: fault.operation });
  return t(fault.kind === 'field' ? 'walkNoField' : 'walkNoEvent', { step, name: fault.name });
}

export function untakenSentence(place: BranchPlace, names: FlowNames): string {
  const { operation, outcome, branch } = place;
  const [state, on] = [names.formatState(place.state), pressed(place, names)];
  const rule = branch.guard === undefined ? t('sayAlways') : logicSentence(branch.guard);
  return operation === undefined
    ? t('untaken', { state, on, rule })
    : t(outcome === 'onError' ? 'untakenError' : 'untakenDone', { state, on, operation, rule });
}

function text(value: unknown): string {
  return value === undefined || value === null || value === '' ? t('nothing') : JSON.stringify(value);
}
