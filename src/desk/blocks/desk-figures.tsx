import type { OperationResponse } from '../../contract/contract.ts';
import { formatCallFigures } from '../../contract/format/call-figures.ts';
import { formatCsv } from '../../contract/format/csv.ts';
import { DeskPage, DeskTable } from '../desk-page.tsx';
import { getDeskText } from '../desk-texts.ts';
import { formatShortDate } from '../../contract/format/dates.ts';
import { ResponseLoadStatus, useOperationResponse } from '../answers/use-operation-response.tsx';
import { ActionButton } from '../../portal/shell/block-layout.tsx';
import { downloadFile } from '../../portal/shell/download-file.ts';

type Week = OperationResponse<'getFigures'>['semanas'][number];

export default function DeskFigures() {
  const { answer, failure } = useOperationResponse<OperationResponse<'getFigures'>>('getFigures');
  const weeks = answer?.semanas ?? [];
  return (
    <DeskPage
      title={getDeskText('cifras')}
      bar={
        answer !== null && (
          <span className="desk-end">
            <ActionButton
              look="small"
              text={getDeskText('figures.csv')}
              onAct={() =>
                downloadFile(
                  getDeskText('figures.file'),
                  'text/csv',
                  formatCsv([headings, ...weeks.map(formatCallFigures)]),
                )
              }
            />
          </span>
        )
      }
    >
      <p>{getDeskText('figures.intro')}</p>
      <ResponseLoadStatus answer={answer} failure={failure} />
      {answer !== null && (
        <>
          <ul className="desk-charts">
            {listSeries(weeks).map(({ title, values }) => (
              <Chart key={title} title={title} values={values} weeks={weeks} />
            ))}
          </ul>
          <details>
            <summary>{getDeskText('figures.table')}</summary>
            <DeskTable label={getDeskText('figures.table')} headings={headings}>
              {weeks.map(formatCallFigures).map(([week, ...cells]) => (
                <tr key={week}>
                  <th scope="row">{formatShortDate(week ?? '')}</th>
                  {cells.map((cell, index) => (
                    <td key={headings[index + 1]}>{cell || '—'}</td>
                  ))}
                </tr>
              ))}
            </DeskTable>
          </details>
        </>
      )}
    </DeskPage>
  );
}

/** Values of a chart, one per week. `null` for a week without a value. */
interface Series {
  readonly title: string;
  readonly values: readonly (number | null)[];
}

/** Returns the charts: calls, absences, waiting time, and each state that occurs. */
function listSeries(weeks: readonly Week[]): readonly Series[] {
  const states = [...new Set(weeks.flatMap(({ estados }) => estados.map(({ estado }) => estado)))];
  return [
    { title: getDeskText('figures.calls'), values: weeks.map(({ llamadas }) => llamadas) },
    { title: getDeskText('figures.missed'), values: weeks.map(({ ausentes }) => ausentes) },
    { title: getDeskText('figures.wait'), values: weeks.map(({ espera }) => espera) },
    ...states.map((state) => ({
      title: state,
      values: weeks.map(({ estados }) => estados.find(({ estado }) => estado === state)?.cantidad ?? 0),
    })),
  ];
}

const headings = [
  getDeskText('figures.week'),
  getDeskText('figures.calls'),
  getDeskText('figures.missed'),
  getDeskText('figures.wait'),
  getDeskText('figures.states'),
];

/**
 * Distance between the starts of two bars, gap between bars, and chart height, in units of the SVG. The SVG scales to
 * the width of its card.
 */
const [step, gap, height] = [20, 4, 64] as const;

/** Bar chart with a bar per week. The last bar is the next week, with the calls booked so far. */
function Chart({ title, values, weeks }: Series & { weeks: readonly Week[] }) {
  const known = values.filter((value) => value !== null);
  const [least, most] = known.length === 0 ? [0, 0] : [Math.min(...known), Math.max(...known)];
  const next = values.at(-1) ?? 0;
  const day = (index: number) => formatShortDate(weeks.at(index)?.semana ?? '').slice(0, 5);
  return (
    <li>
      <h2>{title}</h2>
      <p className="desk-bar">
        <span>
          <strong>{values.at(-2) ?? '—'}</strong> {getDeskText('figures.thisWeek')}
        </span>
        {next > 0 && <span className="desk-next desk-end">{getDeskText('figures.nextWeek', { count: next })}</span>}
      </p>
      <p className="desk-more" aria-hidden="true">
        {getDeskText('figures.most', { count: most })}
      </p>
      <svg
        viewBox={`0 0 ${values.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={getDeskText('figures.chart', { title, least, most })}
      >
        {values.map((value, index) => {
          const tall = (height * (value ?? 0)) / Math.max(1, most);
          return (
            <rect
              key={weeks[index]?.semana}
              className={index === values.length - 1 ? 'desk-bar-next' : undefined}
              x={index * step + gap / 2}
              y={height - tall}
              width={step - gap}
              height={tall}
            />
          );
        })}
      </svg>
      <p className="desk-more" aria-hidden="true">
        <span>{day(0)}</span>
        <span>{day(-1)}</span>
      </p>
    </li>
  );
}
