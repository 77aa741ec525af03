import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type ValuesByName } from '../../../engine/core/json.ts';

export const screenCasesFolder = 'tests/fixtures';

export function getScreenCasesPath(screen: string): string {
  return `${screenCasesFolder}/${screen}.json`;
}

export function getScreenSnapshotPath(screen: string): string {
  return `${screenCasesFolder}/${screen}.txt`;
}

export function formatSnapshotHeading(section: string): string {
  return `=== ${section}`;
}

/** Matches unresolved placeholders, and the texts of missing or invalid values such as `undefined`. */
export const unresolvedValuePattern = /\{\w+\}|\bundefined\b|\bNaN\b|\[object |Invalid Date/;

export interface ScreenCase {
  readonly name: string;
  readonly note: string;
  readonly data: ValuesByName;
  /** Flags, user, and flow variables that texts use. */
  readonly context: ValuesByName;
  readonly errors: Readonly<Record<string, string>>;
  /** Whether the case replaces the shared values of the file. */
  readonly ownData: boolean;
}

export interface ScreenCases {
  readonly data: ValuesByName;
  readonly context: ValuesByName;
  readonly cases: readonly ScreenCase[];
  /** Names of the cases in an invalid format. `cases` contains these cases too, without note, values and messages. */
  readonly malformedCases: readonly string[];
}

/** Returns no cases if the screen has no case file. Throws a SyntaxError if the file is malformed. */
export async function readScreenCases(root: string, screen: string): Promise<ScreenCases> {
  const path = join(root, getScreenCasesPath(screen));
  return existsSync(path)
    ? parseScreenCases(readFileSync(path, 'utf8'))
    : { data: {}, context: {}, cases: [], malformedCases: [] };
}

export function parseScreenCases(text: string): ScreenCases {
  const file: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  if (!isCaseFile(file)) throw new SyntaxError('"cases" is no object, or "data" or "context" is none.');
  const { data = {}, context = {}, cases } = file;
  const misshapen: string[] = [];
  const list = Object.entries(cases).map(([name, row]): ScreenCase => {
    if (isCaseRow(row)) return readCase(name, row, { data, context });
    misshapen.push(name);
    return { name, note: '', data: {}, context: {}, errors: {}, ownData: false };
  });
  return { data, context, cases: list, malformedCases: misshapen };
}

interface CaseFile {
  readonly data?: ValuesByName;
  readonly context?: ValuesByName;
  readonly cases: ValuesByName;
}

/** `data` replaces all shared values. `with` and `without` change some of them. Without `errors`, the case expects valid values. */
interface CaseRow {
  readonly note: string;
  readonly data?: ValuesByName;
  readonly with?: ValuesByName;
  readonly without?: readonly string[];
  readonly context?: ValuesByName;
  readonly errors?: ScreenCase['errors'];
}

function readCase(name: string, row: CaseRow, shared: Pick<ScreenCase, 'data' | 'context'>): ScreenCase {
  const { note, context = shared.context, errors = {} } = row;
  const inherited = Object.entries(shared.data).filter(([field]) => !row.without?.includes(field));
  const data = row.data ?? { ...Object.fromEntries(inherited), ...row.with };
  return { name, note, data, context, errors, ownData: row.data !== undefined };
}

function isCaseFile(file: unknown): file is CaseFile {
  return isObject(file) && isObject(file['cases']) && isObject(file['data'] ?? {}) && isObject(file['context'] ?? {});
}

export const screenCaseKeys: readonly string[] = [
  'note',
  'data',
  'with',
  'without',
  'context',
  'errors',
] satisfies readonly (keyof CaseRow)[];

function isCaseRow(row: unknown): row is CaseRow {
  if (!isObject(row) || !Object.keys(row).every((word) => screenCaseKeys.includes(word))) return false;
  const { note, data, with: others = {}, without = [], context = {}, errors = {} } = row;
  return (
    typeof note === 'string' &&
    (data === undefined || (isObject(data) && row['with'] === undefined && row['without'] === undefined)) &&
    isObject(others) &&
    Array.isArray(without) &&
    without.every((field) => typeof field === 'string') &&
    isObject(context) &&
    isObject(errors) &&
    Object.values(errors).every((message) => typeof message === 'string')
  );
}
