import { createReadStream } from 'node:fs';
import { userInfo } from 'node:os';
import { deleteAgain } from '../../server/app/purge.ts';
import { readExport } from '../../server/platform/audit/export-audit.ts';
import { verifySealed } from '../../server/platform/audit/verify-audit.ts';
import { readAuditKeys } from '../../server/platform/keys/load-keys.ts';
import { actOnAccount, findByEmail, showAccount, type ActOutcome } from '../../server/features/account/account-acts.ts';
import { type MailboxRefusal, actNames, type ActName } from '../../server/features/account/agent-mailbox.ts';
import {
  actOnForeigner,
  isForeignAct,
  readForeignSubject,
  showForeigners,
  type ForeignSubject,
} from '../../server/features/account/foreign-records.ts';
import { limits } from '../../server/app/topics.ts';
import { callMails } from '../../server/features/video-calls/call-mails.ts';
import { isNational, typedDocument, type Document } from '../../server/platform/base/document.ts';
import { openIdentityRegistry, type CardHolder } from '../../server/trust/identity/registry/registry.ts';
import {
  action,
  CommandError,
  refuseMore,
  UsageError,
  type Command,
  type Invocation,
  type Terminal,
} from '../command.ts';
import { printable, splitLines } from './audit-report.ts';
import { isAddress, withCommands, type Opened } from './with-store.ts';

const options = { reason: { type: 'string' }, mailbox: { type: 'string' } } as const;

export const command: Command = {
  show: action({}, show),
  find: action({}, find),
  'delete-again': action({}, deleteAccountsAgain),
  ...Object.fromEntries(actNames.map((name) => [name, action(options, (given) => act(name, given))])),
};

function show({ words, terminal }: Invocation): Promise<void> {
  const { abroad, number } = readSubject(words);
  refuseMore(words.slice(1));
  const by = userInfo().username;
  return withCommands(terminal, async (opened) => {
    if (abroad !== null) {
      const found = await showForeigners(opened, abroad, by);
      if (found.length === 0) throw new CommandError(unknownAbroad);
      for (const record of found) terminal.out(printable(`${record.join('\n')}\n`));
      return;
    }
    const document = typedDocument(number);
    const lines = await showAccount({ ...opened, limits }, document, by);
    const foreigners = await showForeigners(opened, { document }, by);
    for (const record of foreigners) terminal.out(printable(`${record.join('\n')}\n\n`));
    if (lines === null && foreigners.length === 0) throw new CommandError(refusals.unknown);
    if (lines !== null) terminal.out(printable(`${lines.join('\n')}\n`));
  });
}

function find({ words: [address = '', ...more], terminal }: Invocation): Promise<void> {
  if (!isAddress(address)) throw new UsageError('Whose account? Give an e-mail address.');
  refuseMore(more);
  return withCommands(terminal, async (opened) => {
    const found = await findByEmail(opened, address, userInfo().username);
    if (found.length === 0) throw new CommandError('No account has this address.');
    for (const document of found) terminal.out(printable(`${document}\n`));
  });
}

/** Deletes the accounts that an export of the audit log, verified with the key of this server, reports as deleted. */
function deleteAccountsAgain({ words: [file, ...more], terminal }: Invocation): Promise<void> {
  if (file === undefined) throw new UsageError('According to which export of the audit log?');
  refuseMore(more);
  return withCommands(terminal, async ({ commands, config }) => {
    const trust = new Map((await readAuditKeys(config.keys)).map(({ kid, publicJwk }) => [kid, publicJwk]));
    const ids: string[] = [];
    const { batches } = await readExport(splitLines(createReadStream(file, 'utf8')));
    async function* collected() {
      for await (const batch of batches) {
        for (const { action: name, citizen_id: id } of batch.rows) if (name === 'account-deleted' && id) ids.push(id);
        yield batch;
      }
    }
    const { faults } = await verifySealed(collected(), { trust });
    if (faults.length > 0)
      throw new CommandError(
        `${file} does not verify (${faults.length} faults): see \`portal audit check\`. Nothing was deleted.`,
      );
    for (const id of await deleteAgain(commands, ids)) terminal.out(`Deleted again: ${id}\n`);
    terminal.out(`The export names ${ids.length} deleted accounts.\n`);
  });
}

