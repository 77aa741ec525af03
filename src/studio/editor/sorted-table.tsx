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
import { describeScreenCaseFault, t } from '../texts.ts';
import type { MismatchedCase, StudioProblem, DefinitionWriteResult } from '../studio-api-types.ts';

interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Returns the sort key of a row. If absent, the column is not sortable. */
  readonly by?: (row: Row) => string;
}

interface SortedTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly createKey: (row: Row) => string;
}

/** Read-only table, initially sorted by its first sortable column. Tab moves the focus to the buttons in its cells. */
export function SortedTable<Row>({ label, rows, columns, createKey }: SortedTableProps<Row>) {
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
      getRowId={createKey}
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

interface EditableTableProps {
  readonly caption: string;
  readonly titles: readonly string[];
  /** Whether all columns have the same width, so that texts can be compared side by side. */
  readonly even?: boolean;
  readonly children: ReactNode;
}

export function EditableTable({ caption, titles, even = false, children }: EditableTableProps) {
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

export function ProblemList({ problems }: { problems: readonly StudioProblem[] }) {
  return (
    <ul>
      {problems.map(({ file, line, column, pointer, message, hint }) => (
        <li key={`${file} ${pointer} ${message}`}>
          <code>{`${file}:${line}:${column}`}</code> {message} {hint}
        </li>
      ))}
    </ul>
  );
}

export function MismatchedCaseList({ cases }: { readonly cases: readonly MismatchedCase[] }) {
  return (
    <ul>
      {cases.map(({ file, name, fault }) => (
        <li key={`${file} ${name} ${describeScreenCaseFault(fault)}`}>
          <code>{file}</code> {name}: {describeScreenCaseFault(fault)}
        </li>
      ))}
    </ul>
  );
}

export function DryRunResult({ answer, problems }: { answer: DefinitionWriteResult; problems: string }) {
  if (answer.outcome === 'problems' || answer.outcome === 'mismatched')
    return (
      <div role="alert" className="studio-told">
        <p>{answer.outcome === 'problems' ? problems : t('mismatched')}</p>
        {answer.outcome === 'problems' ? (
          <ProblemList problems={answer.problems} />
        ) : (
          <MismatchedCaseList cases={answer.cases} />
        )}
      </div>
    );
  return answer.outcome === 'conflict' || answer.outcome === 'refused' ? <p role="alert">{t('renameAgain')}</p> : null;
}
