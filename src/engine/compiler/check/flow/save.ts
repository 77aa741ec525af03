import { anyone } from '../../../core/manifest.ts';
import { nameOfPointer } from '../../../core/field-path.ts';
import { effectsOfState } from '../../flow/branches-of-state.ts';
import { noticesOfSave, savedScreens } from '../../flow/saved-screens.ts';
import { propertiesOf } from '../../screen/fields-of-schema.ts';
import { guess } from '../../sources/near.ts';
import type { FlowCheck } from './flow-check.ts';
import { say } from '../../sources/say.ts';

/** Checks what a flow says of saving its journeys: that there are steps of who is signed in, that they come to an end, and what is said of it. */
export function checkSave(check: FlowCheck): void {
  const { flow, report } = check;
  const { save, progress, context = {} } = flow;
  if (!save) {
    for (const [name, { saved }] of Object.entries(context))
      if (saved)
        report(
          `/context/${name}`,
          say`"${name}" is not saved: the flow saves nothing.`,
          say`Add "save", or remove the variable from "saved".`,
        );
    return;
  }
  if (!progress) {
    report('/save', say`The flow has no steps that could be saved.`, say`Name them in "progress", or remove "save".`);
    return;
  }
  checkSteps(check);
  checkNotices(check);
  checkWithout(check, save.without ?? []);
}

function checkSteps({ around, flow, report }: FlowCheck): void {
  const steps = (flow.progress ?? []).flat();
  const words = steps.flatMap(({ state }) => flow.states[state]?.access ?? []);
  const unknown = words.find((word) => word !== anyone && !around.access[word]?.known);
  if (unknown !== undefined)
    return report(
      '/save',
      say`A step is for "${unknown}": of whom that is nobody knows whose journey it would be.`,
      say`Remove "save".`,
    );
  if (!steps.some(({ state }) => effectsOfState(flow.states[state] ?? {}).some((effect) => effect.progress)))
    report(
      '/save',
      say`What is saved would not go at the end of the journey: no step sends the forms of the journey.`,
      say`Write "input": "progress" at the operation that ends it.`,
    );
}

function checkNotices({ around, flow, report }: FlowCheck): void {
  const [resumed = '', refused = ''] = noticesOfSave(flow);
  for (const id of savedScreens(flow)) {
    const notices = around.screens.get(id)?.ui.notices ?? {};
    for (const [word, name] of [
      ['resumed', resumed],
      ['refused', refused],
    ] as const)
      if (!Object.hasOwn(notices, name))
        report(
          `/save/${word}`,
          say`The screen "${id}" has no notice "${name}".`,
          say`Add it to schemas/_shared/notices.json, from where each step takes it.`,
        );
  }
}

function checkWithout({ around, flow, report }: FlowCheck, pointers: readonly string[]): void {
  const fields = new Map(
    [...savedScreens(flow)].flatMap((id) => Object.entries(propertiesOf(around.screens.get(id)?.schema ?? {}))),
  );
  pointers.forEach((pointer, index) => {
    const name = nameOfPointer(pointer);
    const within = [...fields].filter(([field]) => field === name || field.startsWith(`${name}.`));
    if (within.length === 0)
      report(
        `/save/without/${index}`,
        say`No step asks for "${name}".`,
        say`${guess(name, [...fields.keys()])}Name a field of a step.`,
      );
    else if (within.every(([, { writeOnly }]) => writeOnly === true))
      report(`/save/without/${index}`, say`The secret "${name}" is never saved.`, say`Remove it here.`);
  });
}
