import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Answer } from '../../contract/contract.ts';
import { deskPages } from '../../contract/pages.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import { Failed } from '../../engine/react/flow/failed.tsx';
import { Waiting } from '../../engine/react/flow/waiting.tsx';
import { useFlowState } from '../../portal/navigation/use-flow.ts';
import { usePortal } from '../../portal/portal-context.ts';
import { now } from '../../portal/session/clock.ts';
import { FlowNotice } from '../../portal/shell/flow-notice.tsx';
import { useTitle } from '../../portal/shell/use-title.ts';
import { CallCuts } from '../call-cuts.tsx';
import { cutCalls, saySubject, uncut, type ListedCall } from '../call-cut.ts';
import { dayOf, laterDay, shortTime } from '../days.ts';
import { deskText, deskName } from '../texts.ts';
import { writtenDate, writtenDocument } from '../written.ts';
import { useAnswer } from '../use-answer.ts';
import { useNews } from '../use-news.ts';

/** The calls of a day, by their hour, or those of one document; they follow what other agents do. */
export function Block({ runner }: BlockProps) {
  const { t } = usePortal();
  const today = dayOf(now());
  const [date, setDate] = useState(today);
  const [found, setFound] = useState('');
  const [cut, setCut] = useState(uncut);
  const { answer, failed, again } = useAnswer<Answer<'getDeskDay'>>(
    'getDeskDay',
    found === '' ? { fecha: date } : { documento: found },
  );
  const turn = useFlowState(runner)?.context['vuelta'];
  useEffect(() => {
    if (turn !== null && turn !== undefined) again();
  }, [turn, again]);
  useNews(again);
  useTitle(deskText('videollamadas'));
  const calls = cutCalls(answer?.llamadas ?? [], cut);
  return (
    <section className="desk-section" aria-labelledby="desk-day">
      <h1 id="desk-day" tabIndex={-1}>
        {deskText('videollamadas')}
      </h1>
      <FlowNotice runner={runner} />
      <Search
        found={found}
        onFind={(document) => {
          setFound(document);
          setCut(uncut);
        }}
      />
      {found === '' && <Day date={date} today={today} onChange={setDate} />}
      <CallCuts calls={answer?.llamadas ?? []} cut={cut} onCut={setCut} />
      {failed && <Failed text={t('offline')} />}
      {answer === null && !failed && <Waiting text={t('loading')} />}
      {answer !== null && calls.length === 0 && <p>{deskText('day.none')}</p>}
      {calls.length > 0 && (
        <div className="desk-table" role="region" aria-label={deskText('day.table')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {(['day.hour', 'day.kind', 'day.person', 'day.state', 'day.agent', 'day.act'] as const).map((key) => (
                  <th key={key} scope="col">
                    {deskText(key)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {calls.map((call) => (
                <Row
                  key={call.id}
                  call={call}
                  dated={found !== ''}
                  onTake={() => void runner.raise('take', { id: call.id, turno: `${call.id} ${Date.now()}` })}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Row({ call, dated, onTake }: { call: ListedCall; dated: boolean; onTake: () => void }) {
  const { id, fecha, hora_inicio, tipo, nombre, documento, asunto, estado, agente, mia, atrasada, terminada, propia } =
    call;
  const hour = `${dated ? `${writtenDate(fecha)} ` : ''}${shortTime(hora_inicio)}`;
  return (
    <tr>
      <td>{hour}</td>
      <td>
        {deskName('kind', tipo)}
        {asunto !== '' && <span className="desk-more">{saySubject(asunto)}</span>}
      </td>
      <th scope="row">
        <Link to={deskPages.call.replace(':id', id)}>{nombre}</Link>
        <span className="desk-more">{writtenDocument(documento)}</span>
      </th>
      <td>
        {estado}
        {atrasada && <span className="tag desk-late">{deskText('day.isLate')}</span>}
      </td>
      <td>{mia ? deskText('day.me') : (agente?.nombre ?? '—')}</td>
      <td>
        {agente === null && !terminada && !propia && (
          <button
            type="button"
            className="button"
            onClick={onTake}
            aria-label={deskText('day.takeOf', { hour, name: nombre })}
          >
            {deskText('day.take')}
          </button>
        )}
        {propia && deskText('day.own')}
      </td>
    </tr>
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
      <input
        id="desk-document"
        value={typed}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
      <button type="submit" className="button">
        {deskText('day.search')}
      </button>
      {found !== '' && (
        <button
          type="button"
          className="button"
          onClick={() => {
            setTyped('');
            onFind('');
          }}
        >
          {deskText('day.back')}
        </button>
      )}
    </form>
  );
}

function Day({ date, today, onChange }: { date: string; today: string; onChange: (date: string) => void }) {
  return (
    <div className="desk-day">
      <button type="button" className="button" onClick={() => onChange(laterDay(date, -1))}>
        {deskText('day.before')}
      </button>
      <label htmlFor="desk-date">{deskText('day.date')}</label>
      <input
        id="desk-date"
        type="date"
        value={date}
        onChange={(event) => event.target.value !== '' && onChange(event.target.value)}
      />
      <button type="button" className="button" onClick={() => onChange(laterDay(date, 1))}>
        {deskText('day.after')}
      </button>
      {date !== today && (
        <button type="button" className="button" onClick={() => onChange(today)}>
          {deskText('day.today')}
        </button>
      )}
    </div>
  );
}
