import type { Logic } from '../../../core/definition.ts';
import { matchPath } from '../../../core/route.ts';
import { linksOf, paragraphsOf } from '../../screen/links-of-ui.ts';
import { checkCondition } from '../logic.ts';
import type { UiCheck, UiSurroundings } from './ui-check.ts';
import { guess } from '../../sources/near.ts';
import { say } from '../../sources/say.ts';

/** Checks what stands around the fields: when it is visible, and where its links lead. */
export function checkParts({ ui, around, report, readable }: UiCheck): void {
  const links = linksOf(ui);
  const lists = {
    title: paragraphsOf(ui.title),
    intro: paragraphsOf(ui.intro),
    actions: ui.actions ?? [],
    'aside/parts': ui.aside?.parts ?? [],
  };
  const parts: readonly (readonly [pointer: string, part: { readonly visible?: Logic }])[] = [
    ...Object.entries(lists).flatMap(([list, items]) =>
      items.map((item, index) => [`/${list}/${index}`, item] as const),
    ),
    ...links,
  ];
  for (const [pointer, { visible }] of parts)
    if (visible !== undefined) checkCondition(report, `${pointer}/visible`, visible, readable);
  for (const [pointer, { to = '' }] of links)
    if (/\s/.test(to)) report(`${pointer}/to`, say`The address "${to}" has a blank.`, say`Write it without.`);
  for (const [pointer, { to }] of links) {
    if (to !== undefined && !isOutside(to, around) && !isPath(to.replace(/[?#].*$/, ''), around)) {
      report(
        `${pointer}/to`,
        say`No flow has the path "${to}".`,
        say`${guess(to, around.paths)}Link to a path of flows/.`,
      );
    }
  }
}

function isPath(path: string, { paths }: UiSurroundings): boolean {
  return [...paths].some((pattern) => matchPath(pattern, path) !== null);
}

/** Whether a link leads out of the portal: a variable of a flow may come from the query, so only a fact may hold the whole address. */
function isOutside(to: string, { facts }: UiSurroundings): boolean {
  const fact = /^\{(\w+)\}$/.exec(to)?.[1];
  return fact === undefined ? /^(https?:|mailto:|tel:)/.test(to) : facts.includes(fact);
}
