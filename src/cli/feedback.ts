import { writeCsv } from '../contract/written/csv.ts';
import { exportFeedback } from '../server/features/support/feedback.ts';
import { UsageError, withStore } from './with-store.ts';

const usage = `Usage:
  npm run -s feedback -- export > feedback.csv
`;

await withStore(usage, async (store) => {
  if (process.argv[2] !== 'export') throw new UsageError('What shall be done?');
  process.stdout.write(writeCsv(await exportFeedback(store)));
});
