import { once } from 'node:events';
import type { Connection, Submittable } from 'pg';
import type pg from 'pg';

/** A value of a column, as PostgreSQL's text format takes it. */
export type CopyValue = string | number | boolean | Date | null;

/** A row by its columns; all rows of a table have the same ones, in the same order. */
export type CopyRow = Readonly<Record<string, CopyValue>>;

/** Characters that are sent at once. */
const chunk = 64 * 1024;

/** Sends rows by COPY; no more of them are made than the server takes. Answers how many. */
export function copyRows(client: pg.Client, table: string, rows: Iterable<CopyRow>): Promise<number> {
  return new Promise((resolve, reject) => void client.query(new Copy({ table, rows, resolve, reject })));
}

interface Options {
  readonly table: string;
  readonly rows: Iterable<CopyRow>;
  readonly resolve: (count: number) => void;
  readonly reject: (error: unknown) => void;
}

/** A statement of `pg` with data behind it: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY. */
class Copy implements Submittable {
  readonly #rows: Iterator<CopyRow>;
  readonly #options: Options;
  #next: IteratorResult<CopyRow>;
  #count = 0;
  #hasFailed = false;

  constructor(options: Options) {
    this.#options = options;
    this.#rows = options.rows[Symbol.iterator]();
    this.#next = this.#rows.next();
  }

  submit(connection: Connection): void {
    const columns = this.#next.done === true ? [] : Object.keys(this.#next.value);
    const names = columns.map((column) => `"${column}"`).join();
    connection.query(`copy ${this.#options.table}${names === '' ? '' : ` (${names})`} from stdin`);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#send(connection).then(
      () => connection.endCopyFrom(),
      (error: unknown) => connection.sendCopyFail(String(error)), // which PostgreSQL answers with an error
    );
  }

  handleError(error: Error): void {
    this.#hasFailed = true;
    this.#options.reject(error);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#options.resolve(this.#count);
  }

  async #send(connection: CopyConnection): Promise<void> {
    let text = '';
    while (this.#next.done !== true && !this.#hasFailed) {
      text += lineOf(this.#next.value);
      this.#count += 1;
      this.#next = this.#rows.next();
      if (text.length < chunk && this.#next.done !== true) continue;
      connection.sendCopyFromChunk(Buffer.from(text));
      text = '';
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
    }
  }
}

/** What of a connection is not in the types of `pg`. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

function lineOf(row: CopyRow): string {
  return `${Object.values(row).map(textOf).join('\t')}\n`;
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function textOf(value: CopyValue): string {
  if (value === null) return '\\N';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return String(value);
  return /[\\\t\n\r]/.test(value) ? value.replaceAll(/[\\\t\n\r]/g, (sign) => escapes[sign] ?? sign) : value;
}
