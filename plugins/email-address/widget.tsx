import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Input } from '../../src/engine/fluent/controls.ts';
import { afterPress, widgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import { findMeantAddress } from './near-miss.ts';

/**
 * An e-mail address. On blur, a domain that resembles a common one shows a suggestion with a button to accept it. It is not `type="email"`, because
 * browsers change the value of such an input.
 */
const EmailAddress = observer(function EmailAddress(props: WidgetProps) {
  const { field, control, options, t } = widgetParts(props);
  const [left, setLeft] = useState<unknown>(null);
  const value = typeof field.value === 'string' ? field.value : '';
  const isAsked = left === value && !control.readOnly && !control.disabled;
  const meant = isAsked ? findMeantAddress(value, readDomains(options.domains)) : null;
  return (
    <>
      <Input
        {...control}
        autoCapitalize="none"
        spellCheck={false}
        inputMode="email"
        value={typeof field.typed === 'string' ? field.typed : ''}
        onChange={(_, { value: typed }) => field.set(typed)}
        onBlur={() => {
          field.blur();
          afterPress(() => setLeft(field.value));
        }}
      />
      <span className="form-state" role="status">
        {meant !== null && (
          <button
            type="button"
            className="link-button"
            onClick={() => {
              field.set(meant);
              document.getElementById(control.id)?.focus(); // the button is removed
            }}
          >
            {t('meant', { email: meant })}
          </button>
        )}
      </span>
    </>
  );
});

export default EmailAddress;

function readDomains(option: unknown): readonly string[] {
  return Array.isArray(option) ? option.filter((domain): domain is string => typeof domain === 'string') : [];
}
