import { Input } from '../../src/engine/fluent/controls.ts';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { widgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';

/** What the focus puts into an empty field. */
const prefix = '+598';
/** Up to here, in characters, a value is no number yet. */
const emptyLength = 4;

/** A phone number. An input too short to be a number is no value of the form. */
const Phone = observer(function Phone(props: WidgetProps) {
  const { field, control, t } = widgetParts(props);
  const [typing, setTyping] = useState<Typing | null>(null); // null: the focus is elsewhere
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
        value={typing?.text ?? value}
        onFocus={() => setTyping({ text: value === '' ? prefix : value, lead: '' })}
        onChange={({ nativeEvent }, { value: text }) => {
          const before = typing ?? { text: '', lead: '' };
          const changed = text.length <= emptyLength && isDeletion(nativeEvent, before.text, text) ? '' : text;
          const lead = leadOf(changed, before);
          const meant = changed.slice(lead.length);
          setTyping({ text: changed, lead });
          store(dialled(meant) ?? international(meant));
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

/** The text of the control while it has the focus: nothing is written into it. */
interface Typing {
  readonly text: string;
  /** The beginning that is no part of the number: the prefix, when a whole number was pasted behind it. */
  readonly lead: string;
}

/** Whether a change took characters from the end. An insertion may leave as little, if it replaces a selection. */
function isDeletion(event: Event, before: string, after: string): boolean {
  const { inputType = '' } = event as Partial<InputEvent>; // absent where a program writes the value
  return inputType === '' ? before.startsWith(after) : inputType.startsWith('delete');
}

/**
 * A whole number behind the prefix of the focus is meant alone. One as it is dialled is told from typed digits by coming whole, as pasting
 * and filling bring it.
 */
function leadOf(text: string, before: Typing): string {
  if (!text.startsWith(prefix)) return '';
  const isWhole = before.text === prefix && dialled(text.slice(prefix.length)) !== null;
  return isWhole || before.lead === prefix || text.startsWith(`${prefix}+`) ? prefix : '';
}

/** The international form of a whole number as people dial it, without a plus; null for anything else. */
function dialled(typed: string): string | null {
  const digits = typed.normalize('NFKC').replace(separators, '');
  const here = dialledHere.exec(digits)?.[1];
  const abroad = dialledAbroad.exec(digits)?.[1];
  return here !== undefined ? `${prefix} ${here}` : abroad === undefined ? null : `+${abroad}`;
}

/** How people part the digits of a number. */
const separators = /[\s\p{Dash}.,/()[\]]+/gu;

/** A number with its plus, its digits parted by blanks alone; the 0 in parentheses is dialled in the country only. */
function international(typed: string): string {
  const plain = typed.normalize('NFKC').trim();
  if (!plain.startsWith('+')) return typed;
  return plain.replace('(0)', ' ').replace(separators, ' ').trim();
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
