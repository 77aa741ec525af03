import { userInfo } from 'node:os';
import { openLiveDefinitions } from '../../engine/compiler/open-live-definitions.ts';
import { createDefinitionOptions } from '../../server/app/definition-options.ts';
import { createScreenValidator } from '../../server/app/create-screen-validator.ts';
import { createCallMails } from '../../server/features/video-calls/call-mails.ts';
import { listDeskCallsOnDate } from '../../server/features/desk/desk-calls.ts';
import { decideCall, callDecisions, type CallDecision } from '../../server/features/video-calls/decide-call.ts';
import { systemClock } from '../../server/platform/base/clock.ts';
import { createInternalChangeOrigin } from '../../server/platform/base/change-origin.ts';
import type { ValidateForm } from '../../server/features/handler-context.ts';
import { toUruguayIsoDate, isIsoDate, toUruguayIsoTime } from '../../contract/format/dates.ts';
import {
  createCliAction,
  CommandError,
  rejectExtraArguments,
  UsageError,
  type CliCommand,
  type CliInvocation,
} from '../command.ts';
import { projectRoot } from '../project.ts';
import { replaceControlCharacters } from './terminal-text.ts';
import { withStoreAndCommands } from './with-store.ts';

const options = { reason: { type: 'string' } } as const;

export const command: CliCommand = {
  list: createCliAction({}, list),
  ...Object.fromEntries(
    callDecisions.map((name) => [name, createCliAction(options, (given) => applyDecision(name, given))]),
  ),
};

function list({ positionals: [date = toUruguayIsoDate(systemClock.now())], terminal }: CliInvocation): Promise<void> {
  if (!isIsoDate(date)) throw new UsageError('Invalid argument: the day must be a date, YYYY-MM-DD.');
  return withStoreAndCommands(terminal, async ({ commands }) => {
    const calls = await commands.run(createInternalChangeOrigin('agent', 'command'), async ({ tx, audit }) => {
      await audit('calls-shown', null, { agent: userInfo().username, date });
      return listDeskCallsOnDate(tx, date);
    });
    for (const { id, startsAt, kind, state, name } of calls)
      terminal.out(
        replaceControlCharacters(`${id}  ${toUruguayIsoTime(startsAt).slice(0, 5)}  ${kind}  ${state}  ${name}\n`),
      );
    terminal.out(`Calls: ${calls.length}\n`);
  });
}

function applyDecision(
  decision: CallDecision,
  { positionals, options: given, terminal }: CliInvocation<typeof options>,
): Promise<void> {
  const [id, ...more] = positionals;
  const reason = given.reason?.trim() ?? '';
  if (id === undefined) throw new UsageError('Missing argument: ID. `portal calls list` prints the ids.');
  rejectExtraArguments(more);
  if (reason === '') throw new UsageError('Missing option: --reason TEXT.');
  return withStoreAndCommands(terminal, async ({ store, commands, config }) => {
    // loads the definitions only for an approval
    const validateForm: ValidateForm = async (...asked) => {
      const { current } = await openLiveDefinitions(createDefinitionOptions(projectRoot));
      return createScreenValidator({ clock: systemClock, config, definitions: () => current, store })(...asked);
    };
    const outcome = await decideCall(
      { commands, config, callMails: createCallMails(config), validateForm },
      { id, decision, agent: userInfo().username, reason },
    );
    if (typeof outcome !== 'string') return terminal.out(`Done: ${outcome.state}.\n`);
    const refusals: Partial<Record<typeof outcome, string>> = {
      'not-held': `Nobody can approve a call that was not held for ${config.elevationMinCallS} s by its agent.`,
      unchecked: 'Its agent has not ticked every required point of the checklist.',
      unknown: 'There is no such call.',
      'not-now': `The call is in no state for ${decision}.`,
      'same-agent': 'Another agent than the one who saw the citizen must decide this.',
      'level-and-email': 'Level and address of one account are not both changed by one agent within seven days.',
    };
    throw new CommandError(refusals[outcome] ?? 'That is for the agent at the desk who has the call.');
  });
}
