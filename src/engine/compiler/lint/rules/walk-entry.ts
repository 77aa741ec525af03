import { escapePointer } from '../../../core/json-pointer.ts';
import { say } from '../../sources/say.ts';
import { flowRule } from '../subject.ts';
import { findSteps } from '../../explore/entry-points.ts';

/** Reports addresses that always redirect, so that links and reloads never show their page. */
export const walkEntry = flowRule('walk/entry', 'N', ({ flow, file, placeOf, exploration }) => {
  if (exploration.capped) return [];
  const opened = new Set(exploration.nodes.flatMap(({ state, before }) => (before === null ? [state] : [])));
  return Object.entries(flow.states).flatMap(([name, { path, screen, block, requires, always = [] }]) => {
    if (path === undefined || (screen ?? block) === undefined || opened.has(name) || !exploration.tried.has(name))
      return [];
    if (findSteps(flow, name).indexOf(name) > 0) return []; // a step opens the first step before it with fields
    const led = [...(requires ? [requires.else] : []), ...always.flatMap(({ target }) => target ?? [])];
    return {
      file,
      pointer: placeOf(`/states/${escapePointer(name)}/path`),
      message: say`The address ${path} never opens "${name}": it leads to "${led.join(', ')}".`,
      hint: say`Right where a page only follows another one; else keep what it requires in the address or in the tab ("persist").`,
    };
  });
});
