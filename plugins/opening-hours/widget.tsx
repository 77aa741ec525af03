import { useState } from 'react';
import { Input } from '../../src/engine/fluent/controls.ts';
import { toGroupProps, toWidgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import './opening-hours.css';

interface Period {
  readonly first: string;
  readonly last: string;
  readonly opens: string;
  readonly closes: string;
  readonly places: string;
}

const noPeriod: Period = { first: '', last: '', opens: '', closes: '', places: '' };

const linePattern = /^(?:(\p{L}{3})(?:-(\p{L}{3}))? )?(\d{2}:\d{2})-(\d{2}:\d{2})(?: x(\d+))?$/u;

function parsePeriods(value: unknown): readonly Period[] {
  const lines = typeof value === 'string' ? value.split('\n') : [];
  return lines.flatMap((line) => {
    const [whole, first = '', last = first, opens = '', closes = '', places = '1'] =
      linePattern.exec(line.trim()) ?? [];
    return whole === undefined ? [] : [{ first, last, opens, closes, places }];
  });
}

/** Completes a typed time: `9` and `9:00` become `09:00`. */
function padTime(time: string): string {
  return time
    .trim()
    .replace(/^\d(?=:|$)/, '0$&')
    .replace(/^\d\d$/, '$&:00');
}

/** Formats one period per line. Skips periods without days and hours. An incomplete line is left for the server to report. */
function formatPeriods(periods: readonly Period[]): string | undefined {
  const lines = periods.flatMap(({ first, last, opens, closes, places }) => {
    if (first === '' && opens === '' && closes === '') return [];
    const days = first === '' ? '' : first === last || last === '' ? `${first} ` : `${first}-${last} `;
    return [`${days}${padTime(opens)}-${padTime(closes)}${places === '' || places === '1' ? '' : ` x${places}`}`];
  });
  return lines.length === 0 ? undefined : lines.join('\n');
}

export const types = ['string'] as const;

export const options = {
  labelled: { const: 'self' },
  days: { type: 'boolean' },
} as const;

/** Rows of days, hours and simultaneous places. The last row is empty, and adds a period when it is filled in. */
export default function OpeningHours(props: WidgetProps) {
  const { field, control, label, options, t } = toWidgetParts(props);
  const { id, name } = control;
  const [typed, setTyped] = useState<readonly Period[]>([]);
  const periods = formatPeriods(typed) === props.value && typed.length > 0 ? typed : parsePeriods(props.value);
  const isBlank = (period: Period | undefined) => period !== undefined && formatPeriods([period]) === undefined;
  const rows = isBlank(periods.at(-1)) ? periods : [...periods, noPeriod];

  const change = (index: number, part: Partial<Period>) => {
    const next = rows.map((row, at) => (at === index ? { ...row, ...part } : row));
    setTyped(next);
    field.set(formatPeriods(next));
  };

  return (
    <fieldset className="opening-hours" {...toGroupProps({ control, field })}>
      <legend>{label}</legend>
      {rows.map((row, index) => (
        <div key={index} role="group" aria-label={t('period', { number: index + 1 })} className="opening-hours-period">
          {options['days'] !== false &&
            (['first', 'last'] as const).map((part) => (
              <div key={part}>
                <label htmlFor={`${id}-${index}-${part}`}>{t(part)}</label>
                <select
                  className="form-select"
                  id={`${id}-${index}-${part}`}
                  name={`${name}-${index}-${part}`}
                  disabled={control.disabled}
                  aria-invalid={control['aria-invalid']}
                  value={row[part]}
                  onChange={(event) => change(index, { [part]: event.target.value })}
                >
                  <option value="" />
                  {t('dayNames')
                    .split(' ')
                    .map((day) => (
                      <option key={day} value={day.slice(0, 3)}>
                        {day}
                      </option>
                    ))}
                </select>
              </div>
            ))}
          {(['opens', 'closes', 'places'] as const).map((part) => (
            <div key={part}>
              <label htmlFor={`${id}-${index}-${part}`}>{t(part)}</label>
              <Input
                id={`${id}-${index}-${part}`}
                name={`${name}-${index}-${part}`}
                disabled={control.disabled}
                readOnly={control.readOnly}
                aria-invalid={control['aria-invalid']}
                inputMode={part === 'places' ? 'numeric' : undefined}
                maxLength={part === 'places' ? 2 : 5}
                value={row[part]}
                onChange={(_event, { value }) => change(index, { [part]: value })}
              />
            </div>
          ))}
        </div>
      ))}
    </fieldset>
  );
}
