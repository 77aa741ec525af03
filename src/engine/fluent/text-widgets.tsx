import { Input } from '@fluentui/react-components';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { parseLocalizedNumber, formatNumber } from '../core/values/numbers.ts';
import { validatorRuntime } from '../core/validator-runtime.ts';
import { useEngine } from '../react/engine-context.ts';
import { useFormLanguage } from '../react/field/form-context.ts';
import { readIncompleteInput, selectTemporalFormat } from '../react/field/temporal-format.ts';
import { toWidgetParts, type Widget, type WidgetProps } from '../react/widget.ts';
import type { Field } from '../runtime/form/field-model.ts';

/** Maximum length of values whose input is narrow on wide pages, in characters. */
const shortLength = 20;

/** Not `type="email"`, because the browser would change the value. A read-only value is text, which can wrap and be focused. */
export function createTextWidget(kind: 'text' | 'email' | 'tel'): Widget {
  return function TextWidget(props) {
    const { field, control, options, schema } = toWidgetParts(props);
    const input = useRef<HTMLInputElement>(null);
    const inputMode = options.inputMode === 'numeric' ? 'numeric' : kind === 'email' ? kind : undefined;
    const isLimited = typeof schema.maxLength === 'number' && options.limitTyping === true;
    useTypingLimit(input, field, isLimited ? Number(schema.maxLength) : Infinity);
    const plain = kind === 'email' ? { autoCapitalize: 'none', spellCheck: false } : {};
    if (control.readOnly)
      return (
        <output id={control.id} tabIndex={-1} className="form-readonly" aria-describedby={control['aria-describedby']}>
          {formatControlText(props.value)}
        </output>
      );
    return (
      <Input
        {...control}
        {...plain}
        className={kind === 'tel' || Number(schema.maxLength) <= shortLength ? 'form-short' : undefined}
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

/** Keeps the typed text while it parses to the same value: "19," is already 19 while the user types "19,5". */
export function NumberWidget(props: WidgetProps) {
  const { field, control, schema } = toWidgetParts(props);
  const language = useFormLanguage();
  const shown = typeof props.value === 'number' ? formatNumber(props.value, language) : formatControlText(props.value);
  const [typed, setTyped] = useState(shown);
  const parseNumber = (text: string) =>
    text.trim() === '' ? undefined : (parseLocalizedNumber(text, language, schema.type === 'integer').value ?? text);
  return (
    <Input
      {...control}
      className="form-short"
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

export function TextareaWidget(props: WidgetProps) {
  const { field, control, options, schema } = toWidgetParts(props);
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
        <RemainingCharacters left={schema.maxLength - validatorRuntime.ucs2length(formatControlText(field.value))} />
      )}
    </>
  );
}

export function TemporalInput(props: WidgetProps) {
  const { field, control, schema } = toWidgetParts(props);
  const { type, toControlText, toValue } = selectTemporalFormat(schema.format, useEngine());
  return (
    <Input
      {...control}
      className="form-short"
      type={type}
      value={toControlText(props.value)}
      onChange={(_, { value }) => field.set(value === '' ? undefined : toValue(value))}
      onBlur={({ target }) => {
        if (target.value === '') field.set(readIncompleteInput(target));
        field.blur();
      }}
    />
  );
}

/** Hidden value. With `autocomplete`, it is in the DOM for password managers, which look for the user name beside the password. */
export function HiddenWidget(props: WidgetProps) {
  const { control } = toWidgetParts(props);
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

/** Delay after the last keystroke, in milliseconds. An announcement on each keystroke would interrupt the screen reader's echo. */
const announceAfterMs = 1_000;

export function RemainingCharacters({ left }: { left: number }) {
  const engine = useEngine();
  const count = Math.abs(left);
  const sentence = engine.t(`${left < 0 ? 'exceeded' : 'remaining'}${count === 1 ? '.one' : ''}`, { count });
  const [spoken, setSpoken] = useState('');
  const [first] = useState(sentence); // the initial text is not announced
  useEffect(() => {
    if (sentence === first && spoken === '') return undefined;
    const timer = setTimeout(() => setSpoken(sentence), announceAfterMs);
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

/** Counts code points of the cleaned value, as validation does. Truncates pasted text, but never text in IME composition. */
function useTypingLimit(control: RefObject<HTMLInputElement | null>, field: Field, limit: number): void {
  useEffect(() => {
    const input = control.current;
    if (!input || limit === Infinity) return;
    const limitInput = (event: InputEvent) => {
      const added = event.data ?? event.dataTransfer?.getData('text/plain') ?? '';
      if (event.isComposing || added === '') return;
      const fitting = truncateToFit(
        input,
        added,
        (text) => validatorRuntime.ucs2length(formatControlText(field.clean(text))) <= limit,
      );
      if (fitting === added) return;
      event.preventDefault();
      if (fitting !== '') document.execCommand('insertText', false, fitting); // unlike setting the value, this keeps the browser's undo history
    };
    input.addEventListener('beforeinput', limitInput);
    return () => input.removeEventListener('beforeinput', limitInput);
  }, [control, field, limit]);
}

function truncateToFit(
  { value, selectionStart, selectionEnd }: HTMLInputElement,
  added: string,
  fits: (text: string) => boolean,
): string {
  const [start, end] = [selectionStart ?? value.length, selectionEnd ?? value.length];
  const insertPart = (part: string) => value.slice(0, start) + part + value.slice(end);
  if (fits(insertPart(added))) return added;
  const signs = [...added];
  let [least, most] = [0, signs.length - 1];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(insertPart(signs.slice(0, middle).join('')))) least = middle;
    else most = middle - 1;
  }
  return signs.slice(0, least).join('');
}

function formatControlText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
