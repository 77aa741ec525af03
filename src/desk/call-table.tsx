import {
  Button,
  createTableColumn,
  DataGrid,
  DataGridBody,
  DataGridCell,
  DataGridHeader,
  DataGridHeaderCell,
  DataGridRow,
  type TableColumnDefinition,
} from '@fluentui/react-components';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { deskPages } from '../contract/pages.ts';
import { saySubject, type ListedCall } from './call-filters.tsx';
import { shortTime, writtenDate, writtenDocument } from './facts.tsx';
import { deskName, deskText, type DeskTextKey } from './texts.ts';

interface CallTableProps {
  readonly calls: readonly ListedCall[];
  readonly dated: boolean;
  readonly onTake: (call: ListedCall) => void;
}

export function CallTable({ calls, dated, onTake }: CallTableProps) {
  const columns = useMemo(() => buildColumns(dated, onTake), [dated, onTake]);
  return (
    <div className="desk-table" role="region" aria-label={deskText('day.table')} tabIndex={0}>
      <DataGrid
        items={[...calls]}
        columns={[...columns]}
        getRowId={({ id }: ListedCall) => id}
        sortable
        focusMode="none"
        aria-label={deskText('day.table')}
      >
        <DataGridHeader>
          <DataGridRow>
            {({ columnId, renderHeaderCell }) => (
              <DataGridHeaderCell className={`desk-column-${columnId}`}>{renderHeaderCell()}</DataGridHeaderCell>
            )}
          </DataGridRow>
        </DataGridHeader>
        <DataGridBody<ListedCall>>
          {({ item, rowId }) => (
            <DataGridRow<ListedCall> key={rowId} className={item.atrasada ? 'desk-late' : undefined}>
              {({ columnId, renderCell }) => (
                <DataGridCell focusMode="none" className={`desk-column-${columnId}`}>
                  {renderCell(item)}
                </DataGridCell>
              )}
            </DataGridRow>
          )}
        </DataGridBody>
      </DataGrid>
    </div>
  );
}

/** Defines a column: key of its heading, sort key, and cell. The cell shows the sort key by default. */
function column(
  key: DeskTextKey,
  sortedBy: (call: ListedCall) => string,
  renderCell: TableColumnDefinition<ListedCall>['renderCell'] = sortedBy,
): TableColumnDefinition<ListedCall> {
  return createTableColumn<ListedCall>({
    columnId: key.replace('day.', ''),
    compare: (one, other) => sortedBy(one).localeCompare(sortedBy(other), 'es'),
    renderHeaderCell: () => deskText(key),
    renderCell,
  });
}

function buildColumns(
  dated: boolean,
  onTake: (call: ListedCall) => void,
): readonly TableColumnDefinition<ListedCall>[] {
  const formatHour = ({ fecha, hora_inicio }: ListedCall) =>
    `${dated ? `${writtenDate(fecha)} ` : ''}${shortTime(hora_inicio)}`;
  const formatAgent = ({ mia, agente }: ListedCall) => (mia ? deskText('day.me') : (agente?.nombre ?? '—'));
  return [
    column('day.hour', ({ fecha, hora_inicio }) => fecha + hora_inicio, formatHour),
    column(
      'day.kind',
      ({ tipo }) => deskName('kind', tipo),
      ({ tipo, asunto }) => (
        <span>
          {deskName('kind', tipo)}
          {asunto !== '' && <span className="desk-more">{saySubject(asunto)}</span>}
        </span>
      ),
    ),
    column(
      'day.person',
      ({ nombre }) => nombre,
      ({ id, nombre, documento }) => (
        <span>
          <Link to={deskPages.call.replace(':id', id)}>{nombre}</Link>
          <span className="desk-more">{writtenDocument(documento)}</span>
        </span>
      ),
    ),
    column(
      'day.state',
      ({ estado }) => estado,
      ({ estado, atrasada }) => (
        <span>
          {estado}
          {atrasada && <span className="tag desk-late">{deskText('day.isLate')}</span>}
        </span>
      ),
    ),
    column('day.agent', formatAgent),
    column(
      'day.act',
      (call) => (isFree(call) ? '0' : '1'),
      (call) =>
        isFree(call) ? (
          <Button
            onClick={() => onTake(call)}
            aria-label={deskText('day.takeOf', { hour: formatHour(call), name: call.nombre })}
          >
            {deskText('day.take')}
          </Button>
        ) : (
          call.propia && deskText('day.own')
        ),
    ),
  ];
}

function isFree({ agente, terminada, propia }: ListedCall): boolean {
  return agente === null && !terminada && !propia;
}
