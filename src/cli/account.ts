import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { actOnAccount, showAccount } from '../server/features/account/account-acts.ts';
import {
  actOnForeigner,
  isForeignAct,
  readForeignSubject,
  showForeigners,
  type ForeignSubject,
} from '../server/features/account/foreign-records.ts';
import { systemClock } from '../server/platform/base/clock.ts';
import { isNational, typedDocument, type Document } from '../server/platform/base/document.ts';
import type { Config } from '../server/platform/config/config.ts';
import type { Store } from '../server/platform/database/open-store.ts';
import { httpRegistry } from '../server/trust/identity/registry/http-registry.ts';
import type { CardHolder } from '../server/trust/identity/registry/registry.ts';
import { tableRegistry } from '../server/trust/identity/registry/table-registry.ts';
import { isActName, loadTemplates } from '../server/platform/mail/templates.ts';
import { createCommands } from '../server/trust/notices/commands.ts';
import { callMails } from '../server/features/video-calls/call-mails.ts';
import { auditWriter, UsageError, withStore } from './with-store.ts';

const usage = `Usage:
  npm run account -- block|unblock|restrict|unrestrict|end-sessions|elevate|correct DOCUMENT [--reason TEXT]
  npm run account -- grant|revoke DOCUMENT RESOURCE ACTION [--reason TEXT]
  npm run account -- show DOCUMENT
  npm run account -- show|block|unblock|end-sessions PROVIDER:SUBJECT [--reason TEXT]
DOCUMENT is the number of a national one, or e.g. ar-psp-AB123456. The reason is asked for where it is not given: it stands in the audit log and
in the mail to the citizen. \`elevate\` is for who was seen in person with the document at hand, \`correct\` takes the names of the registry. Sessions of a blocked citizen end; a restricted one can change neither credentials nor level. Whom a foreign provider
means is named by that provider and its id there (br:12345678909), and by \`show\` with the document as well; names and level of such a record are the provider's.
`;

await withStore(usage, async (store, config) => {
  const { verb, provider, document, permission, reason } = readArguments(process.argv.slice(2));
  const operator = userInfo().username;
  const templates = await loadTemplates();
  const commands = createCommands({
    store,
    auditWriter: await auditWriter(config),
    clock: systemClock,
    config,
    templates,
  });
  if (provider !== null) return actAbroad({ commands }, { verb, provider, operator, reason });
  if (verb === 'show') {
    const lines = await showAccount({ commands, config }, document, operator);
    const abroad = await showForeigners({ commands }, { document }, operator);
    for (const record of abroad) process.stdout.write(`${record.join('\n')}\n\n`);
    if (lines === null && abroad.length > 0) return;
    if (lines === null) throw new UsageError('Nobody has this document.');
    process.stdout.write(`${lines.join('\n')}\n`);
    return;
  }
  if (!isActName(verb)) throw new UsageError(`There is no command ${verb}.`);
  const outcome = await actOnAccount(
    { commands, config, templates, callMails: callMails(config) },
    {
      act: verb,
      document,
      operator,
      reason: reason ?? (await ask()),
      ...(verb === 'correct' && { registered: await registered(store, config, document) }),
      ...(permission && { permission }),
    },
  );
  if (outcome === 'unknown') throw new UsageError('Nobody has this document.');
  if (outcome === 'other-agent')
    throw new UsageError('Level and address of one account are not both changed by one agent within seven days.');
  process.stdout.write(
    outcome === 'done'
      ? 'Done. The citizen is told by mail, if the address is verified.\n'
      : outcome === 'waits'
        ? 'Noted: another agent must do the same within seven days.\n'
        : 'It was so already: nothing changed.\n',
  );
});

/** Shows or changes the record of somebody whom a foreign provider means. */
async function actAbroad(
  needs: { readonly commands: ReturnType<typeof createCommands> },
  {
    verb,
    provider,
    operator,
    reason,
  }: {
    verb: string;
    provider: NonNullable<Arguments['provider']>;
    operator: string;
    reason: string | undefined;
  },
): Promise<void> {
  const unknown = new UsageError('No record of this provider has this id.');
  if (verb === 'show') {
    const found = await showForeigners(needs, provider, operator);
    if (found.length === 0) throw unknown;
    for (const record of found) process.stdout.write(`${record.join('\n')}\n`);
    return;
  }
  if (!isForeignAct(verb))
    throw new UsageError(
      `There is no ${verb} for whom a foreign provider means: names, level and rights are not ours.`,
    );
  const outcome = await actOnForeigner(needs, { act: verb, name: provider, operator, reason: reason ?? (await ask()) });
  if (outcome === 'unknown') throw unknown;
  process.stdout.write(outcome === 'done' ? 'Done.\n' : 'It was so already: nothing changed.\n');
}

/** Whom the registry has under a document; null: nobody, or no registry is asked about it. */
async function registered(store: Store, config: Config, document: Document): Promise<CardHolder | null> {
  const registry = config.registryUrl === null ? tableRegistry(store) : httpRegistry(config.registryUrl);
  return isNational(document) ? registry.find(document.number) : null;
}

interface Arguments {
  readonly verb: string;
  /** Whom a foreign provider means; null: the document says who. */
  readonly provider: ForeignSubject | null;
  readonly document: Document;
  readonly permission: readonly [string, string] | null;
  readonly reason: string | undefined;
}

function readArguments(given: readonly string[]): Arguments {
  const { values, positionals } = parse(given);
  const [verb, number, resource, action, ...more] = positionals;
  if (verb === undefined) throw new UsageError('What shall be done?');
  if (number === undefined) throw new UsageError('Whose account?');
  const needsPermission = verb === 'grant' || verb === 'revoke';
  const word = /^[a-z][a-z0-9_]*$/;
  const permission =
    needsPermission && word.test(resource ?? '') && word.test(action ?? '')
      ? ([resource ?? '', action ?? ''] as const)
      : null;
  if (needsPermission && permission === null)
    throw new UsageError('Which permission? A resource and an action, e.g. videollamada crear.');
  if (more.length > 0 || (!needsPermission && resource !== undefined))
    throw new UsageError('That is one word too many.');
  if (values.reason !== undefined && values.reason.trim() === '')
    throw new UsageError('Why? The reason may not be empty.');
  return {
    verb,
    provider: readForeignSubject(number),
    document: typedDocument(number),
    permission,
    reason: values.reason?.trim(),
  };
}

function parse(given: readonly string[]) {
  try {
    return parseArgs({ args: [...given], options: { reason: { type: 'string' } }, allowPositionals: true });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

async function ask(): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError('Why? Give --reason.');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = (await terminal.question('Why? The citizen reads it: ')).trim();
  terminal.close();
  if (answer === '') throw new UsageError('Why? The reason may not be empty.');
  return answer;
}
