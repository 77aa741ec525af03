import { baseLanguage } from '../../contract/portal-config.ts';
import { escapePointer, pointerSteps } from '../../engine/core/json-pointer.ts';
import type { StudioSet } from '../studio-data.ts';
import { valueIn } from './pending.ts';
import { fieldsOf, filesOf } from './tasks/screen-tasks.ts';
import { textPlace } from './text-place.ts';

/** The label of each field as it is drawn: its own as it is written, else that of its shared definition. */
export function labelsOf(set: StudioSet, screen: string): Readonly<Record<string, string>> {
  const label = (name: string) => valueIn(set, filesOf(screen).ui, `/fields/${escapePointer(name)}/ui:title`);
  const fields = Object.entries(set.fields[screen] ?? {});
  return {
    ...Object.fromEntries(fields.map(([name, { title }]) => [name, title])),
    ...Object.fromEntries(
      Object.keys(fieldsOf(set, screen)).flatMap((name) => {
        const own = label(name);
        return typeof own === 'string' ? [[name, own]] : [];
      }),
    ),
  };
}

/** What a screen says it is; its name where it says nothing. */
export function titleOf(set: StudioSet, screen: string): string {
  const title = set.texts[screen]?.find(({ pointer }) => /^\/title(\/0\/text)?$/.test(pointer));
  return title?.texts[baseLanguage] ?? screen;
}

/** What the first screen of a flow says it is; the flow's name where it has none. */
export function titleOfFlow(set: StudioSet, flow: string): string {
  const { initial = '', states = {} } = set.flows[flow] ?? {};
  const screen = states[initial]?.screen ?? Object.values(states).find((state) => state.screen)?.screen;
  return screen === undefined ? flow : titleOf(set, screen);
}

/** The flows of the files, in their order. */
export function flowNames(set: StudioSet): readonly string[] {
  return Object.keys(set.files).flatMap((file) => /^flows\/(.+)\.json$/.exec(file)?.[1] ?? []);
}

/** Where people see what stands at a pointer of a file; outside of screens the keys that lead to it. */
export function placeIn(set: StudioSet, file: string, pointer: string): string {
  const screen = /^schemas\/([^/]+)\/ui(?:\.\w+)?\.json$/.exec(file)?.[1];
  if (screen === undefined) return pointerSteps(pointer).join(', ');
  return textPlace(pointer, valueIn(set, file), labelsOf(set, screen));
}
