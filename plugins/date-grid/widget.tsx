import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { isObject } from '../../src/engine/core/json.ts';
import { widgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import './date-grid.css';
import { addMonths, dayByKey, monthOf, weekdayOf, weeksOf, type Day } from './month.ts';

/** The days that can be chosen, in order; or that they are on their way, or do not come. */
type Days =
  | { readonly state: 'loading' }
  | { readonly state: 'failed' }
  | { readonly state: 'ready'; readonly days: readonly Day[] };

/** A calendar by the month, of which only the days that a call lists can be chosen; the first one is chosen beforehand. */
const DateGrid = observer(function DateGrid(props: WidgetProps) {
  const { field, control, options, label, t, load } = widgetParts(props);
  const [days, setDays] = useState<Days>({ state: 'loading' });
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
              currentTarget.closest('fieldset')?.focus(); // the button goes
              void ask();
            }}
          >
            {t('retry')}
          </button>
        </p>
      )}
      {days.state === 'ready' && days.days.length === 0 && <p role="status">{t('none')}</p>}
      {days.state === 'ready' && days.days.length > 0 && (
        <Calendar
          days={days.days}
          value={value}
          t={t}
          onChoose={(day) => field.set(day)}
          onLeave={() => field.blur()}
        />
      )}
    </fieldset>
  );
});

export default DateGrid;

/** The days of an answer: a list of `fecha`, perhaps with `disponible`. */
function listedDays(answer: unknown): readonly Day[] {
  const items = Array.isArray(answer) ? answer.filter(isObject) : [];
  return items
    .filter((item) => item['disponible'] !== false)
    .flatMap(({ fecha }) => (typeof fecha === 'string' ? [fecha] : []))
    .toSorted();
}

interface CalendarProps {
  /** Those that can be chosen: at least one. */
  readonly days: readonly Day[];
  readonly value: string;
  readonly t: ReturnType<typeof widgetParts>['t'];
  readonly onChoose: (day: Day) => void;
  readonly onLeave: () => void;
}

/** One month at a time, as a grid in which the arrow keys walk; leaving a month by them turns the page. */
function Calendar({ days, value, t, onChoose, onLeave }: CalendarProps) {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const [focused, setFocused] = useState(days.includes(value) ? value : first);
  const walked = useRef(false);
  const cell = useRef<HTMLButtonElement>(null);
  const month = monthOf(focused);
  const free = new Set(days);

  useEffect(() => {
    if (walked.current) cell.current?.focus();
    walked.current = false;
  }, [focused]);

  const walk = (day: Day) => {
    walked.current = true;
    setFocused(day < first ? first : day > last ? last : day);
  };
  const turn = (months: number) => {
    const start = `${monthOf(addMonths(focused, months))}-01`;
    setFocused(
      days.find((day) => monthOf(day) === monthOf(start)) ?? (start < first ? first : start > last ? last : start),
    );
  };
  const press = (event: KeyboardEvent<HTMLTableElement>) => {
    const day = dayByKey(event.key, focused);
    if (day === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    walk(day);
  };
  const monthName = t('monthOfYear', { month: t(`month${Number(month.slice(5))}`), year: month.slice(0, 4) });
  const nameOf = (day: Day) =>
    t(free.has(day) ? 'day' : 'dayTaken', {
      weekday: t(`weekday${weekdayOf(day)}`),
      day: Number(day.slice(8)),
      month: t(`month${Number(day.slice(5, 7))}`).toLowerCase(),
    });

  return (
    <>
      <div className="date-grid-head">
        <Turn label={t('previous')} able={monthOf(first) < month} onPress={() => turn(-1)}>
          ‹
        </Turn>
        <span role="status">{monthName}</span>
        <Turn label={t('next')} able={monthOf(last) > month} onPress={() => turn(1)}>
          ›
        </Turn>
      </div>
      <table role="grid" aria-label={monthName} onKeyDown={press} onBlur={onLeave}>
        <thead>
          <tr>
            {[0, 1, 2, 3, 4, 5, 6].map((weekday) => (
              <th key={weekday} scope="col" abbr={t(`weekday${weekday}`)}>
                {t(`short${weekday}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week, row) => (
            <tr key={row}>
              {week.map((day, column) =>
                day === null ? (
                  <td key={column} />
                ) : (
                  <td key={column} aria-selected={day === value}>
                    <button
                      ref={day === focused ? cell : null}
                      type="button"
                      tabIndex={day === focused ? 0 : -1}
                      aria-label={nameOf(day)}
                      aria-pressed={day === value}
                      aria-disabled={!free.has(day)}
                      onClick={() => {
                        walk(day);
                        if (free.has(day)) onChoose(day);
                      }}
                    >
                      {Number(day.slice(8))}
                    </button>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

interface TurnProps {
  readonly label: string;
  readonly able: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/** Turns the page. By `aria-disabled` alone: who comes to the last month by the keyboard keeps the focus. */
function Turn({ label, able, onPress, children }: TurnProps) {
  return (
    <button type="button" aria-label={label} aria-disabled={!able} onClick={() => able && onPress()}>
      {children}
    </button>
  );
}
