import type { Logos } from '../../server/trust/federation/clients/logos.ts';
import { CommandError, formatError } from '../command.ts';

/** Fetches the logo of an application that is being registered, if it names one; throws a CommandError where it cannot be used. */
export async function takeLogo(logos: Logos, logo: string | undefined): Promise<void> {
  if (logo === undefined) return;
  await logos.take(logo).catch((cause: unknown) => {
    throw new CommandError(`The logo at ${logo} cannot be used: ${formatError(cause)}.`, { cause });
  });
}
