import type { DefinitionSearchEntry } from './definition-search.ts';
import { useCallback, useState } from 'react';
import { mapValues } from '../../engine/core/json.ts';
import { useWindowEvent } from '../use-window-event.ts';

const studioEditors = ['form', 'texts', 'json', 'flow'] as const;
const studioViews = ['view', 'case', 'walk', 'changes'] as const;

/** Stored in the URL, so that the selection can be shared and survives a reload. */
export interface StudioSelection {
  readonly screen: string;
  readonly flow: string;
  readonly common: string;
  readonly mail: string;
  readonly help: string;
  readonly editor: (typeof studioEditors)[number];
  readonly look: (typeof studioViews)[number];
}

const parameters = {
  screen: 'pantalla',
  flow: 'flujo',
  common: 'comunes',
  mail: 'correo',
  help: 'ayuda',
  editor: 'editar',
  look: 'mirar',
} as const;
const parameterEntries = Object.entries(parameters) as readonly [keyof StudioSelection, string][]; // `Object.entries` returns `string` keys

function readSelection(search: string): StudioSelection {
  const query = new URLSearchParams(search);
  const own = mapValues(parameters, (parameter) => query.get(parameter) ?? '') as Record<keyof StudioSelection, string>; // `mapValues` returns `string` keys
  const editor = studioEditors.find((known) => known === own.editor) ?? (own.flow === '' ? 'texts' : 'flow');
  return { ...own, editor, look: studioViews.find((known) => known === own.look) ?? 'view' };
}

export function useStudioSelection(): readonly [StudioSelection, (part: Partial<StudioSelection>) => void] {
  const [place, setPlace] = useState(() => readSelection(location.search));
  useWindowEvent('popstate', () => setPlace(readSelection(location.search)));
  const go = useCallback((part: Partial<StudioSelection>) => {
    const next = { ...readSelection(location.search), ...part };
    const filled = parameterEntries.filter(([name]) => next[name] !== '');
    const query = new URLSearchParams(filled.map(([name, parameter]) => [parameter, next[name]]));
    history.pushState(null, '', `?${query}`);
    setPlace(next);
  }, []);
  return [place, go];
}

/** State in local storage. `isValue` rejects values that an earlier version may have stored. */
export function useLocalStorageState<Value>(
  name: string,
  initial: Value,
  isValue: (kept: unknown) => kept is Value,
): readonly [Value, (next: Value) => void] {
  const key = `estudio-${name}`;
  const [value, setValue] = useState(() => {
    const text = localStorage.getItem(key);
    const stored: unknown = text === null ? null : JSON.parse(text); // JSON that this hook stored, validated below
    return isValue(stored) ? stored : initial;
  });
  return [
    value,
    (next) => {
      localStorage.setItem(key, JSON.stringify(next));
      setValue(next);
    },
  ];
}

export function selectSearchEntry(
  { kind, name }: Pick<DefinitionSearchEntry, 'kind' | 'name'>,
  { editor }: StudioSelection,
): Partial<StudioSelection> {
  const none = { screen: '', flow: '', common: '', mail: '', help: '' };
  if (kind === 'common' || kind === 'mail' || kind === 'help') return { ...none, [kind]: name };
  return kind === 'screen'
    ? { ...none, screen: name, editor: editor === 'flow' ? 'texts' : editor }
    : { ...none, flow: name, editor: editor === 'json' ? 'json' : 'flow' };
}
