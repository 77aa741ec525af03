import { Fragment, type Ref } from 'react';
import { Link } from 'react-router-dom';
import { formatShortDate } from '../contract/format/dates.ts';
import { deskPagePaths } from '../contract/page-paths.ts';
import { formatCallSubject, type ListedCall } from './call-filters.tsx';
import type { DayCallGroups } from './day-summary.tsx';
import { formatShortTime, formatDocumentId } from './format-desk-values.ts';
import { DeskTable } from './desk-page.tsx';
import { ActionButton } from '../portal/shell/block-layout.tsx';
import { findDeskLabel, getDeskText } from './desk-texts.ts';

interface CallTableProps {
  readonly calls: readonly ListedCall[];
  /** Summary and current time (`HH:mm`) of today. `null` for another day and for search results, which show dates. */
  readonly today: (DayCallGroups & { readonly time: string }) | null;
  readonly dated: boolean;
  readonly listRef: Ref<HTMLDivElement>;
  readonly onTake: (call: ListedCall) => void;
}

/** Calls in chronological order. Today, a separator row shows the current time. */
export function CallTable({ calls, today, dated, listRef, onTake }: CallTableProps) {
  const upcoming =
    today === null ? -1 : calls.findIndex(({ hora_inicio }) => formatShortTime(hora_inicio) > today.time);
  const headings = (['hour', 'person', 'document', 'kind', 'state', 'agent', 'act'] as const).map((name) =>
    getDeskText(`day.${name}`),
  );
  return (
    <DeskTable label={getDeskText('day.table')} headings={headings} listRef={listRef}>
      {calls.map((call, index) => (
        <Fragment key={call.id}>
          {today !== null && index === upcoming && (
            <tr className="desk-now">
              <td colSpan={headings.length}>{getDeskText('day.now', { time: today.time })}</td>
            </tr>
          )}
          <CallRow
            call={call}
            tag={findTag(call, today)}
            isCurrent={today?.current.includes(call) === true}
            dated={dated}
            onTake={onTake}
          />
        </Fragment>
      ))}
    </DeskTable>
  );
}

interface CallRowProps extends Pick<CallTableProps, 'dated' | 'onTake'> {
  readonly call: ListedCall;
  readonly isCurrent: boolean;
  readonly tag: string | null;
}

function CallRow({ call, tag, isCurrent, dated, onTake }: CallRowProps) {
  const { id, fecha, hora_inicio, nombre, documento, tipo, asunto, estado, agente, mia, propia, terminada } = call;
  const path = deskPagePaths.call.replace(':id', id);
  const hour = `${dated ? `${formatShortDate(fecha)} ` : ''}${formatShortTime(hora_inicio)}`;
  return (
    <tr
      className={terminada ? 'desk-over' : isCurrent ? 'desk-current' : undefined}
      aria-current={isCurrent ? 'time' : undefined}
    >
      <td className="desk-hour">{hour}</td>
      <th scope="row">
        <Link data-row to={path}>
          {nombre}
        </Link>
      </th>
      <td>{formatDocumentId(documento)}</td>
      <td>{[findDeskLabel('kind', tipo), asunto && formatCallSubject(asunto)].filter(Boolean).join(' · ')}</td>
      <td>
        {estado}
        {tag !== null && (
          <span className="badge" data-tone="warning">
            {tag}
          </span>
        )}
      </td>
      <td>{mia ? getDeskText('day.me') : (agente?.nombre ?? '—')}</td>
      <td className="desk-act">
        {propia && getDeskText('day.own')}
        {agente === null && !terminada && !propia && (
          <ActionButton
            look="small"
            text={getDeskText('day.take')}
            label={getDeskText('day.takeOf', { hour, name: nombre })}
            onAct={() => onTake(call)}
          />
        )}
        {mia && !terminada && (
          <Link
            className="button button-small"
            to={path}
            aria-label={getDeskText('day.enterOf', { hour, name: nombre })}
          >
            {getDeskText('day.enter')}
          </Link>
        )}
      </td>
    </tr>
  );
}

/** Returns the most urgent tag of a call: a late call whose citizen waits is only tagged as waiting. */
function findTag(call: ListedCall, today: DayCallGroups | null): string | null {
  if (today?.waiting.includes(call)) return getDeskText('glance.waiting');
  return call.atrasada ? getDeskText('day.isLate') : null;
}
