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
    if (built === undefined) {
      built = build(db, (name) => sql`${new Placeholder(name)}`).compile();
      // Rejects `*`: a migration that adds a column would break a prepared statement with `*` on a running server.
      if (/[.]\*|returning \*|select \*/i.test(built.sql))
        throw new Error(`a prepared statement names its columns: ${built.sql}`);
      if (!statementNames.has(built.sql)) statementNames.set(built.sql, `p${statementNames.size}`);
    }
    const parameters = built.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name] : parameter,
    );
    return (await db.executeQuery<Row>({ ...built, parameters })).rows;
  };
}
