import {
  DataGrid,
  DataGridBody,
  DataGridCell,
  DataGridHeader,
  DataGridHeaderCell,
  DataGridRow,
  Table,
  TableBody,
  TableHeader,
  TableHeaderCell,
  TableRow,
  createTableColumn,
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

interface PartsTableProps {
  readonly caption: string;
  readonly titles: readonly string[];
  /** Texts that stand side by side: columns of one width. */
  readonly even?: boolean;
  /** Rows of Fluent's table. */
  readonly children: ReactNode;
}

/** What is edited row by row. */
export function PartsTable({ caption, titles, even = false, children }: PartsTableProps) {
  return (
    <Table size="small" className="studio-table" data-even={even}>
      <caption>{caption}</caption>
      <TableHeader>
        <TableRow>
          {titles.map((title, index) => (
            <TableHeaderCell key={index}>{title}</TableHeaderCell>
          ))}
        </TableRow>
      </TableHeader>
      <TableBody>{children}</TableBody>
    </Table>
  );
}
