import { Checkbox } from '@fluentui/react-components';
import { useEffect, useRef, useState } from 'react';
import { safeStorage } from '../portal/session/safe-storage.ts';
import { getDeskText } from './desk-texts.ts';

const storageKey = 'desk-row-keys';
const textInputSelector = 'input:not([type="checkbox"]), select, textarea, dialog *';

/**
 * Moves the focus between the `[data-row]` elements below the returned ref with J (next) and K (previous). Agents can
 * turn these keys off, because speech input may type the letters (WCAG 2.1.4).
 */
export function useRowNavigationKeys<List extends HTMLElement>() {
  const list = useRef<List>(null);
  const [on, setOn] = useState(() => safeStorage.getItem(storageKey) !== 'off');
  useEffect(() => {
    if (!on) return;
    const move = (event: KeyboardEvent): void => {
      const step = { j: 1, k: -1 }[event.key.toLowerCase()];
      const isOther =
        event.altKey || event.ctrlKey || event.metaKey || (event.target as Element).matches(textInputSelector); // the cast is safe, because the target of a key event is an element
      if (step === undefined || isOther) return;
      const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
      const from = rows.findIndex((row) => row === document.activeElement || row.ariaCurrent === 'true');
      rows[Math.min(Math.max(from + step, 0), rows.length - 1)]?.focus();
    };
    document.addEventListener('keydown', move);
    return () => document.removeEventListener('keydown', move);
  }, [on]);
  const toggle = (
    <Checkbox
      className="desk-keys"
      label={getDeskText('keys')}
      checked={on}
      onChange={(_, { checked }) => {
        setOn(checked === true);
        safeStorage.setItem(storageKey, checked === true ? 'on' : 'off');
      }}
    />
  );
  return { list, toggle };
}
