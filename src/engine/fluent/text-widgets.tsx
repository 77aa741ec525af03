import { Input } from '@fluentui/react-components';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { readNumber, writeNumber } from '../core/values/numbers.ts';
import { runtime } from '../core/runtime.ts';
import { useEngine } from '../react/engine-context.ts';
import { useFormLanguage } from '../react/field/form-context.ts';
import { widgetParts, type Widget, type WidgetProps } from '../react/widget.ts';
import type { Field } from '../runtime/form/field.ts';

/** A line of text. An e-mail is no type="email": the browser would change what such an input holds. */
export function textWidget(kind: 'text' | 'email' | 'tel'): Widget {
  return function TextWidget(props) {
    const { field, control, options, schema } = widgetParts(props);
    const input = useRef<HTMLInputElement>(null);
    const inputMode = options.inputMode === 'numeric' ? 'numeric' : kind === 'email' ? kind : undefined;
    const isLimited = typeof schema.maxLength === 'number' && options.limitTyping === true;
    useTypingLimit(input, field, isLimited ? Number(schema.maxLength) : Infinity);
    const plain = kind === 'email' ? { autoCapitalize: 'none', spellCheck: false } : {};
    return (
      <Input
        {...control}
        {...plain}
        ref={input}
        type={kind === 'tel' ? kind : 'text'}
        inputMode={inputMode}
        value={formatControlText(props.value)}
        onChange={(_, { value }) => field.set(value)}
        onBlur={() => field.blur()}
      />
    );
  };
}

/** A number in the language of the page. What was typed stands as long as it means the value: "19," on the way to "19,5" is 19 already. */
export function NumberWidget(props: WidgetProps) {
  const { field, control, schema } = widgetParts(props);
  const language = useFormLanguage();
  const shown = typeof props.value === 'number' ? writeNumber(props.value, language) : formatControlText(props.value);
  const [typed, setTyped] = useState(shown);
  const parseNumber = (text: string) =>
    text.trim() === '' ? undefined : (readNumber(text, language, schema.type === 'integer').value ?? text);
  return (
    <Input
      {...control}
      inputMode={schema.type === 'integer' ? 'numeric' : 'decimal'}
      value={parseNumber(typed) === props.value ? typed : shown}
      onChange={(_, { value }) => {
        setTyped(value);
        field.set(parseNumber(value));
      }}
      onBlur={() => field.blur()}
    />
  );
}

/** Text of several lines, in a native control. With `counter` it says how much may still be typed; it never cuts what is typed. */
export function TextareaWidget(props: WidgetProps) {
  const { field, control, options, schema } = widgetParts(props);
  const { rows, counter } = options;
  return (
    <>
      <textarea
        {...control}
        className="form-select form-textarea"
        rows={typeof rows === 'number' ? rows : 4}
        value={formatControlText(props.value)}
        onChange={({ target }) => field.set(target.value)}
        onBlur={() => field.blur()}
      />
      {counter === true && typeof schema.maxLength === 'number' && (
        <Remaining left={schema.maxLength - runtime.ucs2length(formatControlText(field.value))} />
      )}
    </>
  );
}

/** A value that nobody sees. One that names its autocomplete is for password managers, which look for the name of the account beside the password. */
export function HiddenWidget(props: WidgetProps) {
  const { control } = widgetParts(props);
  if (control.autoComplete === undefined) return null;
  return (
    <input
      hidden
      readOnly
      type="text"
      id={control.id}
      name={control.name}
      autoComplete={control.autoComplete}
      value={formatControlText(props.value)}
    />
  );
}

/** Milliseconds after the last key before the count is announced: at each key it would drown the echo of the input. */
const pauseMs = 1_000;

/** Number of characters left, or too many: shown at once, announced when the user stops typing. */
export function Remaining({ left }: { left: number }) {
  const engine = useEngine();
  const count = Math.abs(left);
  const sentence = engine.t(`${left < 0 ? 'exceeded' : 'remaining'}${count === 1 ? '.one' : ''}`, { count });
  const [spoken, setSpoken] = useState('');
  const [first] = useState(sentence); // nothing was typed yet
  useEffect(() => {
    if (sentence === first && spoken === '') return undefined;
    const timer = setTimeout(() => setSpoken(sentence), pauseMs);
    return () => clearTimeout(timer);
  }, [sentence, first, spoken]);
  return (
    <>
      <p className="form-help" aria-hidden="true" data-exceeded={left < 0 || undefined}>
        {sentence}
      </p>
      <span role="status" className="visually-hidden">
        {spoken}
      </span>
    </>
  );
}

/**
 * Lets a control take no more than `limit` code points, counted as the rules count them: of the cleaned value. Of a pasted text it takes what
 * fits. A text that is being composed is never cut; the rules refuse it if it is too long.
 */
function useTypingLimit(control: RefObject<HTMLInputElement | null>, field: Field, limit: number): void {
  useEffect(() => {
    const input = control.current;
    if (!input || limit === Infinity) return;
    const guard = (event: InputEvent) => {
      const added = event.data ?? event.dataTransfer?.getData('text/plain') ?? '';
      if (event.isComposing || added === '') return;
      const fitting = fittingPart(
        input,
        added,
        (text) => runtime.ucs2length(formatControlText(field.clean(text))) <= limit,
      );
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
function formatControlText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
