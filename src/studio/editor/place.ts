import { useCallback, useEffect, useState } from 'react';

/** What edits the chosen thing. */
export const editors = ['form', 'texts', 'json', 'flow'] as const;
/** What shows it. */
export const looks = ['view', 'case', 'walk', 'changes'] as const;

/** What is open in the studio; it stands in the address, so that it can be shared and outlives a reload. */
export interface Place {
  readonly screen: string;
  readonly flow: string;
  /** Name of the file of sentences of what no screen declares. */
  readonly common: string;
  readonly editor: (typeof editors)[number];
  readonly look: (typeof looks)[number];
}

/** Reads the place of an address. */
function readPlace(search: string): Place {
  const query = new URLSearchParams(search);
  const flow = query.get('flujo') ?? '';
  const oneOf = <Name extends string>(names: readonly Name[], name: string | null, otherwise: Name): Name =>
    names.find((known) => known === name) ?? otherwise;
  return {
    screen: query.get('pantalla') ?? '',
    flow,
    common: query.get('comunes') ?? '',
    editor: oneOf(editors, query.get('editar'), flow === '' ? 'texts' : 'flow'),
    look: oneOf(looks, query.get('mirar'), 'view'),
  };
}

/** The place of the address, and the way to go to another. */
export function usePlace(): readonly [Place, (part: Partial<Place>) => void] {
  const [place, setPlace] = useState(() => readPlace(location.search));
  useEffect(() => {
    const back = (): void => setPlace(readPlace(location.search));
    addEventListener('popstate', back);
    return () => removeEventListener('popstate', back);
  }, []);
  const go = useCallback((part: Partial<Place>) => {
    const next = { ...readPlace(location.search), ...part };
    const { screen, flow, common, editor, look } = next;
    const query = new URLSearchParams({
      ...(screen !== '' && { pantalla: screen }),
      ...(flow !== '' && { flujo: flow }),
      ...(common !== '' && { comunes: common }),
      editar: editor,
      mirar: look,
    });
    history.pushState(null, '', `?${query}`);
    setPlace(next);
  }, []);
  return [place, go];
}
