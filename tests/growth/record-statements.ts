import pg from 'pg';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Recorder of the statements that this process sends to PostgreSQL, from any module. */
export interface Recorder {
  /**
   * Runs `work`. Returns the statements that were sent meanwhile. Each distinct text occurs once, with the values of
   * its first use.
   */
  during(work: () => Promise<unknown>): Promise<readonly Statement[]>;
  close(): void;
}

/** Starts recording in the client of `pg`, which sends all statements. */
export function recordStatements(): Recorder {
  const { query } = pg.Client.prototype;
  let sent: Statement[] = [];
  pg.Client.prototype.query = function (this: pg.Client, ...given: [unknown, ...unknown[]]) {
    const [first, second] = given;
    if (typeof first === 'string') sent.push({ text: first, values: Array.isArray(second) ? second : [] });
    else if (isConfig(first))
      sent.push({ text: first.text, values: first.values ?? (Array.isArray(second) ? second : []) });
    return Reflect.apply(query, this, given) as unknown;
  } as typeof query; // an arrow function is not assignable to the overloads of `query`
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

/** Whether PostgreSQL plans the statement. It does not plan `begin`, `commit`, `listen` and the like. */
function isPlanned({ text }: Statement): boolean {
  return /^\s*(select|insert|update|delete|with|merge)\b/i.test(text);
}
