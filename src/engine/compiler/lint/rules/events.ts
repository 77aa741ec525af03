import type { Branch, State, Step, Ui } from '../../../core/definition.ts';
import type { Json } from '../../../core/json.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { variablesOf } from '../../../core/logic.ts';
import { placeholders } from '../../../core/messages.ts';
import { effectOf } from '../../../core/transition.ts';
import { linksOf } from '../../screen/links-of-ui.ts';
import { say } from '../../sources/say.ts';
import { type Finding, flowRule } from '../subject.ts';
import { listParts } from '../../explore/drawn.ts';
import { guess } from '../../sources/near.ts';

/** Reports two events of a state with the same operation and input: probably an incomplete copy. */
export const eventTwice = flowRule('event/twice', 'W', ({ flow, file, placeOf }) =>
  Object.entries(flow.states).flatMap(([name, { on = {} }]) => {
    const calls = Object.entries(on).flatMap(([event, transition]) =>
      effectOf(transition) ? [{ event, does: JSON.stringify(transition) }] : [],
    );
    return calls.flatMap(({ event, does }, index) => {
      const first = calls.slice(0, index).find((one) => one.does === does);
      if (!first) return [];
      return {
        file,
        pointer: placeOf(`/states/${escapePointer(name)}/on/${escapePointer(event)}`),
        message: say`"${event}" does the same as "${first.event}".`,
        hint: say`Write what it does, or let one button raise both.`,
      };
    });
  }),
);

/** Reports events that a state with a block handles, but neither the block nor its screen raises. */
export const eventBlock = flowRule('event/block', 'E', ({ flow, file, placeOf }, { screens, contract }) =>
  Object.entries(flow.states).flatMap(([name, state]): readonly Finding[] => {
    const events = contract.blocks[state.block ?? '']?.events;
    if (!events) return [];
    const ui = screens.get(state.screen ?? '')?.ui;
    const checkEventBlockScreen = ui
      ? [...(ui.actions ?? []), ...linksOf(ui).map(([, link]) => link)].flatMap(({ event }) => event ?? [])
      : [];
    const raised = [...events, ...checkEventBlockScreen, ...(state.after ? [state.after.event] : [])];
    return Object.keys(state.on ?? {})
      .filter((event) => !raised.includes(event))
      .map((event) => {
        const near = guess(event, raised);
        return {
          file,
          pointer: placeOf(`/states/${escapePointer(name)}/on/${escapePointer(event)}`),
          message: say`The block "${state.block ?? ''}" raises no "${event}".`,
          hint: say`${near}It raises: ${raised.join(', ') || '–'}.`,
        };
      });
  }),
);

/** Reports buttons whose success changes nothing on the screen, so that users press them again. */
export const eventSilent = flowRule('event/silent', 'W', ({ flow, file, pointers, placeOf }, { screens, contract }) =>
  Object.entries(flow.states).flatMap(([name, state]) => {
    const ui = screens.get(state.screen ?? '')?.ui;
    if (!ui || state.block !== undefined) return []; // unknown: blocks draw in their code
    const seen = readsOf(ui, state, (flow.progress ?? []).flat());
    if (seen === null || (contract.changing ?? []).some((root) => seen.roots.has(root))) return [];
    return Object.entries(state.on ?? {}).flatMap(([event, transition]) => {
      const effect = effectOf(transition);
      if (!effect || !raises(ui, event)) return [];
      return effect.onDone
        .filter((branch) => isSilent(branch, name, seen.variables))
        .map((branch): Finding => ({
          file,
          pointer: pointers.get(branch) ?? placeOf(`/states/${escapePointer(name)}/on/${escapePointer(event)}`),
          message: say`"${effect.src}" succeeds, and nothing changes on the screen: whoever raised "${event}" does not know.`,
          hint: say`Raise a "notice", lead to another state, or assign something that the screen shows.`,
        }));
    });
  }),
);

/** Returns the variables and fact roots that drawing a state depends on. Returns `null` if it also depends on responses of operations. */
function readsOf(ui: Ui, state: State, steps: readonly Step[]) {
  if (/"source":/.test(JSON.stringify(ui.fields ?? {}))) return null;
  const whole = ui as unknown as Json; // definitions are JSON
  const rules = [whole, state.after?.at, state.chrome, ...steps.map(({ guard }) => guard)];
  const paths = rules.flatMap((rule) => (rule === undefined ? [] : variablesOf(rule)));
  const named = placeholders(JSON.stringify(ui));
  const inRules = paths.flatMap((path) => (path.startsWith('context.') ? (path.split('.')[1] ?? []) : []));
  return {
    variables: new Set([...named, ...inRules]),
    roots: new Set([...named, ...paths.map((path) => path.split('.')[0] ?? '')]),
  };
}

/** Whether a part of the screen raises the event, as opposed to a delay. */
function raises(ui: Ui, event: string): boolean {
  return [...listParts(ui), ...linksOf(ui).map(([, link]) => link)].some((part) => part.event === event);
}

function isSilent(
  { target, challenge, leave, notice, clear = [], assign = {} }: Branch,
  name: string,
  shown: ReadonlySet<string>,
): boolean {
  const stays = (target === undefined || target === name) && challenge === undefined && leave === undefined;
  return stays && notice === undefined && clear.length === 0 && !Object.keys(assign).some((one) => shown.has(one));
}
