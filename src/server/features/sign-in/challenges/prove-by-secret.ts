import type { ValidatedForm, ValidatingScreen } from '../../../../contract/contract.ts';
import type { Values } from '../../../../engine/core/json.ts';
import { OperationError, explain } from '../../../platform/base/errors.ts';
import { text } from '../../../platform/base/read-text.ts';
import type { Tx } from '../../../platform/database/open-store.ts';
import { countFailure, isDisabled } from '../../../trust/notices/failed-attempts.ts';
import type { ChallengeRecord, TriedChallenge } from '../../../trust/sessions/challenge-record.ts';
import type { ChallengeDependencies, Proof, Prove, Request } from './challenge.ts';

interface Typed<Found, Screen extends ValidatingScreen> {
  readonly factor: string;
  readonly screen: Screen;
  readonly field: Extract<keyof ValidatedForm<Screen>, string>;
  /** Part of the answer that the screen validates. All of it if absent. */
  readonly form?: Values;
  /** Error code for a wrong value. */
  readonly wrong: string;
  /** Looks the value up, outside of any transaction. Returns `null` if it is wrong. `citizenId` is empty if there is no account. */
  readonly find: (typed: string, citizenId: string) => Promise<Found | null>;
  /** Returns why the value was not found, for the log. */
  readonly why?: (typed: string, citizenId: string) => Promise<string | undefined>;
  /** Uses the result up, in the transaction that relies on it. Returns `false` if it is no longer valid. */
  readonly use: (tx: Tx, found: Found, who: { citizenId: string; passwordHash: string | null }) => Promise<boolean>;
  /** Error for a result that is no longer valid. By default the error for a wrong value. */
  readonly late?: () => OperationError;
}

/** Counts and checks the entered value. Returns its proof. */
export async function proveBySecret<Found, Screen extends ValidatingScreen>(
  [dependencies, request, record, count]: Parameters<Prove>,
  { factor, screen, field, form = request.body.data_challenge, wrong, find, why, use, late }: Typed<Found, Screen>,
): Promise<Proof> {
  const refused = () => new OperationError(400, wrong, { field });
  const validated: Values = await dependencies.validateForm(screen, form, request);
  const typed = text(validated[field]);
  const citizenId = record.citizen_id ?? '';
  await count();
  const disabled = isDisabled(record.failed_attempts, factor, record.known_device);
  const found = await find(typed, citizenId);
  if (found === null || disabled) {
    const reason = disabled ? 'disabled' : await why?.(typed, citizenId);
    await noteFailure(dependencies, request, record, reason, factor);
    throw explain(refused(), { reason });
  }
  return {
    factor,
    async settle(tx, { passwordHash }) {
      if (!(await use(tx, found, { citizenId, passwordHash }))) throw (late ?? refused)();
    },
  };
}

/** Audits and counts a wrong answer in a separate transaction, because the refusal is thrown afterwards. */
export async function noteFailure(
  { commands }: Pick<ChallengeDependencies, 'commands'>,
  { origin }: Request,
  { citizen_id, step, known_device: browser = null }: ChallengeRecord & Partial<TriedChallenge>,
  reason?: string,
  authenticator?: string,
): Promise<void> {
  const details = { challenge: step, ...(reason !== undefined && { reason }) };
  await commands.run(origin, async (command) => {
    await command.audit('sign-in-failed', citizen_id, details);
    if (authenticator !== undefined) await countFailure(command, { citizenId: citizen_id, authenticator, browser });
  });
}
