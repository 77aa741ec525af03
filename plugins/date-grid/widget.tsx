import { observer } from 'mobx-react-lite';
import { useEffect, useState, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { isObject } from '../../src/engine/core/json.ts';
import {
  toGroupProps,
  toWidgetParts,
  type WidgetAnswerProps,
  type WidgetProps,
} from '../../src/engine/react/widget.ts';
import './date-grid.css';
import dayjs from 'dayjs';
import utc from 'dayjs/plugin/utc.js';

dayjs.extend(utc);

/** `YYYY-MM-DD`. */
type Day = string;

const format = 'YYYY-MM-DD';

export function addDays(day: Day, days: number): Day {
  return dayjs.utc(day).add(days, 'day').format(format);
}

function toMonth(day: Day): string {
  return day.slice(0, 7);
}

export function addMonths(day: Day, months: number): Day {
  return dayjs.utc(day).add(months, 'month').format(format);
}

/** Returns the day of the week, from 0 (Monday) to 6 (Sunday). */
export function getWeekdayIndex(day: Day): number {
  return (dayjs.utc(day).day() + 6) % 7;
}

/** Returns the weeks of a period, from Monday on. Days before `from` and after `to` are `null`. */
export function listWeeks(from: Day, to: Day): readonly (readonly (Day | null)[])[] {
  const before = getWeekdayIndex(from);
  const count = Math.ceil((before + dayjs.utc(to).diff(from, 'day') + 1) / 7);
  return Array.from({ length: count }, (_week, week) =>
    Array.from({ length: 7 }, (_day, weekday) => addDays(from, week * 7 + weekday - before)).map((day) =>
      from <= day && day <= to ? day : null,
    ),
  );
}

/** Returns the first month with two selectable days. The calendar starts with it, because a month with a single day looks fully booked. */
export function findFirstMonth(days: readonly Day[]): string {
  const months = days.map(toMonth);
  return months.find((month, index) => months[index + 1] === month) ?? months[0] ?? '';
}

/** Day to which a key moves the focus, by key (APG date grid pattern). */
const dayByKey: Readonly<Record<string, (day: Day) => Day>> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: (day) => addDays(day, -getWeekdayIndex(day)),
  End: (day) => addDays(day, 6 - getWeekdayIndex(day)),
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
};

export function findDayAfterKeyPress(key: string, day: Day): Day | null {
  return dayByKey[key]?.(day) ?? null;
}

type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string;

interface CalendarProps {
  /** Selectable days. At least one. */
  readonly days: readonly Day[];
  readonly value: string;
  readonly t: Translate;
  readonly nameOf: (day: Day, key?: 'day' | 'dayTaken') => string;
  readonly onChoose: (day: Day) => void;
}

/**
 * Grid of one month with arrow key navigation. An arrow key at the edge changes the month. The grid takes the focus when it opens.
 * It shows only days between the first and the last selectable day. The first grid also shows the selectable days before its month.
 */
