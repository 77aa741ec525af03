import { formatCsv } from '../../contract/format/csv.ts';
import { exportFeedback } from '../../server/features/support/export-feedback.ts';
import { createAction, type Command } from '../command.ts';
import { withStore } from './with-store.ts';

export const command: Command = {
  export: createAction({}, ({ terminal }) =>
    withStore(terminal, async ({ store }) => terminal.out(formatCsv(await exportFeedback(store)))),
  ),
};
