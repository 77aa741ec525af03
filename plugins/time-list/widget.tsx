import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { isObject } from '../../src/engine/core/json.ts';
import { toWidgetParts, type AnswerProps, type WidgetProps } from '../../src/engine/react/widget.ts';
import './time-list.css';

type Times =
  | { readonly state: 'loading' }
  | { readonly state: 'failed' }
  | { readonly state: 'ready'; readonly times: readonly string[] };

const noon = '12:00:00';

/** Number of times in the placeholder of the first day: at most two rows, from 320 px on. */
const usualCount = 8;

/** Shows either the morning or the afternoon, so that the submit button stays visible on a phone. A placeholder keeps the place of the times. */
const TimeList = observer(function TimeList(props: WidgetProps) {
  const { field, form, control, options, label, t, load } = toWidgetParts(props);
  const dateOfForm = form.field(String(options.dateField))?.value;
  const date = typeof dateOfForm === 'string' ? dateOfForm : '';
  const [times, setTimes] = useState<Times>({ state: 'loading' });
  const [asked, setAsked] = useState(0);
  const latest = useRef(0);
  const [selectedPart, setSelectedPart] = useState<string | null>(null);

  useEffect(() => {
    if (date === '') return;
    const question = (latest.current += 1); // ignores responses to earlier requests
    setTimes({ state: 'loading' });
    setSelectedPart(null);
    load(String(options.source), { fecha: date }).then(
      (answer) => {
        if (question !== latest.current) return;
        const listed = readTimes(answer);
        setTimes({ state: 'ready', times: listed });
        if (typeof field.value === 'string' && !listed.includes(field.value)) field.set(undefined);
      },
      () => question === latest.current && setTimes({ state: 'failed' }),
    );
    // oxlint-disable-next-line react/exhaustive-deps -- loads the times only for another date or on retry
  }, [date, asked]);

  const before = useRef(date);
  useEffect(() => {
    if (before.current !== '' && before.current !== date) field.set(undefined);
    before.current = date;
    // oxlint-disable-next-line react/exhaustive-deps -- clears the choice only if the date changes
  }, [date]);

  const listed = times.state === 'ready' ? times.times : [];
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
  if (date === '') return <div className="time-list-place" aria-hidden="true" />;
  return (
    <fieldset
      className="time-list"
      id={control.id}
      tabIndex={-1}
      disabled={control.disabled}
      aria-describedby={control['aria-describedby']}
    >
      <legend>{label}</legend>
      <div className="time-list-body">
        {times.state === 'loading' && (
          <>
            <p role="status" className="visually-hidden">
              {t('loading')}
            </p>
            <div className="skeleton time-list-parts" aria-hidden="true" />
            <div className="time-list-part" aria-hidden="true">
              {Array.from({ length: lastCount.current }, (_time, place) => (
                <span key={place} className="skeleton" />
              ))}
            </div>
          </>
        )}
        {times.state === 'failed' && (
          <p role="alert">
            {t('failed')}{' '}
            <button
              type="button"
              className="link-button"
              onClick={({ currentTarget }) => {
                currentTarget.closest('fieldset')?.focus(); // the pressed button is removed, so move the focus
                setAsked(asked + 1);
              }}
            >
              {t('retry')}
            </button>
          </p>
        )}
        {times.state === 'ready' && times.times.length === 0 && <p role="status">{t('none')}</p>}
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
              <label key={`${date} ${time}`}>
                <input
                  type="radio"
                  name={control.name}
                  checked={field.value === time}
                  onChange={() => field.set(time)}
                  onBlur={() => field.blur()}
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

export default Object.assign(TimeList, { Answer: ({ value }: AnswerProps) => formatTime(String(value)) });

/** Reads the times (`HH:mm:ss`) from a response: items with `hora_inicio`. */
function readTimes(answer: unknown): readonly string[] {
  const items = Array.isArray(answer) ? answer.filter(isObject) : [];
  return items.flatMap(({ hora_inicio: time }) => (typeof time === 'string' ? [time] : []));
}

/** Formats `HH:mm:ss` without its seconds. */
function formatTime(time: string): string {
  return time.slice(0, 5);
}