function Calendar({ days, value, t, nameOf, onChoose }: CalendarProps) {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const [focused, setFocused] = useState(days.includes(value) ? value : first);
  const walked = useRef(true); // whether to focus the day in the grid after the next render: initially, and after a key has moved the focus
  const cell = useRef<HTMLButtonElement>(null);
  const firstMonth = findFirstMonth(days);
  const toShownMonth = (day: Day) => (toMonth(day) < firstMonth ? firstMonth : toMonth(day));
  const month = toShownMonth(focused);
  const lastOfMonth = addDays(addMonths(`${month}-01`, 1), -1);
  const weeks = listWeeks(month === firstMonth ? first : `${month}-01`, lastOfMonth < last ? lastOfMonth : last);
  const free = new Set(days);

  useEffect(() => {
    if (walked.current) cell.current?.focus();
    walked.current = false;
  }, [focused]);

  const moveFocus = (day: Day) => {
    walked.current = true;
    setFocused(day < first ? first : day > last ? last : day);
  };
  const changeMonth = (months: number) => {
    const start = addMonths(`${month}-01`, months);
    setFocused(days.find((day) => toShownMonth(day) === toMonth(start)) ?? start);
  };
  const handleKey = (event: KeyboardEvent<HTMLTableElement>) => {
    const day = findDayAfterKeyPress(event.key, focused);
    if (day === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moveFocus(day);
  };
  const monthName = t('monthOfYear', { month: t(`month${Number(month.slice(5))}`), year: month.slice(0, 4) });

  return (
    <>
      <div className="date-grid-head">
        <MonthButton label={t('previous')} isEnabled={firstMonth < month} onPress={() => changeMonth(-1)}>
          ‹
        </MonthButton>
        <span role="status">{monthName}</span>
        <MonthButton label={t('next')} isEnabled={toMonth(last) > month} onPress={() => changeMonth(1)}>
          ›
        </MonthButton>
      </div>
      <table role="grid" aria-label={monthName} onKeyDown={handleKey}>
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
          {weeks.map((week, row) => (
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
                      aria-label={nameOf(day, free.has(day) ? 'day' : 'dayTaken')}
                      aria-pressed={day === value}
                      aria-disabled={!free.has(day)}
                      onClick={() => {
                        moveFocus(day);
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

interface MonthButtonProps {
  readonly label: string;
  readonly isEnabled: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/** Uses `aria-disabled` instead of `disabled`, so that the button keeps the focus at the first and last month. */
function MonthButton({ label, isEnabled, onPress, children }: MonthButtonProps) {
  return (
    <button type="button" aria-label={label} aria-disabled={!isEnabled} onClick={() => isEnabled && onPress()}>
      {children}
    </button>
  );
}

/** Maximum number of days in the list. The calendar shows all days. */
const maxListed = 3;

const DateGrid = observer(function DateGrid(props: WidgetProps) {
  const { field, control, label, t, source } = toWidgetParts(props);
  const [asCalendar, setAsCalendar] = useState(false);
  const value = typeof field.value === 'string' ? field.value : '';
  const isLoading = source?.state === 'loading';
  const days = source?.state === 'ready' ? readDays(source.data) : null;
  const first = days?.[0];
  const isLost = days !== null && !days.includes(value);
  useEffect(() => {
    if (isLost) field.set(first);
  }, [field, isLost, first]);
  return (
    <fieldset
      {...toGroupProps({ control, field })}
      className="date-grid"
      disabled={control.disabled || control.readOnly}
    >
      <legend>{label}</legend>
      {isLoading && (
        <>
          <p role="status" className="visually-hidden">
            {t('loading')}
          </p>
          <div className="date-grid-list" aria-hidden="true">
            {Array.from({ length: maxListed }, (_day, place) => (
              <div key={place} className="skeleton" />
            ))}
          </div>
        </>
      )}
      {days?.length === 0 && (
        <div role="status" className="date-grid-none">
          <strong>{t('none')}</strong>
          <p>{t('noneHint')}</p>
        </div>
      )}
      {days && first !== undefined && !asCalendar && (
        <div className="date-grid-list">
          {days
            .filter((day, place) => place < maxListed || day === value)
            .map((day) => (
              <label key={day} className="form-choice">
                <input type="radio" name={control.name} checked={value === day} onChange={() => field.set(day)} />
                {formatDay(t, day)}
              </label>
            ))}
        </div>
      )}
      {days && first !== undefined && asCalendar && (
        <Calendar
          days={days}
          value={value}
          t={t}
          nameOf={(day, key) => formatDay(t, day, key)}
          onChoose={(day) => field.set(day)}
        />
      )}
      {(isLoading || (days && days.length > maxListed)) && (
        <button
          type="button"
          className={isLoading ? 'link-button link-place' : 'link-button'}
          onClick={() => setAsCalendar(!asCalendar)}
        >
          {t(asCalendar ? 'asList' : 'asCalendar')}
        </button>
      )}
    </fieldset>
  );
});

function formatDay(t: Translate, day: Day, key: 'day' | 'dayTaken' = 'day'): string {
  return t(key, {
    weekday: t(`weekday${getWeekdayIndex(day)}`),
    day: Number(day.slice(8)),
    month: t(`month${Number(day.slice(5, 7))}`).toLowerCase(),
  });
}

export const types = ['string'] as const;

export const options = {
  source: { type: 'string' },
  fresh: { type: 'boolean' },
  labelled: { const: 'self' },
} as const;

export default Object.assign(DateGrid, { Answer: ({ value, t }: WidgetAnswerProps) => formatDay(t, String(value)) });

function readDays(answer: unknown): readonly Day[] {
  const items = Array.isArray(answer) ? answer.filter(isObject) : [];
  return items
    .filter((item) => item['disponible'] !== false)
    .flatMap(({ fecha }) => (typeof fecha === 'string' ? [fecha] : []))
    .sort();
}
