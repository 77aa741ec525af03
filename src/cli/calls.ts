import { userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openDefinitions } from '../engine/compiler/open-definitions.ts';
import { definitionOptions } from '../server/app/definition-options.ts';
import { createValidateForm } from '../server/app/validate-form.ts';
import { systemClock } from '../server/platform/base/clock.ts';
import type { ValidateForm } from '../server/platform/base/validate-form.ts';
import { ownOrigin } from '../server/platform/base/origin.ts';
import { dateOf, isDate, timeOf } from '../server/platform/base/zone.ts';
import type { Config } from '../server/platform/config/config.ts';
import type { Store } from '../server/platform/database/open-store.ts';
import { loadTemplates } from '../server/platform/mail/templates.ts';
import { createCommands } from '../server/trust/notices/commands.ts';
import { callMails } from '../server/features/video-calls/call-mails.ts';
import { callsOn } from '../server/features/video-calls/calls.ts';
import { decideCall, isDecision } from '../server/features/video-calls/decide-call.ts';
import { auditWriter, UsageError, withStore } from './with-store.ts';

const usage = `Usage:
  npm run calls -- list [YYYY-MM-DD]                                              the calls of a day; without one, of today
  npm run calls -- approve|reject|verify|refuse|attend|fail|cancel ID --reason TEXT
An elevation is approved or rejected by the agent who saw the citizen; with ELEVATION_SECOND_AGENT another one verifies or refuses the approval. A support
call is attended. Any call fails or is cancelled. An approval asks for a call that its agent held at the desk, with every required point of its checklist. The reason stands in the audit log; of a rejection the citizen reads it.
`;

await withStore(usage, async (store, config) => {
  const { verb, subject, reason } = readArguments(process.argv.slice(2));
  const commands = createCommands({
    store,
    auditWriter: await auditWriter(config),
    clock: systemClock,
    config,
    templates: await loadTemplates(),
  });
  const agent = userInfo().username;
  if (verb === 'list') {
    const date = subject ?? dateOf(systemClock.now());
    if (!isDate(date)) throw new UsageError('Which day? Give it as YYYY-MM-DD.');
    const calls = await commands.run(ownOrigin('agent', 'command'), async ({ tx, audit }) => {
      await audit('calls-shown', null, { agent, date });
      return callsOn(tx, date);
    });
    for (const { id, startsAt, kind, state, name } of calls)
      process.stdout.write(`${id}  ${timeOf(startsAt).slice(0, 5)}  ${kind}  ${state}  ${name}\n`);
    process.stdout.write(`Calls: ${calls.length}\n`);
    return;
  }
  if (!isDecision(verb)) throw new UsageError(`There is no command ${verb}.`);
  if (subject === undefined) throw new UsageError('Which call? `list` shows their ids.');
  if (reason === '') throw new UsageError('Why? Give --reason.');
  const outcome = await decideCall(
    { commands, config, callMails: callMails(config), validateForm: lateValidateForm(store, config) },
    { id: subject, decision: verb, agent, reason },
  );
  if (outcome === 'not-held')
    throw new UsageError(`Nobody can approve a call that was not held for ${config.elevationMinCallS} s by its agent.`);
  if (outcome === 'unchecked') throw new UsageError('Its agent has not ticked every required point of the checklist.');
  if (outcome === 'unknown') throw new UsageError('There is no such call.');
  if (outcome === 'not-now') throw new UsageError(`The call is in no state for ${verb}.`);
  if (outcome === 'same-agent')
    throw new UsageError('Another agent than the one who saw the citizen must decide this.');
  if (outcome === 'level-and-email')
    throw new UsageError('Level and address of one account are not both changed by one agent within seven days.');
  if (typeof outcome === 'string') throw new UsageError('That is for the agent at the desk who has the call.');
  process.stdout.write(`Done: ${outcome.state}.\n`);
});

/** Validates checklists by the definitions of the project, which are read for an approval only. */
function lateValidateForm(store: Store, config: Config): ValidateForm {
  return async (...asked) => {
    const source = await openDefinitions(definitionOptions(fileURLToPath(new URL('../..', import.meta.url))));
    return createValidateForm({ clock: systemClock, config, definitions: () => source.current, store })(...asked);
  };
}

interface Arguments {
  readonly verb: string;
  readonly subject: string | undefined;
  readonly reason: string;
}

function readArguments(given: readonly string[]): Arguments {
  const { values, positionals } = parse(given);
  const [verb, subject, ...more] = positionals;
  if (verb === undefined) throw new UsageError('What shall be done?');
  if (more.length > 0) throw new UsageError('That is one word too many.');
  return { verb, subject, reason: values.reason?.trim() ?? '' };
}

function parse(given: readonly string[]) {
  try {
    return parseArgs({ args: [...given], options: { reason: { type: 'string' } }, allowPositionals: true });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
