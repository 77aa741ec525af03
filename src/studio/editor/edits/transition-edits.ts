import { asObject, isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import { asTextOrEmpty } from '../../json-values.ts';
import type { JsonEdit, StudioDefinitions } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import { type SelectOptions, createValueEdit, buildScreenFilePaths, readFileObject } from '../definition-set.ts';
import { listFlowStates, listStateTransitions } from '../tasks/flow-states.ts';
import { describeConditionSubject } from '../tasks/describe-json-logic.ts';
import { describeGuardPlace } from '../tasks/editable-rules.ts';
import { disambiguateLabels, createFlowLabelFormatter, type FlowLabelFormatter } from '../titles.ts';

export interface EditableTransitionBranch {
  readonly pointer: string;
  /** Description of the branch for the analyst, for example "Tus datos, Continuar, si falla, rama 2". */
  readonly place: string;
  readonly value: Json;
  /** Target state. Empty if the branch stays in its state or leaves the flow. */
  readonly target: string;
  readonly notice: string;
  /** Description of the target outside the flow. Empty if the branch does not leave the flow. */
  readonly leaves: string;
  readonly screen: string;
}

export function listEditableTransitionBranches(
  set: StudioDefinitions,
  flow: string,
): readonly EditableTransitionBranch[] {
  const called = createFlowLabelFormatter(set, flow);
  return listFlowStates(set, flow).flatMap((own) =>
    listStateTransitions(own)
      .filter(([pointer]) => !pointer.endsWith('/requires/else'))
      .flatMap(([pointer, value]) => listBranchesWithPointers(value, pointer))
      .map(([pointer, value]) => {
        const { target, notice, leave } = expandTarget(value);
        return {
          pointer,
          place: describeGuardPlace(pointer, called),
          value,
          target: asTextOrEmpty(target),
          notice: asTextOrEmpty(notice),
          leaves: formatLeaveTarget(leave),
          screen: asTextOrEmpty(own.state['screen']),
        };
      }),
  );
}

export function listBranchesWithPointers(
  value: Json,
  pointer: string,
): readonly (readonly [pointer: string, value: Json])[] {
  if (Array.isArray(value))
    return value.flatMap((one: Json, index) => listBranchesWithPointers(one, `${pointer}/${index}`));
  const { src, branches, onDone, onError } = asObject(value);
  if (src !== undefined)
    return Object.entries({ onDone, onError }).flatMap(([key, part]) =>
      part === undefined ? [] : listBranchesWithPointers(part, `${pointer}/${key}`),
    );
  return Array.isArray(branches) ? listBranchesWithPointers(branches, `${pointer}/branches`) : [[pointer, value]];
}

export function listNoticeOptions(
  set: StudioDefinitions,
  flow: string,
  { screen, target }: EditableTransitionBranch,
): SelectOptions {
  const of = listFlowStates(set, flow).find(({ name }) => name === target)?.state['screen'] ?? screen;
  const texts = {
    ...readFileObject(set, 'schemas/_shared/notices.json', '/$defs'),
    ...readFileObject(set, buildScreenFilePaths(asTextOrEmpty(of)).ui, '/notices'),
  };
  return disambiguateLabels(
    Object.entries(texts).map(([name, notice]) => [name, asTextOrEmpty(asObject(notice)['text']) || name]),
  );
}

/** An empty target keeps the branch in its state. `undefined` leaves the target unchanged. */
export function createTransitionTargetEdits(
  lead: EditableTransitionBranch,
  now: { readonly target: string | undefined; readonly notice: string },
): readonly JsonEdit[] {
  const expanded = expandTarget(lead.value);
  const { target: _target, leave: _leave, notice: _notice, ...rest } = expanded;
  const next: JsonObject = {
    ...rest,
    ...(now.notice !== '' && { notice: now.notice }),
    ...(now.target === undefined ? pick(expanded, ['target', 'leave']) : now.target !== '' && { target: now.target }),
  };
  const isSame = JSON.stringify(next) === JSON.stringify({ ...rest, ...pick(expanded, ['notice', 'target', 'leave']) });
  if (isSame) return [];
  if (!isObject(lead.value) || Object.keys(next).length === 0) {
    const isPlain = Object.keys(next).join() === 'target';
    return [{ pointer: lead.pointer, value: isPlain ? (next['target'] ?? null) : next }];
  }
  return ['target', 'leave', 'notice'].flatMap((key) =>
    JSON.stringify(expanded[key]) === JSON.stringify(next[key])
      ? []
      : [createValueEdit(`${lead.pointer}/${key}`, next[key])],
  );
}

export function describeTransitionTarget(value: Json, { formatState }: FlowLabelFormatter): string {
  const { branches, leave, notice, target = value } = asObject(value);
  if (typeof branches === 'string') return t('guard-branches', { name: branches });
  if (typeof target === 'string') return t('goesTo', { name: formatState(target) });
  if (leave !== undefined) return formatLeaveTarget(leave);
  return notice === undefined ? t('stays') : t('placeOf-notices', { name: asTextOrEmpty(notice) });
}

function formatLeaveTarget(leave: Json | undefined): string {
  if (leave === undefined) return '';
  const { to, address = to } = isObject(leave) ? asObject(leave) : { address: leave };
  if (typeof address !== 'string') return t('leaves');
  return t('leavesFor', {
    place: /^\w+(\.\w+)+$/.test(address) ? describeConditionSubject({ var: address }) : address,
  });
}

function expandTarget(value: Json): JsonObject {
  return typeof value === 'string' ? { target: value } : asObject(value);
}

function pick(from: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)));
}
