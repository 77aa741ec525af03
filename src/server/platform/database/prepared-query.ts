import { sql, type Compilable, type CompiledQuery, type Kysely, type RawBuilder } from 'kysely';
import type { Database } from './schema.ts';

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const statementNames = new Map<string, string>();

export function findPreparedStatementName(text: string): string | undefined {
  return statementNames.get(text);
}

/** Builds a frequent query once, and prepares it once per connection. `value(name)` creates a placeholder. The query must list its columns. */
export function createPreparedQuery<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (
    db: Kysely<Database>,
    value: <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>,
  ) => Compilable<Row>,
): (db: Kysely<Database>, values: Values) => Promise<readonly Row[]> {
  let built: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    built ??= assignName(build(db, (name) => sql`${new Placeholder(name)}`).compile());
    const parameters = built.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name] : parameter,
    );
    return (await db.executeQuery<Row>({ ...built, parameters })).rows;
  };
}

/** Queries for all columns are rejected, because a migration that adds a column would break the prepared statement of a running server. */
const allColumnsPattern = /[.]\*|returning \*|select \*/i;

function assignName<Row>(query: CompiledQuery<Row>): CompiledQuery<Row> {
  if (allColumnsPattern.test(query.sql)) throw new Error(`a prepared statement names its columns: ${query.sql}`);
  if (!statementNames.has(query.sql)) statementNames.set(query.sql, `p${statementNames.size}`);
  return query;
}
