import { pino } from 'pino';
import { ConfigError, readConfig } from '../server/config.ts';
import { writeCsv } from '../server/csv.ts';
import { DataFolderInUse } from '../server/store/data-lock.ts';
import { exportFeedback } from '../server/store/feedback.ts';
import { openStore } from '../server/store/open-store.ts';

const usage = `Usage:
  npm run -s feedback -- export > feedback.csv
The database is the server's, by the same settings. The embedded one can be opened while the server is stopped only.
`;

try {
  if (process.argv[2] === 'export') process.stdout.write(await exported());
  else {
    process.stderr.write(usage);
    process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof DataFolderInUse)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function exported(): Promise<string> {
  const config = readConfig(process.env);
  const store = await openStore(
    config.databaseUrl === null ? { folder: config.dataDir } : { url: config.databaseUrl, pool: 1 }, pino({ level: 'silent' }),
  );
  try {
    return writeCsv(await exportFeedback(store));
  } finally {
    await store.close();
  }
}
