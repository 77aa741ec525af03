/** The server cannot start for a reason that the operator can fix. The message says how. */
export class StartError extends Error {}

/** Turns the error of a listener that cannot open its port into a StartError that names the setting. Returns any other error unchanged. */
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
