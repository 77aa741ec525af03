import type { Flow } from '../../../core/definition.ts';
import { isUnconditional } from '../../flow/written-flow.ts';

/**
 * States that would send the flow round without an end: each passes on without a guard, and one comes back to it; or one sends back to
 * itself. (Circles through guards are left out: two requirements that exclude each other are a usual way to part citizens.)
 */
export function circlesOf({ states }: Flow): readonly (readonly string[])[] {
  const next = (name: string): readonly string[] => {
    const { requires, always = [] } = states[name] ?? {};
    const [first] = always;
    const on = first && isUnconditional(first) && first.leave === undefined ? [first.target] : [];
    const back = [requires?.else, ...always.map(({ target }) => target)].filter((target) => target === name);
    return [...new Set([...on, ...back])].filter((target) => target !== undefined);
  };
  const circles: (readonly string[])[] = [];
  const done = new Set<string>();
  const walk = (name: string, trail: readonly string[]): void => {
    const start = trail.indexOf(name);
    if (start >= 0) return void circles.push(trail.slice(start));
    if (done.has(name)) return;
    for (const state of next(name)) walk(state, [...trail, name]);
    done.add(name);
  };
  for (const name of Object.keys(states)) walk(name, []);
  return circles;
}
