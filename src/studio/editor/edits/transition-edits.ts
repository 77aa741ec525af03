import { asObject, isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import { asText } from '../../json-parts.ts';
import type { StudioEdit, StudioSet } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { type Options, createEdit, resolveScreenFiles, readObject } from '../definition-set.ts';
import { listStates, listTransitions } from '../tasks/flow-states.ts';
import { describeSubject } from '../tasks/describe-logic.ts';
import { describeGuardPlace } from '../tasks/editable-rules.ts';
import { disambiguate, createFlowLabels } from '../titles.ts';

export interface TransitionTarget {
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

export function listTargets(set: StudioSet, flow: string): readonly TransitionTarget[] {
  const called = createFlowLabels(set, flow);
  return listStates(set, flow).flatMap((own) =>
    listTransitions(own)
      .filter(([pointer]) => !pointer.endsWith('/requires/else'))
      .flatMap(([pointer, value]) => listTargetsIn(value, pointer))
      .map(([pointer, value]) => {
        const { target, notice, leave } = expandTarget(value);
        return {
          pointer,
          place: describeGuardPlace(pointer, called),
          value,
          target: asText(target),
          notice: asText(notice),
          leaves: formatLeave(leave),
          screen: asText(own.state['screen']),
        };
      }),
  );
}

export function listTargetsIn(value: Json, pointer: string): readonly (readonly [pointer: string, value: Json])[] {
  if (Array.isArray(value)) return value.flatMap((one: Json, index) => listTargetsIn(one, `${pointer}/${index}`));
  const { src, branches, onDone, onError } = asObject(value);
  if (src !== undefined)
    return Object.entries({ onDone, onError }).flatMap(([key, part]) =>
      part === undefined ? [] : listTargetsIn(part, `${pointer}/${key}`),
    );
  return Array.isArray(branches) ? listTargetsIn(branches, `${pointer}/branches`) : [[pointer, value]];
}

export function listNotices(set: StudioSet, flow: string, { screen, target }: TransitionTarget): Options {
  const of = listStates(set, flow).find(({ name }) => name === target)?.state['screen'] ?? screen;
  const texts = {
    ...readObject(set, 'schemas/_shared/notices.json', '/$defs'),
    ...readObject(set, resolveScreenFiles(asText(of)).ui, '/notices'),
  };
  return disambiguate(Object.entries(texts).map(([name, notice]) => [name, asText(asObject(notice)['text']) || name]));
}

interface NewTarget {
  /** New target state. Empty: the branch stays in its state. `undefined`: the target is unchanged. */
  readonly target: string | undefined;
  readonly notice: string;
}

/** Returns the edits that set the target and the notice of a branch. They preserve its other actions. */
export function createTargetEdits(lead: TransitionTarget, now: NewTarget): readonly StudioEdit[] {
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
      : [createEdit(`${lead.pointer}/${key}`, next[key])],
  );
}

export function formatLeave(leave: Json | undefined): string {
  if (leave === undefined) return '';
  const { to, address = to } = isObject(leave) ? asObject(leave) : { address: leave };
  if (typeof address !== 'string') return t('leaves');
  return t('leavesFor', { place: /^\w+(\.\w+)+$/.test(address) ? describeSubject({ var: address }) : address });
}

function expandTarget(value: Json): JsonObject {
  return typeof value === 'string' ? { target: value } : asObject(value);
}

function pick(from: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)));
}
