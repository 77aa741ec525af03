import { Card } from '@fluentui/react-components';
import { Link } from 'react-router-dom';
import { deskPages } from '../contract/pages.ts';
import { now } from '../portal/session/clock.ts';
import type { ListedCall } from './call-cut.ts';
import { shortTime, timeOf } from './days.ts';
import { deskText } from './texts.ts';

/** What a day comes to at a moment. */
export interface DayNow {
  /** Calls whose time it is, and that nobody has decided. */
  readonly current: readonly ListedCall[];
  /** Those of the next hour at which there is one. */
  readonly next: readonly ListedCall[];
  /** Whose citizen went into the room, where no agent has decided yet. */
  readonly waiting: readonly ListedCall[];
}

/** The state of a call whose citizen is in the room or has been, by src/contract/call-states.json. */
const inRoom = 'Pendiente agente';

/** What is now, what is next, who waits; `time` as HH:mm of the day of the calls. */
export function dayNow(calls: readonly ListedCall[], time: string): DayNow {
  const open = calls.filter(({ terminada }) => !terminada);
  const later = open.filter(({ hora_inicio }) => shortTime(hora_inicio) > time);
  const [first] = later.map(({ hora_inicio }) => hora_inicio).sort();
  return {
    current: open.filter(
      ({ hora_inicio, minutos }) => shortTime(hora_inicio) <= time && time < endOf(hora_inicio, minutos),
    ),
    next: later.filter(({ hora_inicio }) => hora_inicio === first),
    waiting: open.filter(({ estado }) => estado === inRoom),
  };
}

/** HH:mm at which a call of so many minutes ends; past midnight 24:00 and later, which is still behind each time of the day. */
function endOf(start: string, minutes: number): string {
  const end = Number(start.slice(0, 2)) * 60 + Number(start.slice(3, 5)) + minutes;
  return `${String(Math.floor(end / 60)).padStart(2, '0')}:${String(end % 60).padStart(2, '0')}`;
}

/** Today at a glance. */
export function Glance({ calls }: { calls: readonly ListedCall[] }) {
  const { current, next, waiting } = dayNow(calls, timeOf(now()));
  return (
    <ul className="desk-glance">
      <Part title={deskText('glance.now')} calls={current} />
      <Part title={deskText('glance.next')} calls={next} />
      <Part title={deskText('glance.waiting')} calls={waiting} urgent />
    </ul>
  );
}

function Part({ title, calls, urgent = false }: { title: string; calls: readonly ListedCall[]; urgent?: boolean }) {
  return (
    <li>
      <Card className={urgent && calls.length > 0 ? 'desk-urgent' : undefined}>
        <h2>{title}</h2>
        {calls.length === 0 && <p>{deskText('glance.none')}</p>}
        {calls.length > 0 && (
          <ul>
            {calls.map(({ id, hora_inicio, nombre }) => (
              <li key={id}>
                {shortTime(hora_inicio)} <Link to={deskPages.call.replace(':id', id)}>{nombre}</Link>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </li>
  );
}
