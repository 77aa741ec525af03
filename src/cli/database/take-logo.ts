import type { Logos } from '../../server/trust/federation/clients/logos.ts';
import { CommandError, formatError } from '../command.ts';

export async function takeLogo(logos: Logos, logo: string | undefined): Promise<void> {
  if (logo === undefined) return;
  await logos.take(logo).catch((cause: unknown) => {
    throw new CommandError(`The logo at ${logo} cannot be used: ${formatError(cause)}.`, { cause });
  });
}
