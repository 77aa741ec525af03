import { sql, type Compilable, type CompiledQuery, type Kysely, type RawBuilder } from 'kysely';
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
  let built: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    built ??= named(build(db, (name) => sql`${new Slot(name)}`).compile());
    const parameters = built.parameters.map((parameter) =>
      parameter instanceof Slot ? values[parameter.name] : parameter,
    );
    return (await db.executeQuery<Row>({ ...built, parameters })).rows;
  };
}

/** All columns: PostgreSQL refuses a prepared statement whose answer has other columns after a migration, and servers go on through that. */
const allColumns = /[.]\*|returning \*|select \*/i;

function named<Row>(query: CompiledQuery<Row>): CompiledQuery<Row> {
  if (allColumns.test(query.sql)) throw new Error(`a prepared statement names its columns: ${query.sql}`);
  if (!names.has(query.sql)) names.set(query.sql, `p${names.size}`);
  return query;
}
