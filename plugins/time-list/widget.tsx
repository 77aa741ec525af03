import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { isObject } from '../../src/engine/core/json.ts';
import {
  toGroupProps,
  toWidgetParts,
  type WidgetAnswerProps,
  type WidgetProps,
} from '../../src/engine/react/widget.ts';
import './time-list.css';

const noon = '12:00:00';

/** Number of times in the placeholder of the first day. They fill at most two rows on screens that are at least 320 px wide. */
const usualCount = 8;

/** Shows only the morning or the afternoon, so that the submit button stays visible on a phone. */
const TimeList = observer(function TimeList(props: WidgetProps) {
  const { field, form, control, options, label, t, source } = toWidgetParts(props);
  const date = form.field(String(options.dateField))?.value;
  const [selectedPart, setSelectedPart] = useState<string | null>(null);
  const before = useRef(date);
  useEffect(() => {
    if (before.current === date) return;
    if (before.current !== undefined) field.set(undefined);
    before.current = date;
    setSelectedPart(null);
  }, [field, date]);

  const listed = source?.state === 'ready' ? readTimes(source.data) : [];
  const parts = (
    [
      ['morning', listed.filter((time) => time < noon)],
      ['afternoon', listed.filter((time) => time >= noon)],
    ] as const
  ).filter(([, some]) => some.length > 0);
  const [shownPart, shownTimes] =
    parts.find(([part]) => part === selectedPart) ??
    parts.find(([, some]) => some.some((time) => time === field.value)) ??
    parts[0] ??
    [];
  const lastCount = useRef(usualCount);
  useEffect(() => {
    if (shownTimes) lastCount.current = shownTimes.length;
  });
  if (!source) return <div className="time-list-place" aria-hidden="true" />;
  return (
    <fieldset
      {...toGroupProps({ control, field })}
      className="time-list"
      disabled={control.disabled || control.readOnly}
    >
      <legend>{label}</legend>
      <div className="time-list-body">
        {source.state === 'loading' && (
          <>
            <div className="skeleton time-list-parts" aria-hidden="true" />
            <div className="time-list-part" aria-hidden="true">
              {Array.from({ length: lastCount.current }, (_time, place) => (
                <span key={place} className="skeleton" />
              ))}
            </div>
          </>
        )}
        {parts.length > 1 && (
          <div className="time-list-parts">
            {parts.map(([part]) => (
              <button key={part} type="button" aria-pressed={part === shownPart} onClick={() => setSelectedPart(part)}>
                {t(part)}
              </button>
            ))}
          </div>
        )}
        {shownTimes && (
          <div className="time-list-part">
            {shownTimes.map((time) => (
              <label key={`${String(date)} ${time}`}>
                <input
                  type="radio"
                  name={control.name}
                  checked={field.value === time}
                  onChange={() => field.set(time)}
                />
                <span>{formatTime(time)}</span>
              </label>
            ))}
          </div>
        )}
      </div>
    </fieldset>
  );
});

export const types = ['string'] as const;

export const options = {
  source: { type: 'string' },
  params: { type: 'object' },
  fresh: { type: 'boolean' },
  dateField: { type: 'string' },
  labelled: { const: 'self' },
} as const;

export default Object.assign(TimeList, { Answer: ({ value }: WidgetAnswerProps) => formatTime(String(value)) });

/** Reads the times (`HH:mm:ss`) from a response: items with `hora_inicio`. */
function readTimes(answer: unknown): readonly string[] {
  const items = Array.isArray(answer) ? answer.filter(isObject) : [];
  return items.flatMap(({ hora_inicio: time }) => (typeof time === 'string' ? [time] : []));
}

function formatTime(time: string): string {
  return time.slice(0, 5);
}
