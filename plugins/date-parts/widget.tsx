import { Input } from '../../src/engine/fluent/controls.ts';
import { useState } from 'react';
import { widgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import './date-parts.css';
import { joinDate, noParts, partNames, splitDate, wholeDate, type Parts } from './parts.ts';

/** A date in three boxes. Quicker than a calendar for a date that is known by heart or copied from a document. */
export default function DateParts(props: WidgetProps) {
  const { field, control, label, t } = widgetParts(props);
  const { id, name, autoComplete, 'aria-describedby': describedBy, placeholder: _placeholder, ...rest } = control;
  const [typed, setTyped] = useState<Parts>(noParts);
  const parts = joinDate(typed) === props.value ? typed : splitDate(props.value);

  const take = (part: keyof Parts, text: string) => {
    const next = wholeDate(text) ?? { ...parts, [part]: text };
    setTyped(next);
    field.set(joinDate(next));
  };

  return (
    <fieldset
      className="date-parts"
      id={id}
      tabIndex={-1}
      aria-describedby={describedBy}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) field.blur();
      }}
    >
      <legend>{label}</legend>
      {partNames.map((part) => (
        <div key={part} className={`date-part-${part}`}>
          <label htmlFor={`${id}-${part}`}>{t(part)}</label>
          <Input
            {...rest}
            id={`${id}-${part}`}
            name={`${name}-${part}`}
            inputMode="numeric"
            autoComplete={autoComplete === 'bday' ? `bday-${part}` : undefined}
            value={parts[part]}
            onChange={(_, { value }) => take(part, value)}
          />
        </div>
      ))}
    </fieldset>
  );
}
