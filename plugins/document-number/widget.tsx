import { Input } from '../../src/engine/fluent/controls.ts';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { isObject } from '../../src/engine/core/json.ts';
import {
  toWidgetParts,
  type WidgetAnswerProps,
  type WidgetContext,
  type WidgetProps,
} from '../../src/engine/react/widget.ts';
import { formatDocumentNumber, isNationalDocument } from '../../src/contract/document-number.ts';
import type { PasskeyAutofillOptions } from '../passkey/autofill.tsx';

/** Removes separators and full-width characters from the value. The input shows the value on blur and on Enter, not during typing. */
const DocumentNumber = observer(function DocumentNumber(props: WidgetProps) {
  const { field, form, control, options, load } = toWidgetParts(props);
  usePasskeys({ field, form, load }, options.passkeys);
  const value = typeof field.value === 'string' ? field.value : '';
  const getValue = (name: unknown) => form.field(String(name))?.value;
  const digits =
    options.countryField === undefined ||
    isNationalDocument(getValue(options.countryField), getValue(options.typeField));
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: unknown } | null>(null);
  const removeSeparators = () => {
    if (control.readOnly) return;
    setTyped(null);
    field.set(stripSeparators(value));
  };
  return (
    <Input
      {...control}
      className={digits ? 'form-short' : undefined}
      inputMode={digits ? 'numeric' : undefined}
      value={typed && typed.value === field.value ? typed.text : value}
      onChange={(_, { value: written }) => {
        field.set(stripSeparators(written));
        setTyped({ text: written, value: field.value });
      }}
      onKeyDown={({ key }) => {
        if (key === 'Enter') removeSeparators();
      }}
      onBlur={() => {
        removeSeparators();
        field.blur();
      }}
    />
  );
});

export const types = ['string'] as const;

export const options = {
  countryField: { type: 'string' },
  typeField: { type: 'string' },
  passkeys: {
    type: 'object',
    required: ['operation', 'event', 'credentialField', 'tokenField'],
    properties: {
      operation: { type: 'string' },
      query: { type: 'object' },
      event: { type: 'string' },
      credentialField: { type: 'string' },
      tokenField: { type: 'string' },
    },
    additionalProperties: false,
  },
} as const;

export default Object.assign(DocumentNumber, {
  Answer: ({ value, values, options: { countryField, typeField } }: WidgetAnswerProps) =>
    formatDocumentNumber(values[String(countryField)], values[String(typeField)], String(value)),
});

/** Offers passkeys in the autofill of the field. Loads their code after the form has rendered, and only with conditional mediation. */
function usePasskeys({ field, form, load }: Pick<WidgetContext, 'field' | 'form' | 'load'>, passkeys: unknown): void {
  useEffect(() => {
    if (!isObject(passkeys)) return undefined;
    let isGone = false;
    let cancelOffer = () => {};
    const offer = async () => {
      if (!(await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.())) return;
      const { offerPasskeyAutofill } = await import('../passkey/autofill.tsx');
      if (!isGone)
        cancelOffer = offerPasskeyAutofill({ field, form, load }, passkeys as unknown as PasskeyAutofillOptions); // options of ui.json have no static type
    };
    void offer().catch(() => undefined); // ignores errors, because the passkey button of the form still works
    return () => {
      isGone = true;
      cancelOffer();
    };
  }, [field, form, load, passkeys]);
}

function stripSeparators(typed: string): string {
  return typed.normalize('NFKC').replace(/[.\s\p{Dash}]/gu, '');
}
