import { useEffect } from 'react';
import type { Answer } from '../../contract/contract.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import { useFlowState } from '../../portal/navigation/use-flow.ts';
import { FlowNotice } from '../../portal/shell/flow-notice.tsx';
import { useTitle } from '../../portal/shell/use-title.ts';
import { deskText, deskName } from '../texts.ts';
import { writtenDate, writtenHours } from '../written.ts';
import { AnswerHint, useAnswer } from '../answers/use-answer.tsx';

type Kind = 'support' | 'elevation';

export default function DeskHours({ runner }: BlockProps) {
  useTitle(deskText('horarios'));
  return (
    <section className="desk-section" aria-labelledby="desk-hours">
      <h1 id="desk-hours" tabIndex={-1}>
        {deskText('horarios')}
      </h1>
      <FlowNotice runner={runner} />
      <div className="desk-columns">
        <Agenda runner={runner} kind="support" />
        <Agenda runner={runner} kind="elevation" />
      </div>
    </section>
  );
}

function Agenda({ runner, kind }: { runner: FlowRunner; kind: Kind }) {
  const { answer, failure, again } = useAnswer<Answer<'getDeskHours'>>('getDeskHours', { agenda: kind });
  const notice = useFlowState(runner)?.notice;
  useEffect(() => {
    if (notice) again();
  }, [notice, again]);
  const name = deskName('kind', kind);
  return (
    <section aria-labelledby={`hours-${kind}`}>
      <h2 id={`hours-${kind}`}>{name}</h2>
      <AnswerHint answer={answer} failure={failure} />
      {answer !== null && (
        <>
          <p>{deskText('hours.minutes', { minutes: answer.minutos })}</p>
          <h3>{deskText('hours.week')}</h3>
          <ul>
            {writtenHours(answer.horario).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <button
            type="button"
            className="button"
            aria-label={deskText('hours.changeOf', { kind: name })}
            onClick={() => void runner.raise('week', { agenda: kind, horario: answer.horario })}
          >
            {deskText('hours.change')}
          </button>
          <h3>{deskText('hours.dates')}</h3>
          {answer.fechas.length === 0 && <p>{deskText('hours.noDates')}</p>}
          <ul>
            {answer.fechas.map(({ fecha, horario, nota }) => (
              <li key={fecha}>
                {writtenDate(fecha)}: {horario === '' ? deskText('hours.closed') : writtenHours(horario).join('; ')}
                {nota !== '' && ` · ${nota}`}{' '}
                <button
                  type="button"
                  className="button"
                  aria-label={deskText('hours.editOf', { date: writtenDate(fecha) })}
                  onClick={() => void runner.raise('date', { agenda: kind, fecha, horario, nota })}
                >
                  {deskText('hours.edit')}
                </button>{' '}
                <button
                  type="button"
                  className="button"
                  aria-label={deskText('hours.dropOf', { date: writtenDate(fecha) })}
                  onClick={() => void runner.raise('drop', { agenda: kind, fecha })}
                >
                  {deskText('hours.drop')}
                </button>
              </li>
            ))}
          </ul>
          <button
            type="button"
            className="button"
            aria-label={deskText('hours.addOf', { kind: name })}
            onClick={() => void runner.raise('date', { agenda: kind, fecha: '', horario: '', nota: '' })}
          >
            {deskText('hours.add')}
          </button>
        </>
      )}
    </section>
  );
}
