import { Input } from '../../src/engine/fluent/controls.ts';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { widgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import { isNationalDocument } from '../../src/contract/document.ts';

/**
 * Number of a document. The value has no separators (dots, hyphens, blanks), and ASCII characters in place of full-width ones, so a form can be sent
 * while the input has them. The input shows the value on blur and on Enter, not during typing. The rule reports all other errors. If only digits are
 * valid, phones show a numeric keyboard.
 */
const DocumentNumber = observer(function DocumentNumber(props: WidgetProps) {
  const { field, form, control, options } = widgetParts(props);
  const value = typeof field.value === 'string' ? field.value : '';
  const getValue = (name: unknown) => form.field(String(name))?.value;
  const digits =
    options.countryField === undefined ||
    isNationalDocument(getValue(options.countryField), getValue(options.typeField));
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
  return typed.normalize('NFKC').replace(/[.\s\p{Dash}]/gu, '');
}
