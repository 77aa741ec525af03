import { formatCsv } from '../../contract/format/csv.ts';
import { exportFeedback } from '../../server/features/support/export-feedback.ts';
import { createCliAction, type CliCommand } from '../command.ts';
import { withStore } from './with-store.ts';

export const command: CliCommand = {
  export: createCliAction({}, ({ terminal }) =>
    withStore(terminal, async ({ store }) => terminal.out(formatCsv(await exportFeedback(store)))),
  ),
};
