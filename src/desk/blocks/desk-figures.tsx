import type { Answer } from '../../contract/contract.ts';
import { useTitle } from '../../portal/shell/use-title.ts';
import { writeCsv } from '../../contract/written/csv.ts';
import { deskText } from '../texts.ts';
import { writtenDate } from '../facts.tsx';
import { AnswerHint, useAnswer } from '../answers/use-answer.tsx';
import { Act, BlockPage } from '../../portal/shell/block-page.tsx';

type Week = Answer<'getFigures'>['semanas'][number];

export default function DeskFigures() {
  const { answer, failure } = useAnswer<Answer<'getFigures'>>('getFigures');
  useTitle(deskText('cifras'));
  const weeks = answer?.semanas ?? [];
  return (
    <BlockPage id="desk-figures" title={deskText('cifras')} className="desk-section">
      <p>{deskText('figures.intro')}</p>
      <AnswerHint answer={answer} failure={failure} />
      {answer !== null && (
        <>
          <div className="desk-table" role="region" aria-label={deskText('figures.drawn')} tabIndex={0}>
            <Chart weeks={weeks} />
          </div>
          <div className="desk-table" role="region" aria-label={deskText('figures.table')} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  {headings.map((heading) => (
                    <th key={heading} scope="col">
                      {heading}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {formatRows(weeks).map(([week, ...cells]) => (
                  <tr key={week}>
                    <th scope="row">{writtenDate(week ?? '')}</th>
                    {cells.map((cell, index) => (
                      <td key={headings[index + 1]}>{cell || '—'}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <div className="screen-actions">
            <Act text={deskText('figures.csv')} onAct={() => download(writeCsv([headings, ...formatRows(weeks)]))} />
          </div>
        </>
      )}
    </BlockPage>
  );
}

const headings = [
  deskText('figures.week'),
  deskText('figures.calls'),
  deskText('figures.missed'),
  deskText('figures.wait'),
  deskText('figures.states'),
];

function formatRows(weeks: readonly Week[]): readonly (readonly string[])[] {
  return weeks.map(({ semana, llamadas, ausentes, espera, estados }) => [
    semana,
    String(llamadas),
    String(ausentes),
    espera === null ? '' : String(espera),
    estados.map(({ estado, cantidad }) => `${estado}: ${cantidad}`).join('; '),
  ]);
}

/** Bar and gap together are wider than the label of a week, which has 36 units. */
const [barWidth, gap, height] = [28, 20, 120] as const;

function Chart({ weeks }: { weeks: readonly Week[] }) {
  const counts = weeks.map(({ llamadas }) => llamadas);
  const most = Math.max(1, ...counts);
  const width = weeks.length * (barWidth + gap);
  return (
    <svg
      className="desk-chart"
      viewBox={`0 0 ${width} ${height + 32}`}
      role="img"
      aria-label={deskText('figures.chart', { least: Math.min(...counts), most: Math.max(...counts) })}
    >
      {weeks.map(({ semana, llamadas, ausentes }, index) => {
        const x = gap / 2 + index * (barWidth + gap); // center the bar: its label is wider
        const tall = (height * llamadas) / most;
        const missed = (height * ausentes) / most;
        return (
          <g key={semana}>
            <rect className="desk-bar" x={x} y={16 + height - tall} width={barWidth} height={tall} />
            <rect className="desk-bar-missed" x={x} y={16 + height - missed} width={barWidth} height={missed} />
            <text x={x + barWidth / 2} y={12 + height - tall} textAnchor="middle">
              {llamadas}
            </text>
            <text x={x + barWidth / 2} y={height + 28} textAnchor="middle">
              {semana.slice(8)}/{semana.slice(5, 7)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

function download(text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = deskText('figures.file');
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
