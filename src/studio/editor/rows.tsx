import {
  createTableColumn,
  DataGrid,
  DataGridBody,
  DataGridCell,
  DataGridHeader,
  DataGridHeaderCell,
  DataGridRow,
} from '@fluentui/react-components';
import type { ReactNode } from 'react';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** What it is sorted by; absent: it is not. */
  readonly by?: (row: Row) => string;
}

interface RowsProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Tells a row from the others. */
  readonly keyOf: (row: Row) => string;
}

/** What is read row by row, sorted by the first column that can be; buttons follow in the order of the Tab key. */
export function Rows<Row>({ label, rows, columns, keyOf }: RowsProps<Row>) {
  const sortColumn = columns.find(({ by }) => by)?.title;
  return (
    <DataGrid
      aria-label={label}
      className="studio-rows"
      size="small"
      focusMode="none"
      sortable={sortColumn !== undefined}
      defaultSortState={{ sortColumn, sortDirection: 'ascending' }}
      items={[...rows]}
      getRowId={keyOf}
      columns={columns.map(({ title, cell, by }) =>
        createTableColumn<Row>({
          columnId: title,
          renderHeaderCell: () => title,
          renderCell: cell,
          ...(by && { compare: (one, other) => by(one).localeCompare(by(other), 'es') }),
        }),
      )}
    >
      <DataGridHeader>
        <DataGridRow>
          {({ renderHeaderCell }) => <DataGridHeaderCell>{renderHeaderCell()}</DataGridHeaderCell>}
        </DataGridRow>
      </DataGridHeader>
      <DataGridBody<Row>>
        {({ item, rowId }) => (
          <DataGridRow<Row> key={rowId}>
            {({ renderCell }) => <DataGridCell focusMode="none">{renderCell(item)}</DataGridCell>}
          </DataGridRow>
        )}
      </DataGridBody>
    </DataGrid>
  );
}
