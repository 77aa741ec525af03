import { useEffect } from 'react';
import type { Answer } from '../../contract/contract.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import { useFlowState } from '../../portal/navigation/use-flow.ts';
import { useTitle } from '../../portal/shell/use-title.ts';
import { deskText, deskName } from '../texts.ts';
import { writtenDate, writtenHours } from '../facts.tsx';
import { AnswerHint, useAnswer } from '../answers/use-answer.tsx';
import { Act, BlockPage } from '../../portal/shell/block-page.tsx';

type Kind = 'support' | 'elevation';

export default function DeskHours({ runner }: BlockProps) {
  useTitle(deskText('horarios'));
  return (
    <BlockPage id="desk-hours" title={deskText('horarios')} runner={runner} className="desk-section">
      <div className="desk-columns">
        <Agenda runner={runner} kind="support" />
        <Agenda runner={runner} kind="elevation" />
      </div>
    </BlockPage>
  );
}

function Agenda({ runner, kind }: { runner: FlowRunner; kind: Kind }) {
  const { answer, failure, reload } = useAnswer<Answer<'getDeskHours'>>('getDeskHours', { agenda: kind });
  const notice = useFlowState(runner)?.notice;
  useEffect(() => {
    if (notice) reload();
  }, [notice, reload]);
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
          <Act
            text={deskText('hours.change')}
            label={deskText('hours.changeOf', { kind: name })}
            onAct={() => void runner.raise('week', { agenda: kind, horario: answer.horario })}
          />
          <h3>{deskText('hours.dates')}</h3>
          {answer.fechas.length === 0 && <p>{deskText('hours.noDates')}</p>}
          <ul>
            {answer.fechas.map(({ fecha, horario, nota }) => (
              <li key={fecha}>
                {writtenDate(fecha)}: {horario === '' ? deskText('hours.closed') : writtenHours(horario).join('; ')}
                {nota !== '' && ` · ${nota}`}{' '}
                <Act
                  text={deskText('hours.edit')}
                  label={deskText('hours.editOf', { date: writtenDate(fecha) })}
                  onAct={() => void runner.raise('date', { agenda: kind, fecha, horario, nota })}
                />{' '}
                <Act
                  text={deskText('hours.drop')}
                  label={deskText('hours.dropOf', { date: writtenDate(fecha) })}
                  onAct={() => void runner.raise('drop', { agenda: kind, fecha })}
                />
              </li>
            ))}
          </ul>
          <Act
            text={deskText('hours.add')}
            label={deskText('hours.addOf', { kind: name })}
            onAct={() => void runner.raise('date', { agenda: kind, fecha: '', horario: '', nota: '' })}
          />
        </>
      )}
    </section>
  );
}
