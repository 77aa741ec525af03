import { listRefusedMails, retryRefusedMails, countWaitingMails } from '../../server/platform/mail/outbox.ts';
import { createCliAction, UsageError, type CliCommand, type CliInvocation } from '../command.ts';
import { replaceControlCharacters } from './terminal-text.ts';
import { withStore } from './with-store.ts';

export const command: CliCommand = { list: createCliAction({}, list), retry: createCliAction({}, retry) };

function list({ terminal }: CliInvocation): Promise<void> {
  return withStore(terminal, async ({ store }) => {
    for (const { id, recipient, subject, refused_at: at, refusal } of await listRefusedMails(store))
      terminal.out(
        replaceControlCharacters(`${id}  ${at?.toISOString() ?? ''}  ${recipient}  ${subject}\n    ${refusal ?? ''}\n`),
      );
    terminal.out(`Waiting: ${await countWaitingMails(store)}\n`);
  });
}

function retry({ positionals: [which = ''], terminal }: CliInvocation): Promise<void> {
  if (!/^(all|\d{1,15})$/.test(which))
    throw new UsageError('Missing or invalid argument: ID, the number of a mail, or all.');
  return withStore(terminal, async ({ store }) => {
    const count = await retryRefusedMails(store, which === 'all' ? undefined : Number(which));
    terminal.out(`Tried again: ${count}\n`);
  });
}
