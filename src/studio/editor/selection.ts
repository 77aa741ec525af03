import type { SearchEntry } from './search.ts';
import { useCallback, useEffect, useState } from 'react';

export const studioEditors = ['form', 'texts', 'json', 'flow'] as const;
export const studioViews = ['view', 'case', 'walk', 'changes'] as const;

/**
 * Selected item and views of the studio. Stored in the URL, so that the selection can be shared and survives a reload.
 */
export interface StudioSelection {
  readonly screen: string;
  readonly flow: string;
  readonly common: string;
  readonly mail: string;
  readonly help: string;
  readonly editor: (typeof studioEditors)[number];
  readonly look: (typeof studioViews)[number];
}

function readSelection(search: string): StudioSelection {
  const query = new URLSearchParams(search);
  const flow = query.get('flujo') ?? '';
  const parseOption = <Name extends string>(names: readonly Name[], name: string | null, otherwise: Name): Name =>
    names.find((known) => known === name) ?? otherwise;
  return {
    screen: query.get('pantalla') ?? '',
    flow,
    common: query.get('comunes') ?? '',
    mail: query.get('correo') ?? '',
    help: query.get('ayuda') ?? '',
    editor: parseOption(studioEditors, query.get('editar'), flow === '' ? 'texts' : 'flow'),
    look: parseOption(studioViews, query.get('mirar'), 'view'),
  };
}

export function useStudioSelection(): readonly [StudioSelection, (part: Partial<StudioSelection>) => void] {
  const [place, setPlace] = useState(() => readSelection(location.search));
  useEffect(() => {
    const back = (): void => setPlace(readSelection(location.search));
    addEventListener('popstate', back);
    return () => removeEventListener('popstate', back);
  }, []);
  const go = useCallback((part: Partial<StudioSelection>) => {
    const next = { ...readSelection(location.search), ...part };
    const { screen, flow, common, mail, help, editor, look } = next;
    const query = new URLSearchParams({
      ...(screen !== '' && { pantalla: screen }),
      ...(flow !== '' && { flujo: flow }),
      ...(common !== '' && { comunes: common }),
      ...(mail !== '' && { correo: mail }),
      ...(help !== '' && { ayuda: help }),
      editar: editor,
      mirar: look,
    });
    history.pushState(null, '', `?${query}`);
    setPlace(next);
  }, []);
  return [place, go];
}

/**
 * Hook like `useState` that keeps its state in local storage, for example the width of a pane. `isValue` rejects
 * invalid values, which an earlier version may have stored.
 */
export function useStoredState<Value>(
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

export function resolveEntrySelection(
  { kind, name }: Pick<SearchEntry, 'kind' | 'name'>,
  { editor }: StudioSelection,
): Partial<StudioSelection> {
  const none = { screen: '', flow: '', common: '', mail: '', help: '' };
  if (kind === 'common' || kind === 'mail' || kind === 'help') return { ...none, [kind]: name };
  return kind === 'screen'
    ? { ...none, screen: name, editor: editor === 'flow' ? 'texts' : editor }
    : { ...none, flow: name, editor: editor === 'json' ? 'json' : 'flow' };
}
