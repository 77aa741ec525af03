import { baseLanguage } from '../../contract/portal-config.ts';
import { pointerSteps } from '../../engine/core/json-pointer.ts';
import type { Json } from '../../engine/core/json.ts';
import { asList, asObject } from '../json-parts.ts';
import type { DrawnField, StudioSet } from '../studio-data.ts';
import { uiPlace, writtenFields } from './fields/field-place.ts';
import { type Options, resolveScreenFiles, objectIn, valueIn } from './files.ts';
import { t } from '../texts.ts';
import { listStates, type LocatedState } from './tasks/flow-tasks.ts';
import { textPlace } from './text-place.ts';

/** Returns the fields of a screen with their current labels. Labels of shared definitions are the fallback. */
export function drawnFields(set: StudioSet, screen: string): Readonly<Record<string, DrawnField>> {
  const compiled = set.fields[screen] ?? {};
  const names = [...Object.keys(writtenFields(set, screen)), ...Object.keys(compiled)];
  return Object.fromEntries(
    names.map((name) => {
      const own = valueIn(set, resolveScreenFiles(screen).ui, `${uiPlace(name)}/ui:title`);
      const { title, choices } = compiled[name] ?? { title: name, choices: [] };
      return [name, { title: typeof own === 'string' ? own : title, choices }];
    }),
  );
}

export function resolveScreenTitle(set: StudioSet, screen: string): string {
  const title = set.texts[screen]?.find(({ pointer }) => /^\/title(\/0\/text)?$/.test(pointer));
  return title?.texts[baseLanguage] ?? screen;
}

/** Returns the text of the button or link that raises an event. Returns the name of the event if neither exists. */
export function resolveEventLabel(set: StudioSet, screen: string, event: string): string {
  const within = (part: Json): string | undefined => {
    if (Array.isArray(part))
      return asList(part)
        .map(within)
        .find((text) => text !== undefined);
    const { event: own, text, ...others } = asObject(part);
    return own === event && typeof text === 'string'
      ? text
      : Object.values(others)
          .map(within)
          .find((found) => found !== undefined);
  };
  return within(objectIn(set, resolveScreenFiles(screen).ui)) ?? event;
}

/** Returns the states of a flow with labels: the title of the screen, with the name if the title is ambiguous. */
export function stateChoices(set: StudioSet, states: readonly LocatedState[]): Options {
  return distinct(
    states.map(({ name, state: { screen } }) => [
      name,
      typeof screen === 'string' ? resolveScreenTitle(set, screen) : name,
    ]),
  );
}

export function distinct(titled: Options): Options {
  const counts = new Map<string, number>();
  for (const [, title] of titled) counts.set(title, (counts.get(title) ?? 0) + 1);
  return titled.map(([name, title]) => [
    name,
    name !== title && (counts.get(title) ?? 0) > 1 ? t('titled', { title, name }) : title,
  ]);
}

export interface FlowNames {
  readonly formatState: (name: string) => string;
  readonly formatEvent: (state: string, event: string) => string;
}

export function createFlowNames(set: StudioSet, flow: string): FlowNames {
  const states = listStates(set, flow);
  const titles = new Map(stateChoices(set, states));
  return {
    formatState: (name) => titles.get(name) ?? name,
    formatEvent: (state, event) => {
      const own = states.find(({ name }) => name === state)?.pointer ?? '';
      // Nested states handle the events of their parents too.
      const screens = states.flatMap(({ pointer, state: { screen } }) =>
        typeof screen === 'string' && (pointer === own || pointer.startsWith(`${own}/states/`)) ? [screen] : [],
      );
      return screens.map((screen) => resolveEventLabel(set, screen, event)).find((text) => text !== event) ?? event;
    },
  };
}

export function resolveFlowTitle(set: StudioSet, flow: string): string {
  const { initial = '', states = {} } = set.flows[flow] ?? {};
  const screen = states[initial]?.screen ?? Object.values(states).find((state) => state.screen)?.screen;
  return screen === undefined ? flow : resolveScreenTitle(set, screen);
}

export function placesIn(set: StudioSet, file: string): (pointer: string) => string {
  const screen = /^schemas\/([^/]+)\/ui(?:\.\w+)?\.json$/.exec(file)?.[1];
  if (screen === undefined) return placeInShared;
  const [content, fields] = [valueIn(set, file), drawnFields(set, screen)];
  return (pointer) => textPlace(pointer, content, fields);
}

export function commonPath({ files }: Pick<StudioSet, 'files'>, name: string): string {
  const ofScreens = `schemas/_shared/${name}`;
  return `${ofScreens}.json` in files ? ofScreens : `schemas/_shared/texts/${name}`;
}

function placeInShared(pointer: string): string {
  const [root, name = '', part = '', ...rest] = pointer.slice(1).split('/');
  if (root !== '$defs') return pointerSteps(pointer).join(', ');
  const onScreen = { ui: ['fields', name, ...rest], messages: ['messages', name, ...rest] };
  const steps = part === 'ui' || part === 'messages' ? onScreen[part] : ['notices', name, part, ...rest];
  return textPlace(`/${steps.join('/')}`, undefined, {});
}
