import { Input } from '../../src/engine/fluent/controls.ts';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { widgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import { digitsOnly } from './digits-only.ts';

/**
 * The number of a document. How people write it (dots, hyphens, blanks) is no part of its value, so that a form can be sent while it
 * stands there; it goes from sight when the field is left, and with Enter, so that nothing moves under the fingers.
 * Whatever else is for the rule to tell. Where only digits can be right, a phone shows digits.
 */
const DocumentNumber = observer(function DocumentNumber(props: WidgetProps) {
  const { field, form, control, options } = widgetParts(props);
  const value = typeof field.value === 'string' ? field.value : '';
  const valueOf = (name: unknown) => form.field(String(name))?.value;
  const digits =
    options.countryField === undefined || digitsOnly(valueOf(options.countryField), valueOf(options.typeField));
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: unknown } | null>(null);
  const tidy = () => {
    if (control.readOnly) return;
    setTyped(null);
    field.set(withoutSeparators(value));
  };
  return (
    <Input
      {...control}
      inputMode={digits ? 'numeric' : undefined}
      value={typed && typed.value === field.value ? typed.text : value}
      onChange={(_, { value: written }) => {
        field.set(withoutSeparators(written));
        setTyped({ text: written, value: field.value });
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

function withoutSeparators(typed: string): string {
  return typed.replace(/[.\s\p{Dash}]/gu, '');
}
