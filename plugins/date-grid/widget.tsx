import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { isObject } from '../../src/engine/core/json.ts';
import { widgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import { Calendar } from './calendar.tsx';
import './date-grid.css';
import { toWeekday, type Day } from './month.ts';

type Days =
  | { readonly state: 'loading' }
  | { readonly state: 'failed' }
  | { readonly state: 'ready'; readonly days: readonly Day[] };

/** Number of days in the list. The calendar shows all of them. */
const mostListed = 5;

/** List of the first available days of an operation, and a calendar of all of them. The first day is preselected. */
const DateGrid = observer(function DateGrid(props: WidgetProps) {
  const { field, control, options, label, t, load } = widgetParts(props);
  const [days, setDays] = useState<Days>({ state: 'loading' });
  const [asCalendar, setAsCalendar] = useState(false);
  const value = typeof field.value === 'string' ? field.value : '';

  const ask = async () => {
    setDays({ state: 'loading' });
    try {
      const listed = listedDays(await load(String(options.source)));
      setDays({ state: 'ready', days: listed });
      const chosen = typeof field.value === 'string' && listed.includes(field.value);
      if (!chosen) field.set(listed[0]);
    } catch {
      setDays({ state: 'failed' });
    }
  };
  useEffect(() => {
    void ask();
    // oxlint-disable-next-line react/exhaustive-deps -- asked once, when the form opens; the button asks again
  }, []);

  const formatDay = (day: Day, key: 'day' | 'dayTaken' = 'day') =>
    t(key, {
      weekday: t(`weekday${toWeekday(day)}`),
      day: Number(day.slice(8)),
      month: t(`month${Number(day.slice(5, 7))}`).toLowerCase(),
    });

  return (
    <fieldset
      className="date-grid"
      id={control.id}
      tabIndex={-1}
      disabled={control.disabled}
      aria-describedby={control['aria-describedby']}
    >
      <legend>{label}</legend>
      {days.state === 'loading' && <p role="status">{t('loading')}</p>}
      {days.state === 'failed' && (
        <p role="alert">
          {t('failed')}{' '}
          <button
            type="button"
            className="link-button"
            onClick={({ currentTarget }) => {
              currentTarget.closest('fieldset')?.focus(); // the button is removed
              void ask();
            }}
          >
            {t('retry')}
          </button>
        </p>
      )}
      {days.state === 'ready' && days.days.length === 0 && <p role="status">{t('none')}</p>}
      {days.state === 'ready' && days.days.length > 0 && !asCalendar && (
        <div className="date-grid-list">
          {days.days
            .filter((day, place) => place < mostListed || day === value)
            .map((day) => (
              <label key={day} className="form-choice">
                <input
                  type="radio"
                  name={control.name}
                  checked={value === day}
                  onChange={() => field.set(day)}
                  onBlur={() => field.blur()}
                />
                {formatDay(day)}
              </label>
            ))}
        </div>
      )}
      {days.state === 'ready' && days.days.length > 0 && asCalendar && (
        <Calendar
          days={days.days}
          value={value}
          t={t}
          nameOf={formatDay}
          onChoose={(day) => field.set(day)}
          onLeave={() => field.blur()}
        />
      )}
      {days.state === 'ready' && days.days.length > mostListed && (
        <button type="button" className="link-button" onClick={() => setAsCalendar(!asCalendar)}>
          {t(asCalendar ? 'asList' : 'asCalendar')}
        </button>
      )}
    </fieldset>
  );
});

export default DateGrid;

/** Reads the available days from a response: items with `fecha` and an optional `disponible`. */
function listedDays(answer: unknown): readonly Day[] {
  const items = Array.isArray(answer) ? answer.filter(isObject) : [];
  return items
    .filter((item) => item['disponible'] !== false)
    .flatMap(({ fecha }) => (typeof fecha === 'string' ? [fecha] : []))
    .sort();
}
