import type { State, Ui } from '../../../core/definition.ts';
import { restartEvent } from '../../../core/saved.ts';
import { linksOf } from '../../screen/links-of-ui.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import type { FlowCheck } from './flow-check.ts';
import { say } from '../../sources/say.ts';

/** Checks that a state answers each event that its screen raises, and no other. */
export function checkEvents({ around, flow, report }: FlowCheck, at: string, state: State): void {
  const ui = around.screens.get(state.screen ?? '')?.ui;
  if (!ui) return;
  const raised = raisedBy(ui, state);
  const handled = Object.keys(state.on ?? {});
  for (const event of new Set(raised)) {
    const ofEngine = event === 'back' || (event === restartEvent && flow.save !== undefined);
    if (!ofEngine && !handled.includes(event))
      report(
        `${at}/on`,
        say`The screen "${state.screen ?? ''}" raises "${event}", which the state does not answer.`,
        say`Add it to "on".`,
      );
  }
  if (state.back === 'none' && raised.includes('back') && !handled.includes('back'))
    report(
      `${at}/back`,
      say`The screen "${state.screen ?? ''}" has a button or link that goes back, and from this state nothing does.`,
      say`Remove it from ui.json, or say in "on" where "back" leads.`,
    );
  if (state.block !== undefined) return; // a block raises events by its code
  for (const [event, transition] of Object.entries(state.on ?? {})) {
    // What a state around answers is raised somewhere within.
    const within = Object.values(flow.states).filter(({ on }) => on?.[event] === transition);
    if (!within.some((other) => raisedBy(around.screens.get(other.screen ?? '')?.ui, other).includes(event)))
      report(
        `${at}/on/${escapePointer(event)}`,
        say`Nothing on the screen "${state.screen ?? ''}" raises "${event}".`,
        say`Add a button or link with this event to its ui.json, or remove it here.`,
      );
  }
}

function raisedBy(ui: Ui | undefined, { after }: State): readonly string[] {
  return [
    ...(ui?.actions ?? []).map(({ event }) => event),
    ...(ui ? linksOf(ui) : []).flatMap(([, { event }]) => (event === undefined ? [] : [event])),
    ...(after ? [after.event] : []),
  ];
}

/** Checks that a state is no dead end. */
export function checkWaysOut({ around, report }: FlowCheck, at: string, state: State): void {
  const ui: Ui | undefined = around.screens.get(state.screen ?? '')?.ui;
  const ways =
    Object.keys(state.on ?? {}).length +
    (ui?.links?.length ?? 0) +
    (ui?.actions ?? []).filter(({ event }) => event === 'back').length;
  const { type, block, always, invoke } = state;
  if (type === 'final' || block !== undefined || always !== undefined || invoke !== undefined || ways > 0) return;
  report(at, say`This state is a dead end.`, say`Give it an event, a link on its screen, or "type": "final".`);
}
