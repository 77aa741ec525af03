import { listRefusedMails, retryRefused, countWaitingMails } from '../../server/platform/mail/outbox.ts';
import { createAction, UsageError, type Command, type Invocation } from '../command.ts';
import { replaceControlCharacters } from './audit-report.ts';
import { withStore } from './with-store.ts';

export const command: Command = { list: createAction({}, list), retry: createAction({}, retry) };

function list({ terminal }: Invocation): Promise<void> {
  return withStore(terminal, async ({ store }) => {
    for (const { id, recipient, subject, refused_at: at, refusal } of await listRefusedMails(store))
      terminal.out(
        replaceControlCharacters(`${id}  ${at?.toISOString() ?? ''}  ${recipient}  ${subject}\n    ${refusal ?? ''}\n`),
      );
    terminal.out(`Waiting: ${await countWaitingMails(store)}\n`);
  });
}

function retry({ positionals: [which = ''], terminal }: Invocation): Promise<void> {
  if (!/^(all|\d{1,15})$/.test(which))
    throw new UsageError('Missing or invalid argument: ID, the number of a mail, or all.');
  return withStore(terminal, async ({ store }) => {
    const count = await retryRefused(store, which === 'all' ? undefined : Number(which));
    terminal.out(`Tried again: ${count}\n`);
  });
}
