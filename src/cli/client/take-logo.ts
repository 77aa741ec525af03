import type { Logos } from '../../server/trust/federation/clients/logos.ts';
import { UsageError } from '../with-store.ts';

/** Fetches the logo of an application that is being registered, if it names one; throws a UsageError where it cannot be used. */
export async function takeLogo(logos: Logos, logo: string | undefined): Promise<void> {
  if (logo === undefined) return;
  await logos.take(logo).catch((cause: unknown) => {
    throw new UsageError(
      `The logo at ${logo} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`,
      { cause },
    );
  });
}
