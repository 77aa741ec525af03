import { baseLanguage } from '../../contract/portal-config.ts';
import { splitPointer, findByPointer } from '../../engine/core/json-pointer.ts';
import { asObject, type Json } from '../../engine/core/json.ts';
import { findEventLabel } from '../json-values.ts';
import { resolveFlowTitle as resolveTitleOfFlow } from '../flow-title.ts';
import type { LabelledField, StudioDefinitions } from '../studio-api-types.ts';
import { listSchemaFields } from './fields/field-pointers.ts';
import {
  type SelectOptions,
  buildScreenFilePaths,
  readFileObject,
  readFileValue,
  readScreenUiValue,
} from './definition-set.ts';
import { findTextByComputedKey, t } from '../texts.ts';
import { listFlowStates, type LocatedState } from './tasks/flow-states.ts';
import { buildUiPointer } from '../../engine/core/field-path.ts';

/** Describes the location of a text, for example "Campo «Correo electrónico», ayuda". `file` is the UI schema or its translation. */
export function describeTextPlace(
  pointer: string,
  file: Json | undefined,
  fields: Readonly<Record<string, Pick<LabelledField, 'title'>>>,
): string {
  const steps = splitPointer(pointer);
  const parts: string[] = [];
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index] ?? '';
    const next = steps[index + 1];
    const numberedText =
      next === undefined
        ? undefined
        : findTextByComputedKey(`placeOf-${step}`, { name: findName(file, pointer, index) });
    if ((step === 'fields' || step === 'messages') && next !== undefined && index === 0) {
      let name = next;
      index += 1;
      // The name of a nested field spans several segments of the pointer, so this uses the longest existing name.
      for (let longer = name; index + 1 < steps.length; name = longer, index += 1) {
        longer = `${name}.${steps[index + 1]}`;
        if (!Object.hasOwn(fields, longer)) break;
      }
      parts.push(t('placeField', { field: fields[name]?.title ?? name }));
      const rule = steps[index + 1];
      if (step === 'messages' && rule !== undefined) {
        parts.push(findTextByComputedKey(`message-${rule}`) ?? t('messageOther', { rule }));
        index += 1;
      }
    } else if (step === 'visible' && next !== undefined) {
      parts.push(t('placeVisibleOf', { field: fields[next]?.title ?? next }));
      index += 1;
    } else if (numberedText !== undefined) {
      parts.push(numberedText);
      index += 1;
    } else if (/^\d+$/.test(step)) parts.push(String(Number(step) + 1));
    else if (step !== 'text' || steps.length === 1) parts.push(findTextByComputedKey(`place-${step}`) ?? step);
  }
  const place = parts.join(', ');
  return place.charAt(0).toUpperCase() + place.slice(1);
}

/** Returns the event or address of the entry below segment `index` of a pointer, otherwise its number or key. */
function findName(file: Json | undefined, pointer: string, index: number): string {
  const entry = asObject(
    findByPointer(
      file,
      pointer
        .split('/')
        .slice(0, index + 3)
        .join('/'),
    ),
  );
  const own = entry['event'] ?? entry['to'];
  const step = splitPointer(pointer)[index + 1] ?? '';
  if (typeof own === 'string') return own;
  return /^\d+$/.test(step) ? String(Number(step) + 1) : step;
}

/** Returns the fields of a screen with their current labels. Falls back to the label in the shared definition. */
export function listLabelledFields(set: StudioDefinitions, screen: string): Readonly<Record<string, LabelledField>> {
  const compiled = set.fields[screen] ?? {};
  const names = [...Object.keys(listSchemaFields(set, screen)), ...Object.keys(compiled)];
  return Object.fromEntries(
    names.map((name) => {
      const own = readScreenUiValue(set, screen, `${buildUiPointer(name)}/ui:title`);
      const { title, choices } = compiled[name] ?? { title: name, choices: [] };
      return [name, { title: typeof own === 'string' ? own : title, choices }];
    }),
  );
}

