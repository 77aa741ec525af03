import {
  sql,
  type Compilable,
  type CompiledQuery,
  type Insertable,
  type Kysely,
  type RawBuilder,
  type Transaction,
} from 'kysely';
import { later } from './pipeline.ts';
import type { Database } from './schema.ts';

/** Stands for a value in a query that is built before its values are known. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Statements that PostgreSQL parses and plans once for each connection, by their text. */
const names = new Map<string, string>();

/** The name under which PostgreSQL keeps a statement; undefined: it does not. */
export function nameOfPrepared(text: string): string | undefined {
  return names.get(text);
}

/** Values by their names in a query. */
type Named = Readonly<Record<string, unknown>>;

/** Builds a query; a value stands where its name is put. */
type Build<Values extends Named, Row> = (
  db: Kysely<Database>,
  value: <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>,
) => Compilable<Row>;

/**
 * A query that is built once, and prepared once by each connection, which names each column that it reads: for what is asked so often that building and planning it is most of its cost.
 */
export function prepared<Values extends Named, Row>(
  build: Build<Values, Row>,
): (db: Kysely<Database>, values: Values) => Promise<readonly Row[]> {
  const query = builtOnce(build);
  return async (db, values) => (await db.executeQuery(query(db, values))).rows;
}

/** The same for a change that is made by `later`. */
export function preparedLater<Values extends Named>(
  build: Build<Values, unknown>,
): (tx: Transaction<Database>, values: Values) => Promise<void> {
  const query = builtOnce(build);
  return (tx, values) => later(tx, { compile: () => query(tx, values) });
}

/** An insert of some columns of a row that is made by `later`. */
export function preparedInsert<
  Table extends keyof Database & string,
  Column extends keyof Insertable<Database[Table]> & string,
>(
  table: Table,
  columns: readonly Column[],
): (tx: Transaction<Database>, row: Pick<Insertable<Database[Table]>, Column>) => Promise<void> {
  return preparedLater<Pick<Insertable<Database[Table]>, Column>>((db, value) => ({
    compile: () =>
      sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.id(name)))})
        values (${sql.join(columns.map((name) => value(name)))})`.compile(db),
  }));
}

function builtOnce<Values extends Named, Row>(
  build: Build<Values, Row>,
): (db: Kysely<Database>, values: Values) => CompiledQuery<Row> {
  let built: CompiledQuery<Row> | undefined;
  return (db, values) => {
    built ??= named(build(db, (name) => sql`${new Slot(name)}`).compile());
    const parameters = built.parameters.map((parameter) =>
      parameter instanceof Slot ? values[parameter.name] : parameter,
    );
    return { ...built, parameters };
  };
}

/** All columns: PostgreSQL refuses a prepared statement whose answer has other columns after a migration, and servers go on through that. */
const allColumns = /[.]\*|returning \*|select \*/i;

function named<Row>(query: CompiledQuery<Row>): CompiledQuery<Row> {
  if (allColumns.test(query.sql)) throw new Error(`a prepared statement names its columns: ${query.sql}`);
  if (!names.has(query.sql)) names.set(query.sql, `p${names.size}`);
  return query;
}
