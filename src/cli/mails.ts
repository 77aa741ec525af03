import { refusedMails, retryRefused, waitingMails } from '../server/platform/mail/outbox.ts';
import { UsageError, withStore } from './with-store.ts';

const usage = `Usage:
  npm run mails -- list            the mails that the mail server refused for good, and how many wait
  npm run mails -- retry ID|all    tries them once more
`;

await withStore(usage, async (store) => {
  const [verb, which] = process.argv.slice(2);
  if (verb === 'list') {
    for (const { id, recipient, subject, refused_at: at, refusal } of await refusedMails(store)) {
      process.stdout.write(`${id}  ${at?.toISOString() ?? ''}  ${recipient}  ${subject}\n    ${refusal ?? ''}\n`);
    }
    process.stdout.write(`Waiting: ${await waitingMails(store)}\n`);
  } else if (verb === 'retry' && /^(all|\d{1,15})$/.test(which ?? '')) {
    process.stdout.write(`Tried again: ${await retryRefused(store, which === 'all' ? undefined : Number(which))}\n`);
  } else {
    throw new UsageError(
      verb === undefined ? 'What shall be done?' : `There is no command ${process.argv.slice(2).join(' ')}.`,
    );
  }
});
