import type { Json } from '../../../../core/json.ts';
import type { LintRule, Finding } from '../../finding.ts';
import { anything } from '../../shapes.ts';
import type { LintedScreen, Subject } from '../../subject.ts';
import { listParts } from '../../../explore/drawn.ts';
import { decide } from '../../../explore/evaluate-rules.ts';
import { say } from '../../../sources/say.ts';

/** A part of a screen whose `visible` holds always, or never, on whatever walk it is drawn. */
export const walkPart: LintRule<Subject> = {
  id: 'walk/part',
  severity: 'W',
  find: (subject) => [...subject.screens.values()].flatMap((screen) => ofScreen(screen, subject)),
};

function ofScreen({ id, ui, files }: LintedScreen, { flows }: Subject): readonly Finding[] {
  const file = files.ui;
  const ownRules = listParts(ui).flatMap(({ pointer, visible }) =>
    visible === undefined ? [] : [[pointer, visible] as const],
  );
  const ofFields = Object.entries(ui.visible ?? {}).map(([name, rule]) => [`/visible/${name}`, rule] as const);
  const rules = [...ownRules, ...ofFields];
  if (!file || rules.length === 0 || flows.some(({ exploration }) => exploration.capped)) return [];
  const worlds = flows.flatMap(({ flow, exploration }) =>
    exploration.nodes
      .filter(({ state, open }) => flow.states[state]?.screen === id && (open || flow.states[state].block))
      .map(({ assignment }) => assignment.enterRoots([['form', anything]])),
  );
  return rules.flatMap(([pointer, rule]: readonly [string, Json]) => {
    const [first, ...others] = worlds;
    const only = first && decide(rule, first);
    if (typeof only !== 'boolean' || others.some((assignment) => decide(rule, assignment) !== only)) return [];
    return [
      {
        file,
        pointer: pointer.startsWith('/visible') ? pointer : `${pointer}/visible`,
        message: only ? say`This rule always holds.` : say`This part is never shown.`,
        hint: only ? say`Remove "visible".` : say`Mend the rule, or what assigns its variable, or remove the part.`,
        ...(only ? { fix: [{ file: file.path, pointer: `${pointer}/visible` }] } : {}),
      },
    ];
  });
}