async function act(name: ActName, { words, options: given, terminal }: Invocation<typeof options>): Promise<void> {
  const { abroad, number } = readSubject(words);
  const mailbox = readMailbox(name, words.slice(1), given.mailbox);
  const permission = readPermission(name, name === 'mailbox' ? [] : words.slice(1));
  const operator = userInfo().username;
  if (abroad !== null) {
    if (!isForeignAct(name))
      throw new CommandError(
        `There is no ${name} for whom a foreign provider means: names, level and rights are not ours.`,
      );
    const reason = await readReason(given.reason, terminal);
    return withCommands(terminal, async (opened) => {
      const outcome = await actOnForeigner(opened, { act: name, name: abroad, operator, reason });
      if (outcome === 'unknown') throw new CommandError(unknownAbroad);
      terminal.out(outcome === 'done' ? 'Done.\n' : unchanged);
    });
  }
  const document = typedDocument(number);
  const reason = await readReason(given.reason, terminal);
  await withCommands(terminal, async (opened) => {
    const outcome = await actOnAccount(
      { ...opened, callMails: callMails(opened.config) },
      {
        ...{ act: name, document, operator, reason },
        ...(name === 'correct' && { registered: await registered(opened, document) }),
        ...(permission && { permission }),
        ...(mailbox !== null && { mailbox }),
      },
    );
    if (isRefusal(outcome)) throw new CommandError(refusals[outcome]);
    if (outcome === 'done') terminal.out('Done. The citizen is told by mail, if the address is verified.\n');
    else terminal.out(outcome === 'waits' ? 'Noted: another agent must do the same within seven days.\n' : unchanged);
  });
}

type Refusal = MailboxRefusal | Extract<ActOutcome, 'unknown' | 'inactive' | 'no-address' | 'agent' | 'other-agent'>;

const refusals: Readonly<Record<Refusal, string>> = {
  unknown: 'Nobody has this document.',
  inactive: 'Nobody has activated this account, or it is blocked.',
  'no-address': 'This account has no address that such a mail may go to.',
  agent: 'This is the account of an agent. Revoke its permissions of the desk first.',
  'other-agent':
    'One agent does only one of these to an account within seven days: raise the level, change the address, remove second factors, close it.',
  'no-passkey': 'This account has no passkey yet. Ask its holder to add one, then grant the permission.',
  'no-mailbox': 'This account has no institutional mailbox. Name it with --mailbox.',
  'foreign-mailbox': 'The domain of this mailbox is not in AGENT_DOMAINS. Add it, or name another mailbox.',
  'mailbox-taken': 'This mailbox belongs to another agent. Each agent needs their own.',
  'other-mailbox': 'Another mailbox is bound to this account. Change it with `portal account mailbox`.',
  'no-agent': 'This account has no permission of the desk. Grant one with --mailbox.',
};

function isRefusal(outcome: ActOutcome): outcome is Refusal {
  return Object.hasOwn(refusals, outcome);
}

const unchanged = 'It was so already: nothing changed.\n';
const unknownAbroad = 'No record of this provider has this id.';

/** Looks up a document in the registry. Returns `null` if it is unknown, or not a national document. */
async function registered({ store, config }: Opened, document: Document): Promise<CardHolder | null> {
  const registry = await openIdentityRegistry(config.registry, store);
  return isNational(document) ? registry.find(document.number) : null;
}

/** Reads the account: a user of a foreign provider (`abroad`), or the number of a document if `abroad` is `null`. */
function readSubject([number]: readonly string[]): { abroad: ForeignSubject | null; number: string } {
  if (number === undefined) throw new UsageError('Whose account?');
  return { abroad: readForeignSubject(number), number };
}

function readMailbox(name: ActName, [word, ...more]: readonly string[], option: string | undefined): string | null {
  if (option !== undefined && name !== 'grant') throw new UsageError('--mailbox is an option of `grant`.');
  if (name === 'mailbox') refuseMore(more);
  const mailbox = name === 'mailbox' ? (word ?? '') : option;
  if (mailbox === undefined) return null;
  if (!isAddress(mailbox)) throw new UsageError('Which mailbox? Give the institutional e-mail address of the agent.');
  return mailbox;
}

function readPermission(name: ActName, words: readonly string[]): readonly [string, string] | null {
  if (name !== 'grant' && name !== 'revoke') {
    refuseMore(words);
    return null;
  }
  const [resource = '', permitted = '', ...more] = words;
  const word = /^[a-z][a-z0-9_]*$/;
  if (!word.test(resource) || !word.test(permitted))
    throw new UsageError('Which permission? A resource and an action, e.g. videollamada crear.');
  refuseMore(more);
  return [resource, permitted];
}

async function readReason(given: string | undefined, { ask }: Terminal): Promise<string> {
  if (given === undefined && ask === null) throw new UsageError('Why? Give --reason.');
  const reason = (given ?? (await ask?.('Why? The citizen reads it: ')) ?? '').trim();
  if (reason === '') throw new UsageError('Why? The reason may not be empty.');
  return reason;
}
