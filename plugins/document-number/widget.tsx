import { Input } from '../../src/engine/fluent/controls.ts';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { widgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import { digitsOnly } from './digits-only.ts';

/** How text comes into an input whole, by the `inputType` of its event. */
const wholeInputs: readonly string[] = ['insertFromPaste', 'insertFromDrop'];

/**
 * The number of a document. How people write it (dots, hyphens, blanks) is no part of its value, so that a form can be sent while it
 * stands there; it goes from sight when it is pasted, when the field is left, and with Enter, so that nothing moves under the fingers.
 * Whatever else is for the rule to tell. Where only digits can be right, a phone shows digits.
 */
const DocumentNumber = observer(function DocumentNumber(props: WidgetProps) {
  const { field, form, control, options } = widgetParts(props);
  const value = typeof field.value === 'string' ? field.value : '';
  const valueOf = (name: unknown) => form.field(String(name))?.value;
  const digits =
    options.countryField === undefined || digitsOnly(valueOf(options.countryField), valueOf(options.typeField));
  const [typed, setTyped] = useState('');
  const tidy = () => {
    if (control.readOnly) return;
    setTyped('');
    field.set(withoutSeparators(value));
  };
  return (
    <Input
      {...control}
      inputMode={digits ? 'numeric' : undefined}
      value={withoutSeparators(typed) === value ? typed : value}
      onChange={({ nativeEvent }, { value: written }) => {
        setTyped(cameWhole(nativeEvent) ? '' : written);
        field.set(withoutSeparators(written));
      }}
      onKeyDown={({ key }) => {
        if (key === 'Enter') tidy();
      }}
      onBlur={() => {
        tidy();
        field.blur();
      }}
    />
  );
});

export default DocumentNumber;

function cameWhole(event: Event): boolean {
  return event instanceof InputEvent && wholeInputs.includes(event.inputType);
}

function withoutSeparators(typed: string): string {
  return typed.replace(/[.\s\p{Dash}]/gu, '');
}
