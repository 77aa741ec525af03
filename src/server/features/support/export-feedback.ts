import type { DatabaseStore } from '../../platform/database/open-store.ts';

const columns = [
  'created_at',
  'language',
  'page',
  'useful',
  'usefulness',
  'clarity',
  'boxes',
  'comment',
  'email',
] as const;

/** Exports all feedback, oldest first, as rows of text under a header row. Times are ISO 8601. */
export async function exportFeedback({ db }: DatabaseStore): Promise<readonly (readonly string[])[]> {
  const rows = await db.selectFrom('feedback').select(columns).orderBy('id').execute();
  const formatCell = (value: string | number | Date | null) =>
    value instanceof Date ? value.toISOString() : String(value ?? '');
  return [columns, ...rows.map((row) => columns.map((column) => formatCell(row[column])))];
}
