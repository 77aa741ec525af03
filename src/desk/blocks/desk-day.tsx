import { Button, SearchBox } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import type { Answer } from '../../contract/contract.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import { useFlowState } from '../../portal/navigation/use-flow.ts';
import { now } from '../../portal/session/clock.ts';
import { useTitle } from '../../portal/shell/use-title.ts';
import { CallFilters, filterCalls, unfiltered } from '../call-filters.tsx';
import { CallTable } from '../call-table.tsx';
import { formatOfficialDate, laterDate } from '../../contract/written/dates.ts';
import { sayDay } from '../facts.tsx';
import { DaySummary } from '../day-summary.tsx';
import { deskText } from '../texts.ts';
import { AnswerHint, useAnswer, useNews } from '../answers/use-answer.tsx';
import { FlowNotice } from '../../portal/shell/block-page.tsx';

export default function DeskDay({ runner }: BlockProps) {
  const today = formatOfficialDate(now());
  const [date, setDate] = useState(today);
  const [found, setFound] = useState('');
  const [cut, setCut] = useState(unfiltered);
  const { answer, failure, reload } = useAnswer<Answer<'getDeskDay'>>(
    'getDeskDay',
    found === '' ? { fecha: date } : { documento: found },
  );
  const turn = useFlowState(runner)?.context['vuelta'];
  useEffect(() => {
    if (turn !== null && turn !== undefined) reload();
  }, [turn, reload]);
  useNews(reload);
  useTitle(deskText('videollamadas'));
  const all = answer?.llamadas ?? [];
  const calls = filterCalls(all, cut);
  return (
    <section className="desk-section" aria-labelledby="desk-day">
      <div className="desk-title">
        <h1 id="desk-day" tabIndex={-1}>
          {deskText('videollamadas')}
        </h1>
        <Search
          found={found}
          onFind={(document) => {
            setFound(document);
            setCut(unfiltered);
          }}
        />
      </div>
      <FlowNotice runner={runner} />
      {found === '' && <Day date={date} today={today} onChange={setDate} />}
      {failure === null && found === '' && date === today && <DaySummary calls={all} />}
      {failure === null && <CallFilters calls={all} cut={cut} onCut={setCut} />}
      <AnswerHint answer={answer} failure={failure} />
      {answer !== null && calls.length === 0 && <p>{deskText('day.none')}</p>}
      {calls.length > 0 && (
        <CallTable
          calls={calls}
          dated={found !== ''}
          onTake={({ id }) => void runner.raise('take', { id, turno: `${id} ${Date.now()}` })}
        />
      )}
    </section>
  );
}

function Search({ found, onFind }: { found: string; onFind: (document: string) => void }) {
  const [typed, setTyped] = useState('');
  return (
    <form
      className="desk-search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onFind(typed.trim());
      }}
    >
      <label htmlFor="desk-document">{deskText('day.document')}</label>
      <SearchBox
        id="desk-document"
        value={typed}
        maxLength={100}
        autoComplete="off"
        dismiss={null}
        onChange={(_, { value }) => setTyped(value)}
      />
      <Button type="submit">{deskText('day.search')}</Button>
      {found !== '' && (
        <Button
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
    <div className="desk-day">
      <div role="group" aria-label={deskText('day.turn')}>
        <Button
          appearance="subtle"
          aria-label={deskText('day.before')}
          onClick={() => onChange(laterDate(date, { days: -1 }))}
        >
          ‹
        </Button>
        <Button
          appearance="subtle"
          aria-label={deskText('day.after')}
          onClick={() => onChange(laterDate(date, { days: 1 }))}
        >
          ›
        </Button>
        {date !== today && (
          <Button appearance="subtle" onClick={() => onChange(today)}>
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
