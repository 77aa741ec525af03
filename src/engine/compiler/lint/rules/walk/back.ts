import { escapePointer } from '../../../../core/json-pointer.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { LintedFlow, Subject } from '../../subject.ts';

/** A way back that leads over steps, on to a later one, or nowhere. */
export const walkBack: LintRule<Subject> = {
  id: 'walk/back',
  severity: 'W',
  find: ({ flows }) => flows.flatMap(ofFlow),
};

function ofFlow({ flow, file, placeOf }: LintedFlow): readonly Finding[] {
  return Object.entries(flow.states).flatMap(([name, { back, on = {} }]): readonly Finding[] => {
    const event = on['back'];
    const led = event && 'target' in event && event.guard === undefined ? event.target : undefined;
    const target = event ? led : back;
    const pointer = placeOf(`/states/${escapePointer(name)}${event ? '/on/back' : '/back'}`);
    if (target === name)
      return [
        {
          file,
          pointer,
          message: say`From "${name}" the way back leads to itself.`,
          hint: say`Write the state that it leads to, or remove it.`,
        },
      ];
    return (flow.progress ?? []).flatMap((steps): readonly Finding[] => {
      const [here, there] = [name, target].map((one) => steps.findIndex(({ state }) => state === one));
      if (here === undefined || there === undefined || here < 0 || there < 0) return [];
      const over = steps.slice(there + 1, here).filter(({ guard }) => guard === undefined);
      if (there < here && over.length === 0) return [];
      const before = steps[here - 1]?.state;
      return [
        {
          file,
          pointer,
          message:
            there < here
              ? say`From "${name}" the way back leads to "${target ?? ''}", over ${over.map(({ state }) => state).join(', ')}.`
              : say`From "${name}" the way back leads on, to "${target ?? ''}".`,
          hint:
            before === undefined
              ? say`Remove it: the first step has nothing before it.`
              : say`Remove it: without it the way back leads to the step before, "${before}".`,
          fix: [{ file: file.path, pointer }],
        },
      ];
    });
  });
}
