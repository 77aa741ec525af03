import { createReadStream } from 'node:fs';
import { userInfo } from 'node:os';
import { deleteRestoredAccounts } from '../../server/app/purge-expired-data.ts';
import { parseAuditExport } from '../../server/platform/audit/export-audit.ts';
import { verifySealedBatches } from '../../server/platform/audit/verify-audit.ts';
import { readAuditKeys } from '../../server/platform/keys/load-server-keys.ts';
import {
  performAccountAction,
  lookUpIdentityDocumentsByEmail,
  describeAccount,
  type AccountActionOutcome,
} from '../../server/features/account/account-actions.ts';
import { agentActionNames, type AgentActionName } from '../../server/features/account/agent-mailbox.ts';
import {
  performForeignCitizenAction,
  isForeignCitizenAction,
  parseForeignSubject,
  describeForeignCitizenRecords,
  type ForeignProviderSubject,
} from '../../server/features/account/foreign-citizen-records.ts';
import { rateLimits } from '../../server/app/server-modules.ts';
import { createCallMails } from '../../server/features/video-calls/call-mails.ts';
import { isNationalIdentityDocument, parseEnteredDocument } from '../../server/platform/base/identity-document.ts';
import { openIdentityRegistry } from '../../server/trust/identity/registry/identity-registry.ts';
import {
  createCliAction,
  CommandError,
  rejectExtraArguments,
  UsageError,
  type CliCommand,
  type CliInvocation,
  type Terminal,
} from '../command.ts';
import { replaceControlCharacters, splitLines } from './terminal-text.ts';
import { isEmailAddress, withStoreAndCommands } from './with-store.ts';

const options = { reason: { type: 'string' }, mailbox: { type: 'string' } } as const;

export const command: CliCommand = {
  show: createCliAction({}, printAccount),
  find: createCliAction({}, printAccountsByEmail),
  'delete-again': createCliAction({}, deleteAccountsAgain),
  ...Object.fromEntries(
    agentActionNames.map((name) => [name, createCliAction(options, (given) => performAct(name, given))]),
  ),
};

function printAccount({ positionals, terminal }: CliInvocation): Promise<void> {
  const { foreignSubject, number } = readSubject(positionals);
  rejectExtraArguments(positionals.slice(1));
  const by = userInfo().username;
  return withStoreAndCommands(terminal, async (opened) => {
    if (foreignSubject !== null) {
      const found = await describeForeignCitizenRecords(opened, foreignSubject, by);
      if (found.length === 0) throw new CommandError(unknownForeignMessage);
      for (const record of found) terminal.out(replaceControlCharacters(`${record.join('\n')}\n`));
      return;
    }
    const document = parseEnteredDocument(number);
    const lines = await describeAccount({ ...opened, limits: rateLimits }, document, by);
    const foreigners = await describeForeignCitizenRecords(opened, { document }, by);
    for (const record of foreigners) terminal.out(replaceControlCharacters(`${record.join('\n')}\n\n`));
    if (lines === null && foreigners.length === 0) throw new CommandError(refusals.unknown);
    if (lines !== null) terminal.out(replaceControlCharacters(`${lines.join('\n')}\n`));
  });
}

function printAccountsByEmail({ positionals: [address = '', ...more], terminal }: CliInvocation): Promise<void> {
  if (!isEmailAddress(address)) throw new UsageError('Missing or invalid argument: ADDRESS, an e-mail address.');
  rejectExtraArguments(more);
  return withStoreAndCommands(terminal, async (opened) => {
    const found = await lookUpIdentityDocumentsByEmail(opened, address, userInfo().username);
    if (found.length === 0) throw new CommandError('No account has this address.');
    for (const document of found) terminal.out(replaceControlCharacters(`${document}\n`));
  });
}

/** Deletes accounts of a restored backup that were deleted after it, according to a verified export of the audit log. */
function deleteAccountsAgain({ positionals: [file, ...more], terminal }: CliInvocation): Promise<void> {
  if (file === undefined) throw new UsageError('Missing argument: EXPORT, an export of the audit log.');
  rejectExtraArguments(more);
  return withStoreAndCommands(terminal, async ({ commands, config }) => {
    const trust = new Map((await readAuditKeys(config.keys)).map(({ kid, publicJwk }) => [kid, publicJwk]));
    const ids: string[] = [];
    const { batches } = await parseAuditExport(splitLines(createReadStream(file, 'utf8')));
    async function* collected() {
      for await (const batch of batches) {
        for (const { action: name, citizen_id: id } of batch.rows) if (name === 'account-deleted' && id) ids.push(id);
        yield batch;
      }
    }
    const { faults } = await verifySealedBatches(collected(), { trust });
    if (faults.length > 0)
      throw new CommandError(
        `${file} does not verify (${faults.length} faults): see \`portal audit check\`. Nothing was deleted.`,
      );
    for (const id of await deleteRestoredAccounts(commands, ids)) terminal.out(`Deleted again: ${id}\n`);
    terminal.out(`The export names ${ids.length} deleted accounts.\n`);
  });
}

