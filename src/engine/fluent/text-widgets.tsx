import { Input } from '@fluentui/react-components';
import { useState } from 'react';
import { readNumber, writeNumber } from '../core/values/numbers.ts';
import { runtime } from '../core/runtime.ts';
import { useFormLanguage } from '../react/field/form-context.ts';
import { Remaining } from '../react/flow/remaining.tsx';
import { widgetParts, type Widget, type WidgetProps } from '../react/widget.ts';
import { textOf } from './text-of.ts';

/** A line of text. An e-mail is no type="email": of such an input the browser tells no caret, which a change of case must keep. */
export function textWidget(kind: 'text' | 'email' | 'tel'): Widget {
  return function TextWidget(props) {
    const { field, control, options, schema } = widgetParts(props);
    const inputMode = options.inputMode === 'numeric' ? 'numeric' : kind === 'email' ? kind : undefined;
    const maxLength =
      typeof schema.maxLength === 'number' && options.limitTyping === true ? schema.maxLength : undefined;
    const plain = kind === 'email' ? { autoCapitalize: 'none', spellCheck: false } : {};
    return (
      <Input
        {...control}
        {...plain}
        type={kind === 'tel' ? kind : 'text'}
        inputMode={inputMode}
        maxLength={maxLength}
        value={textOf(props.value)}
        onChange={({ target }, { value }) => {
          field.set(kind === 'email' ? value.trim() : value);
          keepCaret(target, textOf(field.value));
        }}
        onBlur={() => field.blur()}
      />
    );
  };
}

// What a field changes of the typed text is written by hand: React would put the caret at its end.
function keepCaret(input: HTMLInputElement, value: string): void {
  if (input.value === value) return;
  const caret = input.selectionStart;
  input.value = value;
  input.setSelectionRange(caret, caret);
}

/** A number in the language of the page. What was typed stands as long as it means the value: "19," on the way to "19,5" is 19 already. */
export function NumberWidget(props: WidgetProps) {
  const { field, control, schema } = widgetParts(props);
  const language = useFormLanguage();
  const shown = typeof props.value === 'number' ? writeNumber(props.value, language) : textOf(props.value);
  const [typed, setTyped] = useState(shown);
  const numberOf = (text: string) =>
    text.trim() === '' ? undefined : (readNumber(text, language, schema.type === 'integer').value ?? text);
  return (
    <Input
      {...control}
      inputMode={schema.type === 'integer' ? 'numeric' : 'decimal'}
      value={numberOf(typed) === props.value ? typed : shown}
      onChange={(_, { value }) => {
        setTyped(value);
        field.set(numberOf(value));
      }}
      onBlur={() => field.blur()}
    />
  );
}

/** Text of several lines, in a native control. With `counter` it says how much may still be typed; it never cuts what is typed. */
export function TextareaWidget(props: WidgetProps) {
  const { field, control, options, schema } = widgetParts(props);
  const { rows, counter } = options;
  const value = textOf(props.value);
  return (
    <>
      <textarea
        {...control}
        className="form-select form-textarea"
        rows={typeof rows === 'number' ? rows : 4}
        value={value}
        onChange={({ target }) => field.set(target.value)}
        onBlur={() => field.blur()}
      />
      {counter === true && typeof schema.maxLength === 'number' && (
        <Remaining left={schema.maxLength - runtime.ucs2length(value)} />
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
      value={textOf(props.value)}
    />
  );
}
