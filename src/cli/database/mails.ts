import { refusedMails, retryRefused, waitingMails } from '../../server/platform/mail/outbox.ts';
import { action, UsageError, type Command, type Invocation } from '../command.ts';
import { printable } from './audit-report.ts';
import { withStore } from './with-store.ts';

export const command: Command = { list: action({}, list), retry: action({}, retry) };

function list({ terminal }: Invocation): Promise<void> {
  return withStore(terminal, async ({ store }) => {
    for (const { id, recipient, subject, refused_at: at, refusal } of await refusedMails(store))
      terminal.out(printable(`${id}  ${at?.toISOString() ?? ''}  ${recipient}  ${subject}\n    ${refusal ?? ''}\n`));
    terminal.out(`Waiting: ${await waitingMails(store)}\n`);
  });
}

function retry({ words: [which = ''], terminal }: Invocation): Promise<void> {
  if (!/^(all|\d{1,15})$/.test(which)) throw new UsageError('Which mail? Its number, or all.');
  return withStore(terminal, async ({ store }) => {
    const count = await retryRefused(store, which === 'all' ? undefined : Number(which));
    terminal.out(`Tried again: ${count}\n`);
  });
}
