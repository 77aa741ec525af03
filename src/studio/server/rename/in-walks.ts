import type { Walk } from '../../walk/walk.ts';
import type { JsonString } from './replace-strings.ts';

/** Where a string of a file of walks stands: the state that its step is done in, or that it comes to; null: no state is known there. */
export function stateOfWalk(walks: readonly Walk[], initial: string, { path }: JsonString): string | null {
  const [, index, part, step, ...rest] = path;
  const walk = walks[Number(index)];
  if (!walk) return null;
  const comesTo = part === 'then' || (part === 'steps' && rest[0] === 'then');
  const done = part === 'steps' ? Number(step) : -1;
  const places = [walk.then, ...(walk.steps ?? []).map(({ then }) => then)];
  if (comesTo) return places[done + 1]?.state ?? null;
  return done < 0 ? (walk.at ?? initial) : (places[done]?.state ?? (done === 0 ? (walk.at ?? initial) : null));
}
