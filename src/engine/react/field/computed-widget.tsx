import { useContext } from 'react';
import { writeNumber } from '../../core/values/numbers.ts';
import type { WidgetProps } from '../widget.ts';
import { FormContext, idOfField } from './form-context.ts';

/** What a field is computed to be: heard politely when it changes, and reached by the link of its message. */
export function ComputedWidget({ id, name, value, options, 'aria-describedby': describedBy }: WidgetProps) {
  const { fields = [], language } = useContext(FormContext)?.draft.validator.screen ?? {};
  const sources = fields.filter(({ dependents }) => dependents.includes(name)).map((field) => idOfField(field.name));
  const choice = options.enumOptions?.find((option) => option.value === value);
  const shown = typeof value === 'number' ? writeNumber(value, language, { grouped: true }) : value;
  return (
    <output id={id} htmlFor={sources.join(' ')} tabIndex={-1} className="form-computed" aria-describedby={describedBy}>
      {choice?.label ?? (shown as string | undefined)}
    </output>
  );
}
