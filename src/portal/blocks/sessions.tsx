import { observer } from 'mobx-react-lite';
import type { Answer } from '../../contract/contract.ts';
import type { BlockProps } from '../../engine/react/flow-route.tsx';
import { Waiting } from '../../engine/react/waiting.tsx';
import { formatMoment } from '../shell/dates.ts';
import { FlowNotice } from '../shell/flow-notice.tsx';
import { usePortal } from '../portal-context.ts';
import { useFlowState } from '../navigation/use-flow.ts';
import { useStore } from '../session/use-store.ts';
import { useTitle } from '../shell/use-title.ts';

type Sessions = Answer<'getSessions'>;

/** Where the citizen is signed in, and the ways to end it. The flow loads the list and asks before anything ends. */
export const Block = observer(function Block({ runner }: BlockProps) {
  const { say } = usePortal();
  const sessions = useStore()?.sessions;
  const busy = useFlowState(runner)?.busy ?? false;
  useTitle(say('sessions.title'));
  if (!sessions) return <Waiting text={say('loading')} />;
  const hasOthers = sessions.pendientes.length > 0 || sessions.sesiones.some(({ actual }) => !actual);
  return (
    <section className="screen overview" aria-labelledby="sessions-title">
      <h1 id="sessions-title" tabIndex={-1}>
        {say('sessions.title')}
      </h1>
      <FlowNotice runner={runner} />
      <p>{say('sessions.intro')}</p>
      <ul className="sessions">
        {sessions.sesiones.map((session) => (
          <Session
            key={session.id}
            session={session}
            busy={busy}
            onEnd={() => void runner.raise('end', { id: session.id, device: session.dispositivo })}
          />
        ))}
      </ul>
      {sessions.pendientes.length > 0 && <HalfFinished sessions={sessions} />}
      <div className="screen-actions">
        {hasOthers && (
          <button
            type="button"
            className="button button-primary"
            aria-disabled={busy || undefined}
            onClick={() => void runner.raise('endOthers')}
          >
            {say('sessions.endOthers')}
          </button>
        )}
        <button type="button" className="button" onClick={() => void runner.raise('back')}>
          {say('back')}
        </button>
      </div>
    </section>
  );
});

interface SessionProps {
  readonly session: Sessions['sesiones'][number];
  readonly busy: boolean;
  readonly onEnd: () => void;
}

function Session({
  session: { id, dispositivo, red, inicio, visto, actual, aplicaciones },
  busy,
  onEnd,
}: SessionProps) {
  const { say } = usePortal();
  const title = `session-${id}`;
  const facts = [
    ...(red === '' ? [] : [[say('sessions.network'), red]]),
    [say('sessions.started'), formatMoment(inicio)],
    [say('sessions.seen'), formatMoment(visto)],
    ...(aplicaciones.length === 0 ? [] : [[say('sessions.applications'), aplicaciones.join(', ')]]),
  ];
  return (
    <li>
      <h2 id={title}>
        {dispositivo}
        {actual && (
          <>
            {' '}
            <span className="tag">{say('sessions.current')}</span>
          </>
        )}
      </h2>
      <dl>
        {facts.map(([term, detail]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{detail}</dd>
          </div>
        ))}
      </dl>
      {!actual && (
        <button
          type="button"
          className="button"
          aria-disabled={busy || undefined}
          aria-describedby={title}
          onClick={onEnd}
        >
          {say('sessions.end')}
        </button>
      )}
    </li>
  );
}

function HalfFinished({ sessions }: { sessions: Sessions }) {
  const { say } = usePortal();
  return (
    <>
      <h2>{say('sessions.pending')}</h2>
      <p>{say('sessions.pendingHelp')}</p>
      <ul className="sessions">
        {sessions.pendientes.map(({ dispositivo, red, inicio }) => (
          <li key={inicio + dispositivo}>
            <dl>
              <div>
                <dt>{say('sessions.device')}</dt>
                <dd>{dispositivo}</dd>
              </div>
              {red !== '' && (
                <div>
                  <dt>{say('sessions.network')}</dt>
                  <dd>{red}</dd>
                </div>
              )}
              <div>
                <dt>{say('sessions.started')}</dt>
                <dd>{formatMoment(inicio)}</dd>
              </div>
            </dl>
          </li>
        ))}
      </ul>
    </>
  );
}
