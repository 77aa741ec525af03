import type { Answer } from '../contract/contract.ts';
import { deskText, deskName } from './texts.ts';
import { isNationalDocument } from '../contract/document.ts';

/** Formats a document id (`uy-ci-36509181`) as `Cédula 3.650.918-1`, or with the country code for other countries. */
export function writtenDocument(id: string): string {
  const [, country = '', type = '', number = ''] = /^([a-z]{2})-(\w+)-(.+)$/.exec(id) ?? [];
  if (number === '') return id;
  const name = deskName('document', type);
  if (isNationalDocument(country, type)) return `${name} ${formatCedula(number)}`;
  return `${name} ${number} (${country.toUpperCase()})`;
}

/** Formats the digits of an identity card as `3.650.918-1`. */
function formatCedula(digits: string): string {
  if (!/^\d{2,8}$/.test(digits)) return digits;
  const body = digits.slice(0, -1).replace(/\B(?=(\d{3})+$)/g, '.');
  return `${body}-${digits.slice(-1)}`;
}

/** Formats `YYYY-MM-DD` as `DD/MM/YYYY`. Returns anything else unchanged. */
export function writtenDate(date: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? [];
  return day === undefined ? date : `${day}/${month}/${year}`;
}

const weekday = new Intl.DateTimeFormat('es', { weekday: 'long', timeZone: 'UTC' });

/** Formats a date with its weekday: `viernes 27/11/2026`. */
export function sayDay(date: string): string {
  return `${weekday.format(new Date(date))} ${writtenDate(date)}`;
}

export function shortTime(time: string): string {
  return time.slice(0, 5);
}

const stretch = /^(?:(\p{L}{3})(?:-(\p{L}{3}))? )?(\d{2}:\d{2})-(\d{2}:\d{2})(?: x(\d+))?$/u;

/** Formats opening hours, one range per line: `lun-vie 09:00-17:00 x2` is «De lunes a viernes, de 09:00 a 17:00: 2 llamadas a la vez». */
export function writtenHours(hours: string): readonly string[] {
  return hours.split('\n').map((line) => {
    const [, first, last, from, to, places = '1'] = stretch.exec(line) ?? [];
    if (from === undefined || to === undefined) return line;
    const times = deskText('hours.fromTo', { from, to });
    const at = places === '1' ? deskText('hours.one') : deskText('hours.many', { places });
    return `${first === undefined ? times : `${formatDays(first, last)}, ${times}`}: ${at}`;
  });
}

function formatDays(first: string, last: string | undefined): string {
  const from = deskName('weekday', first);
  return last === undefined
    ? deskText('hours.onDay', { day: from })
    : deskText('hours.fromDay', { from, to: deskName('weekday', last) });
}

/** Facts about a person or a call. Those without a detail are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [term: string, detail: string])[] }) {
  return (
    <dl className="desk-facts">
      {facts
        .filter(([, detail]) => detail !== '')
        .map(([term, detail]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{detail}</dd>
          </div>
        ))}
    </dl>
  );
}

export function RegistryComparison({
  rows,
  registry,
}: {
  rows: Answer<'getDeskCall'>['comparacion'];
  registry: string;
}) {
  return (
    <>
      {registry !== 'hallado' && <p className="desk-late">{deskName('registry', registry)}</p>}
      <div className="desk-table" role="region" aria-label={deskText('compared')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{deskText('compared.field')}</th>
              <th scope="col">{deskText('compared.account')}</th>
              <th scope="col">{deskText('compared.registry')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ campo, cuenta, registro, difiere }) => (
              <tr key={campo} className={difiere ? 'desk-differs' : undefined}>
                <th scope="row">{deskName('field', campo)}</th>
                <td>{written(campo, cuenta) || '—'}</td>
                <td>
                  {written(campo, registro ?? '') || '—'}
                  {difiere && <span className="tag desk-late">{deskText('compared.differs')}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function written(field: string, value: string): string {
  if (field === 'documento') return formatCedula(value);
  return field === 'nivel' ? deskName('level', value) : writtenDate(value);
}

export function ExtraFacts({ fields }: { fields: Answer<'getDeskCall'>['agregado'] }) {
  if (fields.length === 0) return null;
  return (
    <dl className="desk-facts">
      {fields.map(({ campo, titulo, valor }) => (
        <div key={campo}>
          <dt>{titulo}</dt>
          <dd className="desk-extra">{valor}</dd>
        </div>
      ))}
    </dl>
  );
}
