/** The server cannot start for a reason that its operator can mend; the message says how. */
export class StartError extends Error {}

/** What is thrown where a listener cannot open its port: a StartError that names the setting; an error of anything else as it came. */
export function portError(
  cause: unknown,
  { port, host, setting }: { readonly port: number | null; readonly host: string; readonly setting: string },
): unknown {
  if (!(cause instanceof Error && 'syscall' in cause)) return cause;
  const taken = 'code' in cause && cause.code === 'EADDRINUSE';
  const why = taken
    ? `is in use: stop the other process, or set ${setting} to a free one.`
    : `(${setting}) cannot be opened: ${cause.message}.`;
  return new StartError(`Port ${port} of ${host} ${why}`, { cause });
}
