import { Button, SearchBox } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import type { OperationResponse } from '../../contract/contract.ts';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import { useFlowState } from '../../portal/navigation/use-flow-runner.ts';
import { getServerTime } from '../../portal/session/server-clock.ts';
import {
  CallFilters,
  filterCalls,
  parseDayCallFilters,
  allCallsFilter,
  buildDayCallFiltersQuery,
} from '../call-filters.tsx';
import { CallTable } from '../call-table.tsx';
import { toUruguayIsoDate, toUruguayIsoTime, addToDate } from '../../contract/format/dates.ts';
import { formatLongDate, formatShortTime } from '../format-desk-values.ts';
import { useRowNavigationKeys } from '../row-navigation-keys.tsx';
import { DaySummary, groupCallsOfDay } from '../day-summary.tsx';
import { getDeskText } from '../desk-texts.ts';
import { ResponseLoadStatus, useOperationResponse, useDeskEvents } from '../answers/use-operation-response.tsx';
import { DeskPage } from '../desk-page.tsx';
import { ActionButton } from '../../portal/shell/block-layout.tsx';

export default function DeskDay({ runner }: FlowBlockProps) {
  const today = toUruguayIsoDate(getServerTime());
  const [{ date, filter: dayCut }, setDay] = useDayFilters(today);
  const [found, setFound] = useState('');
  const [foundCut, setFoundCut] = useState(allCallsFilter);
  const cut = found === '' ? dayCut : foundCut;
  const { list, toggle } = useRowNavigationKeys<HTMLDivElement>();
  const { answer, failure, reload } = useOperationResponse<OperationResponse<'getDeskDay'>>(
    'getDeskDay',
    found === '' ? { fecha: date } : { documento: found },
  );
  const turn = useFlowState(runner)?.context['vuelta'];
  useEffect(() => {
    if (turn !== null && turn !== undefined) reload();
  }, [turn, reload]);
  useDeskEvents(reload);
  const all = answer?.llamadas ?? [];
  const calls = filterCalls(all, cut);
  const time = formatShortTime(toUruguayIsoTime(getServerTime()));
  const state = found === '' && date === today ? { ...groupCallsOfDay(all, time), time } : null;
  return (
    <DeskPage
      title={getDeskText('videollamadas')}
      runner={runner}
      bar={
        <>
          {found === '' && (
            <DatePicker date={date} today={today} onChange={(next) => setDay({ date: next, filter: cut })} />
          )}
          <span className="desk-end">{(answer === null || calls.length > 0) && toggle}</span>
          <AccountSearch
            found={found}
            onFind={(document) => {
              setFound(document);
              setFoundCut(allCallsFilter);
            }}
          />
        </>
      }
    >
      {failure === null && state !== null && <DaySummary {...state} />}
      {failure === null && (
        <CallFilters
          calls={all}
          filter={cut}
          onFilter={(next) => (found === '' ? setDay({ date, filter: next }) : setFoundCut(next))}
        />
      )}
      <ResponseLoadStatus answer={answer} failure={failure} />
      {answer !== null && calls.length === 0 && <p className="empty">{getDeskText('day.none')}</p>}
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

/** Query string of the last displayed day, for links back to it. */
let lastQuery = '';

/**
 * Displayed day and its filters. The URL contains them, so that they survive a reload, Back and the return from a call.
 */
function useDayFilters(today: string) {
  const [filters, setFilters] = useState(() => parseDayCallFilters(window.location.search || lastQuery, today));
  useEffect(() => {
    lastQuery = buildDayCallFiltersQuery(filters, today);
    window.history.replaceState(window.history.state, '', window.location.pathname + lastQuery);
  }, [filters, today]);
  return [filters, setFilters] as const;
}

function AccountSearch({ found, onFind }: { found: string; onFind: (document: string) => void }) {
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
      <label htmlFor="desk-document">{getDeskText('day.exact')}</label>
      <SearchBox
        id="desk-document"
        size="small"
        value={typed}
        maxLength={100}
        autoComplete="off"
        dismiss={null}
        onChange={(_, { value }) => setTyped(value)}
      />
      <button type="submit" className="button button-small">
        {getDeskText('day.search')}
      </button>
      {found !== '' && (
        <ActionButton
          look="small"
          text={getDeskText('day.back')}
          onAct={() => {
            setTyped('');
            onFind('');
          }}
        />
      )}
    </form>
  );
}

function DatePicker({ date, today, onChange }: { date: string; today: string; onChange: (date: string) => void }) {
  return (
    <div className="desk-bar">
      <div role="group" aria-label={getDeskText('day.turn')}>
        <Button
          size="small"
          appearance="subtle"
          aria-label={getDeskText('day.before')}
          onClick={() => onChange(addToDate(date, { days: -1 }))}
        >
          ‹
        </Button>
        <Button
          size="small"
          appearance="subtle"
          aria-label={getDeskText('day.after')}
          onClick={() => onChange(addToDate(date, { days: 1 }))}
        >
          ›
        </Button>
        {date !== today && (
          <Button size="small" appearance="subtle" onClick={() => onChange(today)}>
            {getDeskText('day.today')}
          </Button>
        )}
      </div>
      <strong>{formatLongDate(date)}</strong>
      <input
        aria-label={getDeskText('day.date')}
        type="date"
        value={date}
        onChange={(event) => event.target.value !== '' && onChange(event.target.value)}
      />
    </div>
  );
}
