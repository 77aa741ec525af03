import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { addMonths, dayByKey, toMonth, listWeeks, type Day } from './month.ts';

type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string;

interface CalendarProps {
  /** Days that can be chosen. At least one. */
  readonly days: readonly Day[];
  readonly value: string;
  readonly t: Translate;
  /** Name of a day for people: weekday, day and month. */
  readonly nameOf: (day: Day, key?: 'day' | 'dayTaken') => string;
  readonly onChoose: (day: Day) => void;
  readonly onLeave: () => void;
}

/** Grid of one month, operated with the arrow keys, which also change the month at its edges. Takes the focus when it opens. */
export function Calendar({ days, value, t, nameOf, onChoose, onLeave }: CalendarProps) {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const [focused, setFocused] = useState(days.includes(value) ? value : first);
  const walked = useRef(true); // moves the focus into the grid when it opens
  const cell = useRef<HTMLButtonElement>(null);
  const month = toMonth(focused);
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
    const start = `${toMonth(addMonths(focused, months))}-01`;
    setFocused(
      days.find((day) => toMonth(day) === toMonth(start)) ?? (start < first ? first : start > last ? last : start),
    );
  };
  const press = (event: KeyboardEvent<HTMLTableElement>) => {
    const day = dayByKey(event.key, focused);
    if (day === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    walk(day);
  };
  const monthName = t('monthOfYear', { month: t(`month${Number(month.slice(5))}`), year: month.slice(0, 4) });

  return (
    <>
      <div className="date-grid-head">
        <Turn label={t('previous')} able={toMonth(first) < month} onPress={() => turn(-1)}>
          ‹
        </Turn>
        <span role="status">{monthName}</span>
        <Turn label={t('next')} able={toMonth(last) > month} onPress={() => turn(1)}>
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
          {listWeeks(month).map((week, row) => (
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

/** Button for the next or previous month. It is disabled only with `aria-disabled`, so that it keeps the focus at the first and last month. */
function Turn({ label, able, onPress, children }: TurnProps) {
  return (
    <button type="button" aria-label={label} aria-disabled={!able} onClick={() => able && onPress()}>
      {children}
    </button>
  );
}
