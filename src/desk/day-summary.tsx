import { Link } from 'react-router-dom';
import { deskPagePaths } from '../contract/page-paths.ts';
import type { ListedCall } from './call-filters.tsx';
import { formatShortTime } from './format-desk-values.ts';
import { getDeskText } from './desk-texts.ts';

export interface DayCallGroups {
  /** Calls in progress without a decision. */
  readonly current: readonly ListedCall[];
  readonly next: readonly ListedCall[];
  /** Calls without a decision whose citizen has entered the room. */
  readonly waiting: readonly ListedCall[];
}

const waitingState = 'Pendiente agente';

/** Groups the open calls of today. `time` is the current time as `HH:mm`. */
export function groupCallsOfDay(calls: readonly ListedCall[], time: string): DayCallGroups {
  const open = calls.filter(({ terminada }) => !terminada);
  const later = open.filter(({ hora_inicio }) => formatShortTime(hora_inicio) > time);
  const [first] = later.map(({ hora_inicio }) => hora_inicio).sort();
  return {
    current: open.filter(
      ({ hora_inicio, minutos }) => formatShortTime(hora_inicio) <= time && time < addMinutes(hora_inicio, minutos),
    ),
    next: later.filter(({ hora_inicio }) => hora_inicio === first),
    waiting: open.filter(({ estado }) => estado === waitingState),
  };
}

/**
 * Returns the end of a call as `HH:mm`. Hours after midnight continue with 24, so that times can be compared as
 * strings.
 */
function addMinutes(start: string, minutes: number): string {
  const end = Number(start.slice(0, 2)) * 60 + Number(start.slice(3, 5)) + minutes;
  return `${String(Math.floor(end / 60)).padStart(2, '0')}:${String(end % 60).padStart(2, '0')}`;
}

export function DaySummary({ current, next, waiting }: DayCallGroups) {
  return (
    <ul className="desk-glance">
      <CallGroup title={getDeskText('glance.waiting')} calls={waiting} urgent />
      <CallGroup title={getDeskText('glance.now')} calls={current} />
      <CallGroup title={getDeskText('glance.next')} calls={next} />
    </ul>
  );
}

function CallGroup({
  title,
  calls,
  urgent = false,
}: {
  title: string;
  calls: readonly ListedCall[];
  urgent?: boolean;
}) {
  return (
    <li className={urgent && calls.length > 0 ? 'desk-urgent' : undefined}>
      <h2>{title}</h2>
      {calls.length === 0 && <p className="desk-more">{getDeskText('glance.none')}</p>}
      {calls.length > 0 && (
        <ul>
          {calls.map(({ id, hora_inicio, nombre }) => (
            <li key={id}>
              {formatShortTime(hora_inicio)} <Link to={deskPagePaths.call.replace(':id', id)}>{nombre}</Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
