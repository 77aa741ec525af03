import { isObject } from '../../../core/json.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { noticesOfSave, savedScreens } from '../../flow/saved-screens.ts';
import { branchesOfState } from '../../flow/branches-of-state.ts';
import type { LintRule, Finding } from '../finding.ts';
import type { Subject } from '../subject.ts';
import { say } from '../../sources/say.ts';

/** A notice that no flow raises, or a shared definition that no schema names. */
export const uiUnused: LintRule<Subject> = {
  id: 'ui/unused',
  severity: 'W',
  find: (subject) => [...ofScreens(subject), ...ofShared(subject)],
};

function ofScreens({ flows, screens }: Subject): readonly Finding[] {
  const raisedOn = noticesByScreen(flows);
  return [...screens.values()].flatMap(({ id, files }) => {
    const file = files.ui;
    const own = isObject(file?.value) ? file.value['notices'] : undefined;
    const raised = raisedOn.get(id) ?? new Set();
    if (!file) return [];
    return Object.keys(isObject(own) ? own : {})
      .filter((name) => !raised.has(name))
      .map((name) => ({
        file,
        pointer: `/notices/${escapePointer(name)}`,
        message: say`No flow raises the notice "${name}" on this screen.`,
        hint: say`Remove it, or name it in a branch ("notice").`,
        fix: [{ file: file.path, pointer: `/notices/${escapePointer(name)}` }],
      }));
  });
}

function ofShared({ set, flows, screens }: Subject): readonly Finding[] {
  const texts = [
    ...set.screens.flatMap(({ schema }) => schema?.text ?? []),
    ...[...set.shared.values()].map(({ text }) => text),
  ].join('\n');
  const raisedOn = noticesByScreen(flows);
  const raised = new Set([...screens.keys()].flatMap((id) => [...(raisedOn.get(id) ?? [])]));
  return [...set.shared].flatMap(([name, file]) => {
    const defs = isObject(file.value) && isObject(file.value['$defs']) ? Object.keys(file.value['$defs']) : [];
    const isUsed = name.startsWith('notices.')
      ? (own: string) => raised.has(own)
      : (own: string) => texts.includes(`#/$defs/${own}"`);
    return defs
      .filter((own) => !isUsed(own))
      .map((own) => ({
        file,
        pointer: `/$defs/${escapePointer(own)}`,
        message: say`Nothing uses "${own}".`,
        hint: say`Remove what nothing uses.`,
        fix: [{ file: file.path, pointer: `/$defs/${escapePointer(own)}` }],
      }));
  });
}

function noticesByScreen(flows: Subject['flows']): ReadonlyMap<string, ReadonlySet<string>> {
  const raised = new Map<string, Set<string>>();
  const add = (notice: string, shown: Iterable<string | undefined>): void => {
    for (const screen of shown)
      if (screen !== undefined) raised.set(screen, (raised.get(screen) ?? new Set()).add(notice));
  };
  for (const { flow } of flows) {
    for (const state of Object.values(flow.states))
      for (const { notice, target, challenge } of branchesOfState(state)) {
        if (notice === undefined) continue;
        if (challenge === undefined) add(notice, [(target === undefined ? state : flow.states[target])?.screen]);
        else add(notice, challengeScreens(flow));
      }
    for (const notice of noticesOfSave(flow)) add(notice, savedScreens(flow));
  }
  return raised;
}

function challengeScreens({
  challenges = {},
  states,
}: Subject['flows'][number]['flow']): readonly (string | undefined)[] {
  return Object.values(challenges).map((name) => states[name]?.screen);
}
