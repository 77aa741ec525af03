import { isObject, type ValuesByName } from '../../src/engine/core/json.ts';
import { toWidgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import { formatCalendarFile, type CallCalendarEvent } from '../../src/contract/calendar-file.ts';
import { portalConstants } from '../../src/contract/constants.ts';
import { parseUruguayDateTime } from '../../src/contract/format/dates.ts';

export const options = {
  call: { type: 'object' },
  product: { type: 'string' },
  labelled: { const: 'self' },
} as const;

export default function CalendarLinks(props: WidgetProps) {
  const { control, options, label, t, now } = toWidgetParts(props);
  const { call, product } = options;
  if (!isObject(call) || !isBookedCall(call)) return null;
  const addresses = buildCalendarLinks(
    {
      id: call.id,
      date: call.fecha,
      time: call.hora_inicio,
      minutes: call.minutos,
      title: t('title', { product: String(product) }),
      description: t('where'),
      sequence: 0,
      status: call.estado === 'Reservado' ? 'TENTATIVE' : 'CONFIRMED',
    },
    { product: String(product), madeAt: now() },
  );
  const renderOutsideLink = (calendar: 'google' | 'outlook') => (
    <li>
      <a className="outside" href={addresses[calendar]} target="_blank" rel="noreferrer">
        <span>
          {t(calendar)}
          <span className="visually-hidden"> {t('newTab')}</span>
        </span>
      </a>
    </li>
  );
  return (
    <section id={control.id} tabIndex={-1} aria-label={label}>
      <p className="form-label">{label}</p>
      <ul className="rows">
        {renderOutsideLink('google')}
        <li>
          <a href={addresses.file} download={t('file')}>
            {t('apple')}
          </a>
        </li>
        {renderOutsideLink('outlook')}
      </ul>
    </section>
  );
}

interface BookedCall {
  readonly id: string;
  readonly estado: string;
  readonly fecha: string;
  readonly hora_inicio: string;
  readonly minutos: number;
}

function isBookedCall(call: ValuesByName): call is ValuesByName & BookedCall {
  const { id, estado, fecha, hora_inicio: time, minutos: minutes } = call;
  return [id, estado, fecha, time].every((value) => typeof value === 'string') && typeof minutes === 'number';
}

/** Google expects local times with a time zone, Outlook instants. `file` is an iCalendar file as a data URL. */
export function buildCalendarLinks(call: CallCalendarEvent, fileOptions: { product: string; madeAt: Date }) {
  const { title, description } = call;
  const start = parseUruguayDateTime(`${call.date}T${call.time}`);
  const end = start.add(call.minutes, 'minute');
  const local = 'YYYYMMDD[T]HHmmss';
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: title,
    details: description,
    dates: `${start.format(local)}/${end.format(local)}`,
    ctz: portalConstants.timeZone,
  });
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    body: description,
    startdt: start.toISOString(),
    enddt: end.toISOString(),
  });
  return {
    google: `https://calendar.google.com/calendar/render?${google.toString()}`,
    outlook: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook.toString()}`,
    file: `data:text/calendar;charset=utf-8,${encodeURIComponent(formatCalendarFile(call, fileOptions))}`,
  };
}
