import { useEffect, type CSSProperties } from 'react';
import type { OperationResponse } from '../../contract/contract.ts';
import { formatShortDate } from '../../contract/format/dates.ts';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import { useFlowState } from '../../portal/navigation/use-flow-runner.ts';
import { DeskPage, DeskTable } from '../desk-page.tsx';
import { getDeskText, findDeskLabel } from '../desk-texts.ts';
import { parseOpeningHours, formatOpeningHours } from '../format-desk-values.ts';
import { ResponseLoadStatus, useOperationResponse } from '../answers/use-operation-response.tsx';
import { ActionButton } from '../../portal/shell/block-layout.tsx';

type Kind = 'support' | 'elevation';

export default function DeskHours({ runner }: FlowBlockProps) {
  return (
    <DeskPage title={getDeskText('horarios')} runner={runner}>
      <div className="desk-agendas">
        <Agenda runner={runner} kind="support" />
        <Agenda runner={runner} kind="elevation" />
      </div>
    </DeskPage>
  );
}

function Agenda({ runner, kind }: { runner: FlowRunner; kind: Kind }) {
  const { answer, failure, reload } = useOperationResponse<OperationResponse<'getDeskHours'>>('getDeskHours', {
    agenda: kind,
  });
  const { notice, viewBelowModal, context } = useFlowState(runner) ?? {};
  const isEdited = viewBelowModal != null && context?.['agenda'] === kind;
  useEffect(() => {
    if (notice) reload();
  }, [notice, reload]);
  const name = findDeskLabel('kind', kind);
  return (
    <section className="desk-section" aria-label={name} data-edited={isEdited || undefined}>
      <ResponseLoadStatus answer={answer} failure={failure} />
      {answer !== null && (
        <>
          <div className="desk-bar">
            <h2>{name}</h2>
            <span className="desk-more">{getDeskText('hours.minutes', { minutes: answer.minutos })}</span>
            <ActionButton
              look="small"
              text={getDeskText('hours.change')}
              label={getDeskText('hours.changeOf', { kind: name })}
              onAct={() => void runner.raise('week', { agenda: kind, horario: answer.horario })}
            />
          </div>
          <WeekGrid label={getDeskText('hours.weekOf', { kind: name })} hours={answer.horario} />
          <div className="desk-bar">
            <h3>{getDeskText('hours.dates')}</h3>
            <ActionButton
              look="small"
              text={getDeskText('hours.add')}
              label={getDeskText('hours.addOf', { kind: name })}
              onAct={() => void runner.raise('date', { agenda: kind, fecha: '', horario: '', nota: '' })}
            />
          </div>
          {answer.fechas.length === 0 ? (
            <p className="empty">{getDeskText('hours.noDates')}</p>
          ) : (
            <DeskTable
              label={getDeskText('hours.datesOf', { kind: name })}
              headings={(['day.date', 'horarios', 'hours.note', 'day.act'] as const).map((key) => getDeskText(key))}
            >
              {answer.fechas.map(({ fecha, horario, nota }) => (
                <tr key={fecha}>
                  <th scope="row">{formatShortDate(fecha)}</th>
                  <td>{horario === '' ? getDeskText('hours.closed') : formatOpeningHours(horario).join('; ')}</td>
                  <td>{nota || '—'}</td>
                  <td className="desk-act">
                    <ActionButton
                      look="small"
                      text={getDeskText('hours.edit')}
                      label={getDeskText('hours.editOf', { date: formatShortDate(fecha) })}
                      onAct={() => void runner.raise('date', { agenda: kind, fecha, horario, nota })}
                    />
                    <ActionButton
                      look="small"
                      text={getDeskText('hours.drop')}
                      label={getDeskText('hours.dropOf', { date: formatShortDate(fecha) })}
                      onAct={() => void runner.raise('drop', { agenda: kind, fecha })}
                    />
                  </td>
                </tr>
              ))}
            </DeskTable>
          )}
        </>
      )}
    </section>
  );
}

/** Week as seven columns. Each shows its opening hours from top to bottom on a common scale. */
function WeekGrid({ label, hours }: { label: string; hours: string }) {
  const days = parseOpeningHours(hours);
  const all = days.flatMap(({ openings }) => openings);
  const [first, last] = [
    Math.min(9, ...all.map(({ from }) => Math.floor(from))),
    Math.max(17, ...all.map(({ to }) => Math.ceil(to))),
  ];
  const at = (hour: number) => `${(100 * (hour - first)) / (last - first)}%`;
  const scale = Array.from({ length: last - first }, (_, index) => first + index);
  return (
    <div className="desk-week" role="region" aria-label={label} tabIndex={0}>
      <table style={{ '--hours': last - first } as CSSProperties}>
        <thead>
          <tr>
            <td />
            {days.map(({ day }) => (
              <th key={day} scope="col">
                {findDeskLabel('weekday', day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <td aria-hidden="true">
              {scale.map((hour) => (
                <span key={hour} style={{ insetBlockStart: at(hour) }}>
                  {String(hour).padStart(2, '0')}
                </span>
              ))}
            </td>
            {days.map(({ day, openings }) => (
              <td key={day}>
                {openings.length === 0 && <p className="desk-more">{getDeskText('hours.closed')}</p>}
                {openings.map(({ from, to, text, places }) => (
                  <p
                    key={text}
                    className="desk-opening"
                    style={{ insetBlockStart: at(from), height: `${(100 * (to - from)) / (last - first)}%` }}
                  >
                    <strong>{text}</strong> {getDeskText('hours.places', { places })}
                  </p>
                ))}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}
