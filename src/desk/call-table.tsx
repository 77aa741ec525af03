import { Button } from '@fluentui/react-components';
import { Fragment, type Ref } from 'react';
import { Link } from 'react-router-dom';
import { formatShortDate } from '../contract/format/dates.ts';
import { deskPagePaths } from '../contract/page-paths.ts';
import { formatCallSubject, type ListedCall } from './call-filters.tsx';
import type { DayCallGroups } from './day-summary.tsx';
import { formatShortTime, formatDocumentId } from './format-desk-values.ts';
import { DeskTable } from './desk-page.tsx';
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
            tags={listTags(call, today)}
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
  readonly tags: readonly string[];
}

function CallRow({ call, tags, isCurrent, dated, onTake }: CallRowProps) {
  const { id, fecha, hora_inicio, nombre, documento, tipo, asunto, estado, agente, mia, propia, terminada } = call;
  const hour = `${dated ? `${formatShortDate(fecha)} ` : ''}${formatShortTime(hora_inicio)}`;
  return (
    <tr
      className={terminada ? 'desk-over' : isCurrent ? 'desk-current' : undefined}
      aria-current={isCurrent ? 'time' : undefined}
    >
      <td className="desk-hour">{hour}</td>
      <th scope="row">
        <Link data-row to={deskPagePaths.call.replace(':id', id)}>
          {nombre}
        </Link>
      </th>
      <td>{formatDocumentId(documento)}</td>
      <td>{[findDeskLabel('kind', tipo), asunto && formatCallSubject(asunto)].filter(Boolean).join(' · ')}</td>
      <td>
        {estado}
        {tags.map((text) => (
          <span key={text} className="badge" data-tone="warning">
            {text}
          </span>
        ))}
      </td>
      <td>{mia ? getDeskText('day.me') : (agente?.nombre ?? '—')}</td>
      <td className="desk-act">
        {agente === null && !terminada && !propia ? (
          <Button
            size="small"
            onClick={() => onTake(call)}
            aria-label={getDeskText('day.takeOf', { hour, name: nombre })}
          >
            {getDeskText('day.take')}
          </Button>
        ) : (
          propia && getDeskText('day.own')
        )}
      </td>
    </tr>
  );
}

function listTags(call: ListedCall, today: DayCallGroups | null): readonly string[] {
  return [
    ...(today?.waiting.includes(call) ? [getDeskText('glance.waiting')] : []),
    ...(call.atrasada ? [getDeskText('day.isLate')] : []),
  ];
}
