import type { OperationResponse } from '../contract/contract.ts';
import { formatDocumentNumber } from '../contract/document-number.ts';
import { formatShortDate } from '../contract/format/dates.ts';
import { getDeskText, findDeskLabel } from './desk-texts.ts';
import { DeskTable } from './desk-page.tsx';

export function RegistryComparison({
  rows,
  registry,
}: {
  rows: OperationResponse<'getDeskCall'>['comparacion'];
  registry: string;
}) {
  return (
    <>
      {registry !== 'hallado' && (
        <p className="notice" data-intent="warning">
          {findDeskLabel('registry', registry)}
        </p>
      )}
      <DeskTable
        label={getDeskText('compared')}
        headings={(['field', 'account', 'registry', 'result'] as const).map((name) => getDeskText(`compared.${name}`))}
      >
        {rows.map(({ campo, cuenta, registro, difiere }) => (
          <tr key={campo} className={difiere ? 'desk-late' : undefined}>
            <th scope="row">{findDeskLabel('field', campo)}</th>
            <td>{formatFieldValue(campo, cuenta) || '—'}</td>
            <td>{formatFieldValue(campo, registro ?? '') || '—'}</td>
            <td>
              {difiere && (
                <span className="badge" data-tone="warning">
                  {getDeskText('compared.differs')}
                </span>
              )}
              {!difiere && cuenta !== '' && registro !== null && (
                <span role="img" aria-label={getDeskText('compared.equals')}>
                  ✓
                </span>
              )}
            </td>
          </tr>
        ))}
      </DeskTable>
    </>
  );
}

function formatFieldValue(field: string, value: string): string {
  if (field === 'documento') return formatDocumentNumber('uy', 'ci', value);
  return field === 'nivel' ? findDeskLabel('level', value) : formatShortDate(value);
}

export function ExtraFieldList({ fields }: { fields: OperationResponse<'getDeskCall'>['agregado'] }) {
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
