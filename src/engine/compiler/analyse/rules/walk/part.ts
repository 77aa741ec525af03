import type { Json } from '../../../../core/json.ts';
import type { AnalysisRule, Finding } from '../../finding.ts';
import { anything } from '../../shapes.ts';
import type { AnalysedScreen, Subject } from '../../subject.ts';
import { partsOf } from '../../walk/drawn.ts';
import { decide } from '../../walk/rules-of-world.ts';
import { say } from '../../../sources/say.ts';

/** A part of a screen whose `visible` holds always, or never, on whatever walk it is drawn. */
export const walkPart: AnalysisRule<Subject> = {
  id: 'walk/part',
  severity: 'W',
  find: (subject) => [...subject.screens.values()].flatMap((screen) => ofScreen(screen, subject)),
};

function ofScreen({ id, ui, files }: AnalysedScreen, { flows }: Subject): readonly Finding[] {
  const shows = flows.flatMap(({ flow, walked }) =>
    walked.moments.filter(({ state, open }) => flow.states[state]?.screen === id && (open || flow.states[state].block)),
  );
  const partial = flows.some(({ walked }) => walked.capped);
  if (!files.ui || shows.length === 0 || partial) return [];
  const file = files.ui;
  const ownRules = partsOf(ui).flatMap(({ pointer, visible }) =>
    visible === undefined ? [] : [[pointer, visible] as const],
  );
  const ofFields = Object.entries(ui.visible ?? {}).map(([name, rule]) => [`/visible/${name}`, rule] as const);
  return [...ownRules, ...ofFields].flatMap(([pointer, rule]: readonly [string, Json]) => {
    const verdicts = new Set(
      shows.map(({ world }) => {
        const verdict = decide(rule, world.enterRoots([['form', anything]]));
        return typeof verdict === 'boolean' ? verdict : null;
      }),
    );
    const [only] = verdicts;
    if (verdicts.size !== 1 || only === null || only === undefined) return [];
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
