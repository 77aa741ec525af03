import { useEffect, type RefObject } from 'react';
import { runtime } from '../core/runtime.ts';
import type { Field } from '../runtime/form/field.ts';

/**
 * Lets a control take no more than `limit` code points, counted as the rules count them: of the cleaned value. Of a pasted text it takes what
 * fits. A text that is being composed is never cut; the rules refuse it if it is too long.
 */
export function useTypingLimit(control: RefObject<HTMLInputElement | null>, field: Field, limit: number): void {
  useEffect(() => {
    const input = control.current;
    if (!input || limit === Infinity) return;
    const guard = (event: InputEvent) => {
      const added = event.data ?? event.dataTransfer?.getData('text/plain') ?? '';
      if (event.isComposing || added === '') return;
      const fitting = fittingPart(input, added, (text) => runtime.ucs2length(textOf(field.clean(text))) <= limit);
      if (fitting === added) return;
      event.preventDefault();
      if (fitting !== '') document.execCommand('insertText', false, fitting); // the one way that can be undone
    };
    input.addEventListener('beforeinput', guard);
    return () => input.removeEventListener('beforeinput', guard);
  }, [control, field, limit]);
}

/** The longest beginning of `added` with which the control's text fits. */
function fittingPart(
  { value, selectionStart, selectionEnd }: HTMLInputElement,
  added: string,
  fits: (text: string) => boolean,
): string {
  const [start, end] = [selectionStart ?? value.length, selectionEnd ?? value.length];
  const withPart = (part: string) => value.slice(0, start) + part + value.slice(end);
  if (fits(withPart(added))) return added;
  const signs = [...added];
  let [least, most] = [0, signs.length - 1];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(withPart(signs.slice(0, middle).join('')))) least = middle;
    else most = middle - 1;
  }
  return signs.slice(0, least).join('');
}

/** The text that a native control shows for a value; empty for anything but texts and numbers. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
