import { pointerSteps } from '../../../engine/core/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { Walk } from '../../walk/walk.ts';
import { isStateKey, placesOfState, pointerOf, stateOf, statesAround } from './in-flow.ts';
import { replaceStrings, type JsonString } from './replace-strings.ts';

/** Renaming by kind of file. Each function returns the new text. */
export interface Renaming {
  schema(text: string): string;
  /** ui.json and its translations. */
  ui(text: string): string;
  cases(text: string): string;
  snapshot(text: string): string;
  flow(flow: string, text: string): string;
  walks(flow: string, text: string): string;
  /** schemas/_lint.json, which refers to files by pointers. */
  lint(text: string): string;
  /** Reasons for rules and texts without a test case. */
  reasons(text: string): string;
}

export interface Around {
  readonly from: string;
  readonly to: string;
  /** States of each flow that are renamed, or that show the renamed screen. */
  readonly states: Readonly<Record<string, ReadonlySet<string>>>;
  readonly initial: Readonly<Record<string, string>>;
}

const asItIs = (text: string): string => text;
export const nothing: Renaming = {
  schema: asItIs,
  ui: asItIs,
  cases: asItIs,
  snapshot: asItIs,
  flow: (_, text) => text,
  walks: (_, text) => text,
  lint: asItIs,
  reasons: asItIs,
};

export function renamingOfState(flow: string, { from, to }: Around): Renaming {
  return {
    ...nothing,
    flow: (own, text) => {
      if (own !== flow) return text;
      const places = placesOfState(JSON.parse(text) as Json, from);
      return replaceStrings(text, (string) =>
        (isStateKey(string) && string.value === from) || (!string.isKey && places.has(pointerOf(string.path)))
          ? to
          : string.value,
      );
    },
    walks: (own, text) =>
      own !== flow
        ? text
        : replaceStrings(text, ({ path, isKey, value }) => {
            const names =
              !isKey && (path.length === 3 ? path[2] === 'at' : path.at(-2) === 'then' && path.at(-1) === 'state');
            return names && value === from ? to : value;
          }),
    lint: (text) =>
      inLint(text, (file, steps) =>
        file === `flows/${flow}.json`
          ? steps.map((step, at) =>
              isStateKey({ path: steps.slice(0, at + 1), value: step, isKey: true }) && step === from ? to : step,
            )
          : steps,
      ),
  };
}

/** Renames an event of a screen, on its buttons and links and in the states that show it. */
export function renamingOfEvent(screen: string, around: Around): Renaming {
  const { from, to } = around;
  return {
    ...nothing,
    ui: (text) =>
      replaceStrings(text, ({ path, isKey, value }) =>
        value === from && (isKey ? isKeyOfButton(path) : path.at(-1) === 'event') ? to : value,
      ),
    flow: (flow, text) => {
      const meant = statesAround(JSON.parse(text) as Json, around.states[flow] ?? new Set());
      return replaceStrings(text, ({ path, isKey, value }) =>
        isKey && value === from && path.at(-2) === 'on' && meant.has(stateOf(path) ?? '') ? to : value,
      );
    },
    walks: (flow, text) =>
      inWalks(around, flow, text, ({ path, isKey, value }) =>
        !isKey && path.length === 5 && path[4] === 'raise' && value === from ? to : value,
      ),
    lint: (text) =>
      inLint(text, (file, steps) => {
        const meant = around.states[/^flows\/(.+)\.json$/.exec(file)?.[1] ?? ''] ?? new Set();
        const isMeant = meant.has(stateOf(steps) ?? '');
        const isOfScreen = file.startsWith(`schemas/${screen}/`);
        return steps.map((step, at) => {
          const names = (isMeant && steps[at - 1] === 'on') || (isOfScreen && isKeyOfButton(steps.slice(0, at + 1)));
          return names && step === from ? to : step;
        });
      }),
  };
}

/** Whether a key of a translation is the event of a button or link. */
function isKeyOfButton(path: JsonString['path']): boolean {
  return /^(actions|links|aside\/parts\/\d+\/links)$/.test(path.slice(0, -1).join('/'));
}

/** Renames a screen, and thereby its folder. */
export function renamingOfScreen({ from, to }: Around): Renaming {
  return {
    ...nothing,
    schema: (text) =>
      replaceStrings(text, ({ path, isKey, value }) =>
        !isKey && path.at(-1) === '$ref' && value.startsWith(`../${from}/`)
          ? `../${to}/${value.slice(from.length + 4)}`
          : value,
      ),
    snapshot: (text) => text.replaceAll(`data-screen="${from}"`, `data-screen="${to}"`),
    flow: (_, text) =>
      replaceStrings(text, ({ path, isKey, value }) =>
        !isKey && path.at(-1) === 'screen' && stateOf(path) !== null && value === from ? to : value,
      ),
    reasons: (text) =>
      replaceStrings(text, ({ path, isKey, value }) =>
        !isKey && path.at(-1) === 'screen' && value === from ? to : value,
      ),
    lint: (text) =>
      replaceStrings(text, ({ path, value }) =>
        path.at(-1) === 'file' && value.startsWith(`schemas/${from}/`)
          ? `schemas/${to}/${value.slice(`schemas/${from}/`.length)}`
          : value,
      ),
  };
}

/** Replaces strings in the scenarios of a flow, at the states concerned. */
export function inWalks(
  { states, initial }: Around,
  flow: string,
  text: string,
  replace: (string: JsonString) => string,
): string {
  const meant = states[flow] ?? new Set();
  const { walks } = JSON.parse(text) as { readonly walks: readonly Walk[] }; // checked against its format
  return replaceStrings(text, (string) =>
    meant.has(stateOfWalk(walks, initial[flow] ?? '', string) ?? '') ? replace(string) : string.value,
  );
}

/** Replaces steps in the pointers of lint entries. */
export function inLint(text: string, replace: (file: string, steps: readonly string[]) => readonly string[]): string {
  const entries = JSON.parse(text) as readonly Json[]; // checked against its format
  return replaceStrings(text, ({ path: [index, key], isKey, value }) => {
    const entry = entries[Number(index)];
    if (isKey || key !== 'pointer' || !isObject(entry)) return value;
    const { file } = entry as JsonObject;
    return pointerOf(replace(String(file), pointerSteps(value)));
  });
}

/** Returns the state in which a step of a scenario starts or to which it leads, or `null` if it is unknown. */
function stateOfWalk(walks: readonly Walk[], initial: string, { path }: JsonString): string | null {
  const [, index, part, step, ...rest] = path;
  const walk = walks[Number(index)];
  if (!walk) return null;
  const comesTo = part === 'then' || (part === 'steps' && rest[0] === 'then');
  const done = part === 'steps' ? Number(step) : -1;
  const places = [walk.then, ...(walk.steps ?? []).map(({ then }) => then)];
  if (comesTo) return places[done + 1]?.state ?? null;
  return done < 0 ? (walk.at ?? initial) : (places[done]?.state ?? (done === 0 ? (walk.at ?? initial) : null));
}