export function resolveScreenTitle(set: StudioDefinitions, screen: string): string {
  const title = set.texts[screen]?.find(({ pointer }) => /^\/title(\/0\/text)?$/.test(pointer));
  return title?.texts[baseLanguage] ?? screen;
}

export function resolveEventLabel(set: StudioDefinitions, screen: string, event: string): string {
  return findEventLabel(readFileObject(set, buildScreenFilePaths(screen).ui), event) ?? event;
}

/** Labels each state with the title of its screen, followed by its name if the title is ambiguous. */
export function listStateOptions(set: StudioDefinitions, states: readonly LocatedState[]): SelectOptions {
  return disambiguateLabels(
    states.map(({ name, state: { screen } }) => [
      name,
      typeof screen === 'string' ? resolveScreenTitle(set, screen) : name,
    ]),
  );
}

export function disambiguateLabels(titled: SelectOptions): SelectOptions {
  const counts = new Map<string, number>();
  for (const [, title] of titled) counts.set(title, (counts.get(title) ?? 0) + 1);
  return titled.map(([name, title]) => [
    name,
    name !== title && (counts.get(title) ?? 0) > 1 ? t('titled', { title, name }) : title,
  ]);
}

export interface FlowLabelFormatter {
  readonly formatState: (name: string) => string;
  readonly formatEvent: (state: string, event: string) => string;
}

export function createFlowLabelFormatter(set: StudioDefinitions, flow: string): FlowLabelFormatter {
  const states = listFlowStates(set, flow);
  const titles = new Map(listStateOptions(set, states));
  return {
    formatState: (name) => titles.get(name) ?? name,
    formatEvent: (state, event) => {
      const own = states.find(({ name }) => name === state)?.pointer ?? '';
      // Includes the screens of nested states, because their buttons can raise the events of an enclosing state.
      const screens = states.flatMap(({ pointer, state: { screen } }) =>
        typeof screen === 'string' && (pointer === own || pointer.startsWith(`${own}/states/`)) ? [screen] : [],
      );
      return screens.map((screen) => resolveEventLabel(set, screen, event)).find((text) => text !== event) ?? event;
    },
  };
}

export function resolveFlowTitle(set: StudioDefinitions, name: string): string {
  const flow = set.flows[name];
  return flow ? resolveTitleOfFlow(flow, set.descriptions[name], (screen) => resolveScreenTitle(set, screen)) : name;
}

export function createTextPlaceDescriber(set: StudioDefinitions, file: string): (pointer: string) => string {
  const screen = /^schemas\/([^/]+)\/ui(?:\.\w+)?\.json$/.exec(file)?.[1];
  if (/\/mails\/\w+\.json$/.test(file))
    return (pointer) => {
      const part = splitPointer(pointer).at(-1) ?? '';
      return findTextByComputedKey(`mailPart_${part}`) ?? part;
    };
  if (screen === undefined) return describeSharedPlace;
  const [content, fields] = [readFileValue(set, file), listLabelledFields(set, screen)];
  return (pointer) => describeTextPlace(pointer, content, fields);
}

export function resolveCommonTextsPath({ files }: Pick<StudioDefinitions, 'files'>, name: string): string {
  const ofScreens = `schemas/_shared/${name}`;
  return `${ofScreens}.json` in files ? ofScreens : `schemas/_shared/texts/${name}`;
}

function describeSharedPlace(pointer: string): string {
  const [root, name = '', part = '', ...rest] = pointer.slice(1).split('/');
  if (root !== '$defs') return splitPointer(pointer).join(', ');
  const onScreen = { ui: ['fields', name, ...rest], messages: ['messages', name, ...rest] };
  const steps = part === 'ui' || part === 'messages' ? onScreen[part] : ['notices', name, part, ...rest];
  return describeTextPlace(`/${steps.join('/')}`, undefined, {});
}
