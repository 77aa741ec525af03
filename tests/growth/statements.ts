import pg from 'pg';

/** A statement as it was sent to PostgreSQL. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Records every statement that this process sends to PostgreSQL, from any module. */
export interface Recorder {
  /** Does something, and answers the statements of that time, each text once with the values of its first use. */
  during(work: () => Promise<unknown>): Promise<readonly Statement[]>;
  close(): void;
}

/** Begins to listen at the client of `pg`, through which everything goes. */
export function recordStatements(): Recorder {
  const { query } = pg.Client.prototype;
  let sent: Statement[] = [];
  pg.Client.prototype.query = function (this: pg.Client, ...given: [unknown, ...unknown[]]) {
    const [first, second] = given;
    if (typeof first === 'string') sent.push({ text: first, values: Array.isArray(second) ? second : [] });
    else if (isConfig(first))
      sent.push({ text: first.text, values: first.values ?? (Array.isArray(second) ? second : []) });
    return Reflect.apply(query, this, given) as unknown;
  } as typeof query; // of its overloads
  return {
    async during(work) {
      sent = [];
      await work();
      return [
        ...new Map(
          sent
            .filter(isPlanned)
            .reverse()
            .map((one) => [one.text, one]),
        ).values(),
      ].reverse();
    },
    close() {
      pg.Client.prototype.query = query;
    },
  };
}

function isConfig(value: unknown): value is { readonly text: string; readonly values?: readonly unknown[] } {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string';
}

/** Whether PostgreSQL makes a plan for it: begin, commit, listen and their like have none. */
function isPlanned({ text }: Statement): boolean {
  return /^\s*(select|insert|update|delete|with|merge)\b/i.test(text);
}
