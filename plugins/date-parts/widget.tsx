import { Input } from '../../src/engine/fluent/controls.ts';
import { useState } from 'react';
import { useEngine } from '../../src/engine/react/engine-context.ts';
import {
  toGroupProps,
  toWidgetParts,
  type WidgetAnswerProps,
  type WidgetProps,
} from '../../src/engine/react/widget.ts';
import './date-parts.css';

interface Parts {
  readonly day: string;
  readonly month: string;
  readonly year: string;
}

const partNames = ['day', 'month', 'year'] as const;

const noParts: Parts = { day: '', month: '', year: '' };

/** Joins the parts to `YYYY-MM-DD`. Leaves missing and invalid parts unchanged, so that the rule reports them. */
function joinDate(parts: Parts): string | undefined {
  const { day, month, year } = parts;
  if (partNames.every((name) => parts[name].trim() === '')) return undefined;
  return [year.trim(), padPart(month), padPart(day)].join('-');
}

export function parseIsoDateParts(value: unknown): Parts {
  const [year, month, day, ...rest] = typeof value === 'string' ? value.split('-') : [];
  if (year === undefined || month === undefined || day === undefined || rest.length > 0) return noParts;
  return { day: day.replace(/^0(?=\d)/, ''), month: month.replace(/^0(?=\d)/, ''), year };
}

/** Parses a pasted or autofilled date: `31/12/1990`, `31.12.1990`, `31-12-1990` or `1990-12-31`. Returns `null` for anything else. */
export function parseTypedDateParts(text: string): Parts | null {
  const [, day = '', month = '', year = ''] = /^\s*(\d{1,2})[/. -](\d{1,2})[/. -](\d{4})\s*$/.exec(text) ?? [];
  if (year !== '') return { day, month, year };
  return /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(text) ? parseIsoDateParts(text.trim()) : null;
}

function padPart(part: string): string {
  return part.trim().replace(/^\d$/, '0$&');
}

export const types = ['string'] as const;

export const options = { labelled: { const: 'self' } } as const;

/** Date in three text inputs, which are faster than a calendar for a date that the user knows or copies from a document. */
function DateParts(props: WidgetProps) {
  const { field, control, label, t } = toWidgetParts(props);
  const { id, name, autoComplete, 'aria-describedby': _describedBy, placeholder: _placeholder, ...rest } = control;
  const [typed, setTyped] = useState<Parts>(noParts);
  const parts = joinDate(typed) === props.value ? typed : parseIsoDateParts(props.value);

  const setPart = (part: keyof Parts, text: string) => {
    const next = parseTypedDateParts(text) ?? { ...parts, [part]: text };
    setTyped(next);
    field.set(joinDate(next));
  };

  return (
    <fieldset className="date-parts" {...toGroupProps({ control, field })}>
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
            onChange={(_, { value }) => setPart(part, value)}
          />
        </div>
      ))}
    </fieldset>
  );
}

function DateAnswer({ value, language }: WidgetAnswerProps) {
  return useEngine().formatDate(String(value), language);
}

export default Object.assign(DateParts, { Answer: DateAnswer });
