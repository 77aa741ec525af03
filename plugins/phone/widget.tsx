import { Input } from '../../src/engine/fluent/controls.ts';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { toWidgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';

const prefix = '+598';
/** Length of the prefix, in characters. A value that is not longer is treated as empty. */
const emptyLength = 4;

const Phone = observer(function Phone(props: WidgetProps) {
  const { field, control, t } = toWidgetParts(props);
  const [focusedInput, setTyping] = useState<FocusedInput | null>(null); // text of the input and its prefix; `null` while the input does not have the focus
  const [implausibleValue, setDoubted] = useState<unknown>(null);
  const format = useFormatter();
  const value = typeof field.value === 'string' ? field.value : '';
  const storeInput = (typed: string) => field.set(typed.length <= emptyLength ? undefined : typed);

  const handleBlur = () => {
    const formatted = format.current?.(value);
    if (value !== '' && formatted && field.error === null) storeInput(formatted); // an invalid value is not reformatted, because its error message refers to it
    setDoubted(value !== '' && formatted === null ? value : null);
    setTyping(null);
    field.blur();
  };

  return (
    <>
      <Input
        {...control}
        className="form-short"
        type="tel"
        value={focusedInput?.text ?? value}
        onFocus={() => setTyping({ text: value === '' ? prefix : value, lead: '' })}
        onChange={({ nativeEvent }, { value: text }) => {
          const before = focusedInput ?? { text: '', lead: '' };
          const changed = text.length <= emptyLength && isDeletion(nativeEvent, before.text, text) ? '' : text;
          const lead = findPrefix(changed, before);
          const typedNumber = changed.slice(lead.length);
          setTyping({ text: changed, lead });
          storeInput(toInternational(typedNumber) ?? normalizeInternational(typedNumber));
        }}
        onBlur={handleBlur}
      />
      <span className="form-state" role="status">
        {implausibleValue !== null && implausibleValue === field.value && !field.invalid ? t('doubt') : ''}
      </span>
    </>
  );
});

export const types = ['string'] as const;

export default Phone;

/** Matches a Uruguayan number as it is, after 0, or after 598 or 00598. Precedes `internationalNumber`, which matches any country after 00. */
const nationalNumber = new RegExp(`^(?:0|(?:00)?${prefix.slice(1)})?([1-9][0-9]{7})$`);
const internationalNumber = /^00([1-9][0-9]{7,14})$/;

interface FocusedInput {
  readonly text: string;
  /** The prefix that the input inserted, if a complete number was pasted after it. The prefix is then not part of the number. */
  readonly lead: string;
}

/** Whether an edit deleted characters. Comparing lengths is not enough, because an insertion may replace a longer selection. */
function isDeletion(event: Event, before: string, after: string): boolean {
  const { inputType = '' } = event as Partial<InputEvent>; // `inputType` is undefined when a script sets the value
  return inputType === '' ? before.startsWith(after) : inputType.startsWith('delete');
}

/**
 * Returns the inserted prefix if another complete number follows it, otherwise an empty text. A number without plus counts
 * only if it was pasted or autofilled at once, because typed digits may continue the inserted prefix.
 */
function findPrefix(text: string, before: FocusedInput): string {
  if (!text.startsWith(prefix)) return '';
  const isWhole = before.text === prefix && toInternational(text.slice(prefix.length)) !== null;
  return isWhole || before.lead === prefix || text.startsWith(`${prefix}+`) ? prefix : '';
}

/** Converts a complete number without plus, as people dial it, to international format. Returns `null` for anything else. */
function toInternational(typed: string): string | null {
  const digits = typed.normalize('NFKC').replace(separators, '');
  const national = nationalNumber.exec(digits)?.[1];
  const abroad = internationalNumber.exec(digits)?.[1];
  return national !== undefined ? `${prefix} ${national}` : abroad === undefined ? null : `+${abroad}`;
}

const separators = /[\s\p{Dash}.,/()[\]]+/gu;

/** Normalizes a number with plus: digits separated by single blanks, without the national `(0)`. */
function normalizeInternational(typed: string): string {
  const plain = typed.normalize('NFKC').trim();
  if (!plain.startsWith('+')) return typed;
  return plain.replace('(0)', ' ').replace(separators, ' ').trim();
}

/** Loads the formatter and its numbering plans (about 35 KB) when the page is idle. */
function useFormatter() {
  const format = useRef<(typed: string) => string | null>(undefined);
  useEffect(() => {
    let isUnmounted = false;
    const load = async () => {
      const { formatPhone } = await import('./format-phone.ts');
      if (!isUnmounted) format.current = formatPhone;
    };
    const cancel = runWhenIdle(() => void load().catch(() => undefined)); // ignores an error, because numbers then stay unformatted
    return () => {
      isUnmounted = true;
      cancel();
    };
  }, []);
  return format;
}

function runWhenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(act);
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(act, 500); // Safari has no `requestIdleCallback`
  return () => clearTimeout(timer);
}
