import { Input } from '../../src/engine/fluent/controls.ts';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { widgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';

/** What the focus puts into an empty field. */
const prefix = '+598';
/** Up to here, in characters, a value is no number yet. */
const emptyLength = 4;

/** A phone number. What is in the input and too short to be a number is no value of the form. */
const Phone = observer(function Phone(props: WidgetProps) {
  const { field, control, t } = widgetParts(props);
  const [typing, setTyping] = useState<string | null>(null); // null: the focus is elsewhere
  const [doubted, setDoubted] = useState<unknown>(null);
  const format = useFormatter();
  const value = typeof field.value === 'string' ? field.value : '';
  const store = (typed: string) => field.set(typed.length <= emptyLength ? undefined : typed);

  const leave = () => {
    const formatted = format.current?.(value);
    if (value !== '' && formatted && field.error === null) store(formatted); // a message is about what was sent: it stays until the citizen changes that
    setDoubted(value !== '' && formatted === null ? value : null);
    setTyping(null);
    field.blur();
  };

  return (
    <>
      <Input
        {...control}
        type="tel"
        value={typing ?? value}
        onFocus={() => setTyping(value === '' ? prefix : value)}
        onChange={(_, { value: changed }) => {
          const typed = meant(changed, typing ?? '');
          setTyping(typed);
          store(dialled(typed) ?? typed); // what is typed in the place of another number has no prefix in front
        }}
        onBlur={leave}
      />
      <span className="form-state" role="status">
        {doubted !== null && doubted === field.value && !field.invalid ? t('doubt') : ''}
      </span>
    </>
  );
});

export default Phone;

/** As it is dialled in the country, with or without its 0, or with the country's code without its plus; and as it is dialled abroad. */
const dialledHere = new RegExp(`^(?:0|(?:00)?${prefix.slice(1)})?([1-9][0-9]{7})$`);
const dialledAbroad = /^00([1-9][0-9]{7,14})$/;

/**
 * A whole number behind the prefix of the focus is meant alone. One as it is dialled is the number behind its prefix; that is told from
 * typed digits by coming whole, as pasting and filling bring it.
 */
function meant(typed: string, before: string): string {
  if (typed.startsWith(`${prefix}+`)) return typed.slice(prefix.length);
  const added = typed.startsWith(before) ? typed.slice(before.length) : typed;
  if (before !== '' && before !== prefix) return typed;
  return dialled(added) ?? typed;
}

/** The international form of a whole number as people dial it, without a plus; null for anything else. */
function dialled(typed: string): string | null {
  const digits = typed.replace(/[\s.-]/g, '');
  const here = dialledHere.exec(digits)?.[1];
  const abroad = dialledAbroad.exec(digits)?.[1];
  return here !== undefined ? `${prefix} ${here}` : abroad === undefined ? null : `+${abroad}`;
}

/** The formatter, once the page is idle and its numbering plans (some 35 KB) are there. */
function useFormatter() {
  const format = useRef<(typed: string) => string | null>(undefined);
  useEffect(() => {
    let gone = false;
    const load = async () => {
      const { formatPhone } = await import('./format.ts');
      if (!gone) format.current = formatPhone;
    };
    const cancel = whenIdle(() => void load().catch(() => undefined)); // without it a number stays as it was typed
    return () => {
      gone = true;
      cancel();
    };
  }, []);
  return format;
}

function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(act);
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(act, 500); // Safari has no idle callback
  return () => clearTimeout(timer);
}