async function performAct(
  name: AgentActionName,
  { positionals, options: given, terminal }: CliInvocation<typeof options>,
): Promise<void> {
  const { foreignSubject, number } = readSubject(positionals);
  const mailbox = readMailbox(name, positionals.slice(1), given.mailbox);
  const permission = readPermission(name, name === 'mailbox' ? [] : positionals.slice(1));
  const operator = userInfo().username;
  if (foreignSubject !== null) {
    if (!isForeignCitizenAction(name))
      throw new CommandError(
        `\`${name}\` is not available for records of foreign providers: the provider manages their names, level and permissions.`,
      );
    const reason = await readReason(given.reason, terminal);
    return withStoreAndCommands(terminal, async (opened) => {
      const outcome = await performForeignCitizenAction(opened, { act: name, name: foreignSubject, operator, reason });
      if (outcome === 'unknown') throw new CommandError(unknownForeignMessage);
      terminal.out(outcome === 'done' ? 'Done.\n' : unchangedMessage);
    });
  }
  const document = parseEnteredDocument(number);
  const reason = await readReason(given.reason, terminal);
  await withStoreAndCommands(terminal, async (opened) => {
    const { store, config } = opened;
    const registry = name === 'correct' ? await openIdentityRegistry(config.registry, store) : null;
    const isInRegistry = isNationalIdentityDocument(document);
    const outcome = await performAccountAction(
      { ...opened, callMails: createCallMails(opened.config) },
      {
        ...{ act: name, document, operator, reason },
        ...(registry && { registryHolder: isInRegistry ? await registry.findHolder(document.number) : null }),
        ...(permission && { permission }),
        ...(mailbox !== null && { mailbox }),
      },
    );
    if (outcome === 'done') terminal.out('Done. The citizen is notified by mail if their address is verified.\n');
    else if (outcome === 'waits') terminal.out('Noted: another agent must do the same within seven days.\n');
    else if (outcome === 'unchanged' || outcome === 'own') terminal.out(unchangedMessage);
    else throw new CommandError(refusals[outcome]);
  });
}

const refusals: Readonly<Record<Exclude<AccountActionOutcome, 'done' | 'waits' | 'unchanged' | 'own'>, string>> = {
  unknown: 'Nobody has this document.',
  inactive: 'Nobody has activated this account, or it is blocked.',
  'no-address': 'This account has no e-mail address to which this mail may be sent.',
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

const unchangedMessage = 'The account was already in this state: nothing changed.\n';
const unknownForeignMessage = 'No record of this provider has this id.';

/** `foreignSubject` is `null` if the argument is a document number, not a subject of a foreign provider. */
function readSubject([number]: readonly string[]): { foreignSubject: ForeignProviderSubject | null; number: string } {
  if (number === undefined) throw new UsageError('Missing argument: DOCUMENT.');
  return { foreignSubject: parseForeignSubject(number), number };
}

function readMailbox(name: AgentActionName, [word, ...more]: readonly string[], option: string | undefined) {
  if (option !== undefined && name !== 'grant') throw new UsageError('--mailbox is an option of `grant`.');
  if (name === 'mailbox') rejectExtraArguments(more);
  const mailbox = name === 'mailbox' ? (word ?? '') : option;
  if (mailbox === undefined) return null;
  if (!isEmailAddress(mailbox))
    throw new UsageError('Missing or invalid mailbox: ADDRESS is the institutional e-mail address of the agent.');
  return mailbox;
}

function readPermission(name: AgentActionName, words: readonly string[]): readonly [string, string] | null {
  if (name !== 'grant' && name !== 'revoke') {
    rejectExtraArguments(words);
    return null;
  }
  const [resource = '', permitted = '', ...more] = words;
  const word = /^[a-z][a-z0-9_]*$/;
  if (!word.test(resource) || !word.test(permitted))
    throw new UsageError('Missing or invalid permission: RESOURCE and ACTION, e.g. videollamada crear.');
  rejectExtraArguments(more);
  return [resource, permitted];
}

async function readReason(given: string | undefined, { ask }: Terminal): Promise<string> {
  if (given === undefined && ask === null) throw new UsageError('Missing option: --reason TEXT.');
  const reason = (given ?? (await ask?.('Reason, which the citizen will read: ')) ?? '').trim();
  if (reason === '') throw new UsageError('The reason must not be empty.');
  return reason;
}
