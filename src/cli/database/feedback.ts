import { writeCsv } from '../../contract/written/csv.ts';
import { exportFeedback } from '../../server/features/support/feedback.ts';
import { action, type Command } from '../command.ts';
import { withStore } from './with-store.ts';

export const command: Command = {
  export: action({}, ({ terminal }) =>
    withStore(terminal, async ({ store }) => terminal.out(writeCsv(await exportFeedback(store)))),
  ),
};
