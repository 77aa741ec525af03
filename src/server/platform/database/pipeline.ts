import {
  CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Compilable,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type Transaction,
  type TransactionSettings,
} from 'kysely';
import { traced } from '../traces/trace.ts';
import type { Database } from './schema.ts';

/** What one statement answered. */
export interface Rows {
  readonly rows: readonly unknown[];
  readonly affected: number;
}

/** A connection that answers statements in the order in which they are sent, and takes the next ones before it has answered. */
export interface Line {
  query(sql: string, parameters: readonly unknown[]): Promise<Rows>;
  /** Writes what `ask` asks to the socket at once: each write costs as much as what it carries. */
  together<Asked>(ask: () => Asked): Asked;
}

/** Where connections are borrowed. */
export interface Lines<Borrowed extends Line> {
  acquire(): Promise<Borrowed>;
  release(line: Borrowed): void;
  close(): Promise<void>;
}

/**
 * Kysely over PostgreSQL's SQL, with fewer round trips: a transaction begins together with its first statement where that only reads, and what
 * `later` was given travels with the next statement, or with the commit.
 */
export function pipelineDialect<Borrowed extends Line>(lines: Lines<Borrowed>): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PipelineDriver(lines),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** Makes a change whose answer nobody needs, in the order of the transaction's statements: what is wrong with it is thrown by the next one, or by the commit. */
export async function later(tx: Transaction<Database>, statement: Compilable): Promise<void> {
  if (!tx.isTransaction) throw new Error('nothing would send the statement');
  const query = statement.compile();
  await tx.getExecutor().provideConnection(async (connection) => (connection as PipelineConnection).later(query)); // of the dialect above
}

class PipelineDriver<Borrowed extends Line> implements Driver {
  readonly #lines: Lines<Borrowed>;
  readonly #borrowed = new WeakMap<DatabaseConnection, Borrowed>();

  constructor(lines: Lines<Borrowed>) {
    this.#lines = lines;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PipelineConnection> {
    const line = await this.#lines.acquire();
    const connection = new PipelineConnection(line);
    this.#borrowed.set(connection, line);
    return connection;
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const line = this.#borrowed.get(connection);
    if (line !== undefined) this.#lines.release(line);
  }

  async beginTransaction(connection: PipelineConnection, settings: TransactionSettings): Promise<void> {
    const level = settings.isolationLevel ? ` isolation level ${settings.isolationLevel}` : '';
    const access = settings.accessMode ? ` ${settings.accessMode}` : '';
    connection.begin(`start transaction${level}${access}`);
  }

  async commitTransaction(connection: PipelineConnection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: PipelineConnection): Promise<void> {
    await connection.rollback();
  }

  async destroy(): Promise<void> {
    await this.#lines.close();
  }
}

/** What a statement begins with that changes nothing: had the transaction not begun, it would have done no harm. */
const reads = /^select\b/i;

class PipelineConnection implements DatabaseConnection {
  readonly #line: Line;
  #begin: string | null = null;
  #later: CompiledQuery[] = [];

  constructor(line: Line) {
    this.#line = line;
  }

  begin(statement: string): void {
    this.#begin = statement;
  }

  later(query: CompiledQuery): void {
    this.#later.push(query);
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, affected } = await this.#send(query);
    return { rows: rows as Row[], numAffectedRows: BigInt(affected) }; // the query's builder knows its row type
  }

  async commit(): Promise<void> {
    if (this.#begin === null || this.#later.length > 0) await this.#send(CompiledQuery.raw('commit'));
    this.#begin = null;
  }

  /** Costs what a commit does, so that nobody can tell by the time whether a change was kept. */
  async rollback(): Promise<void> {
    const before = this.#later;
    this.#later = [];
    if (this.#begin !== null && before.length > 0) await this.#query(this.#begin);
    const isEmpty = this.#begin !== null && before.length === 0;
    this.#begin = null;
    if (isEmpty) return;
    const sent = this.#queries([...before, CompiledQuery.raw('rollback')]);
    const settled = (await Promise.allSettled(sent)).at(-1);
    if (settled?.status === 'rejected') throw settled.reason;
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('the database does not stream');
  }

  /** Sends what waits and then a statement; answers that one, or throws what went wrong first. */
  async #send(query: CompiledQuery): Promise<Rows> {
    const [begin, before] = [this.#begin, this.#later];
    this.#begin = null;
    this.#later = [];
    const first = [...before, query];
    const together = before.length === 0 && reads.test(query.sql);
    if (begin !== null && together) first.unshift(CompiledQuery.raw(begin));
    else if (begin !== null) await this.#query(begin);
    const sent = this.#queries(first);
    const settled = await Promise.allSettled(sent);
    const failed = settled.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return sent.at(-1) as Promise<Rows>; // there is the statement itself
  }

  #queries(queries: readonly CompiledQuery[]): readonly Promise<Rows>[] {
    return this.#line.together(() => queries.map(({ sql, parameters }) => this.#query(sql, parameters)));
  }

  /** The text of a statement stands in its span, its values do not. */
  #query(text: string, parameters: readonly unknown[] = []): Promise<Rows> {
    return traced(
      () => ({
        name: text.slice(0, text.search(/\W|$/)).toUpperCase(),
        kind: 'client',
        attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
      }),
      () => this.#line.query(text, parameters),
    );
  }
}
