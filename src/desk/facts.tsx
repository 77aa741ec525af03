import type { Answer } from '../contract/contract.ts';
import { deskText, deskName } from './texts.ts';
import { formatCedula, writtenDate } from './format.ts';

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

export function Compared({ rows, registry }: { rows: Answer<'getDeskCall'>['comparacion']; registry: string }) {
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
