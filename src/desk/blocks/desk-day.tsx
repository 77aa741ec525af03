import { Button, SearchBox } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import type { Answer } from '../../contract/contract.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import { useFlowState } from '../../portal/navigation/use-flow.ts';
import { now } from '../../portal/session/clock.ts';
import { CallFilters, filterCalls, readDayFilters, unfiltered, writeDayFilters } from '../call-filters.tsx';
import { CallTable } from '../call-table.tsx';
import { formatOfficialDate, formatTime, laterDate } from '../../contract/written/dates.ts';
import { sayDay, shortTime } from '../facts.tsx';
import { useRowKeys } from '../row-keys.tsx';
import { DaySummary, summarizeDay } from '../day-summary.tsx';
import { deskText } from '../texts.ts';
import { AnswerHint, useAnswer, useNews } from '../answers/use-answer.tsx';
import { DeskPage } from '../desk-page.tsx';

export default function DeskDay({ runner }: BlockProps) {
  const today = formatOfficialDate(now());
  const [{ date, cut: dayCut }, setDay] = useDayFilters(today);
  const [found, setFound] = useState('');
  const [foundCut, setFoundCut] = useState(unfiltered);
  const cut = found === '' ? dayCut : foundCut;
  const { list, toggle } = useRowKeys<HTMLDivElement>();
  const { answer, failure, reload } = useAnswer<Answer<'getDeskDay'>>(
    'getDeskDay',
    found === '' ? { fecha: date } : { documento: found },
  );
  const turn = useFlowState(runner)?.context['vuelta'];
  useEffect(() => {
    if (turn !== null && turn !== undefined) reload();
  }, [turn, reload]);
  useNews(reload);
  const all = answer?.llamadas ?? [];
  const calls = filterCalls(all, cut);
  const time = shortTime(formatTime(now()));
  const state = found === '' && date === today ? { ...summarizeDay(all, time), time } : null;
  return (
    <DeskPage
      title={deskText('videollamadas')}
      runner={runner}
      bar={
        <>
          {found === '' && <Day date={date} today={today} onChange={(next) => setDay({ date: next, cut })} />}
          <span className="desk-end">{toggle}</span>
          <Search
            found={found}
            onFind={(document) => {
              setFound(document);
              setFoundCut(unfiltered);
            }}
          />
        </>
      }
    >
      {failure === null && state !== null && <DaySummary {...state} />}
      {failure === null && (
        <CallFilters
          calls={all}
          cut={cut}
          onCut={(next) => (found === '' ? setDay({ date, cut: next }) : setFoundCut(next))}
        />
      )}
      <AnswerHint answer={answer} failure={failure} />
      {answer !== null && calls.length === 0 && <p>{deskText('day.none')}</p>}
      {calls.length > 0 && (
        <CallTable
          calls={calls}
          today={state}
          dated={found !== ''}
          listRef={list}
          onTake={({ id }) => void runner.raise('take', { id, turno: `${id} ${Date.now()}` })}
        />
      )}
    </DeskPage>
  );
}

/** Query of the last day that was shown, for links that lead back to the day. */
let lastQuery = '';

/** The day and its filters, kept in the address: for a reload, for Back, and for the way back from a call. */
function useDayFilters(today: string) {
  const [filters, setFilters] = useState(() => readDayFilters(window.location.search || lastQuery, today));
  useEffect(() => {
    lastQuery = writeDayFilters(filters, today);
    window.history.replaceState(window.history.state, '', window.location.pathname + lastQuery);
  }, [filters, today]);
  return [filters, setFilters] as const;
}

function Search({ found, onFind }: { found: string; onFind: (document: string) => void }) {
  const [typed, setTyped] = useState('');
  return (
    <form
      className="desk-bar"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onFind(typed.trim());
      }}
    >
      <label htmlFor="desk-document">{deskText('day.exact')}</label>
      <SearchBox
        id="desk-document"
        size="small"
        value={typed}
        maxLength={100}
        autoComplete="off"
        dismiss={null}
        onChange={(_, { value }) => setTyped(value)}
      />
      <Button type="submit" size="small">
        {deskText('day.search')}
      </Button>
      {found !== '' && (
        <Button
          size="small"
          onClick={() => {
            setTyped('');
            onFind('');
          }}
        >
          {deskText('day.back')}
        </Button>
      )}
    </form>
  );
}

function Day({ date, today, onChange }: { date: string; today: string; onChange: (date: string) => void }) {
  return (
    <div className="desk-bar">
      <div role="group" aria-label={deskText('day.turn')}>
        <Button
          size="small"
          appearance="subtle"
          aria-label={deskText('day.before')}
          onClick={() => onChange(laterDate(date, { days: -1 }))}
        >
          ‹
        </Button>
        <Button
          size="small"
          appearance="subtle"
          aria-label={deskText('day.after')}
          onClick={() => onChange(laterDate(date, { days: 1 }))}
        >
          ›
        </Button>
        {date !== today && (
          <Button size="small" appearance="subtle" onClick={() => onChange(today)}>
            {deskText('day.today')}
          </Button>
        )}
      </div>
      <strong>{sayDay(date)}</strong>
      <input
        aria-label={deskText('day.date')}
        type="date"
        value={date}
        onChange={(event) => event.target.value !== '' && onChange(event.target.value)}
      />
    </div>
  );
}
