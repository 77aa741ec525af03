import type { Config } from '../platform/config/config.ts';
import type { RegisteredClient } from '../trust/federation/clients/client-registration.ts';
import { StartError } from '../platform/base/errors.ts';

/** Imports the sample data on demand. Throws a `StartError` if its files are missing, as in the production image (Dockerfile). */
export async function importSampleDataModule() {
  return await import('./sample/sample-citizens.ts').catch((cause: unknown): never => {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause;
    throw new StartError(
      'SAMPLE_DATA must be off, because this installation contains no sample data. The stage demo of the Dockerfile does.',
      { cause },
    );
  });
}

export async function listSampleClients({
  sampleData,
}: Pick<Config, 'sampleData'>): Promise<readonly RegisteredClient[]> {
  if (!sampleData) return [];
  const { createDemoClient, demoClientOrigin } = await importSampleDataModule();
  return [createDemoClient(demoClientOrigin)];
}
