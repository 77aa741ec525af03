import type { JsonObject } from '../../../engine/core/json.ts';
import type { Clock } from '../base/clock.ts';
import { asCitizen, type Origin } from '../base/origin.ts';
import type { Store, Tx } from '../database/open-store.ts';
import type { AuditWriter } from './audit-writer.ts';

/** A database change in progress, with the audit entries that are committed with it. */
export interface Change {
  readonly tx: Tx;
  readonly now: Date;
  readonly origin: Origin;
  /** Appends to the audit log. `citizenId` is the affected account, or `null` if there is none. `details` must not contain secrets. */
  audit(action: string, citizenId: string | null, details?: JsonObject): Promise<void>;
}

/** Runs commands: the only way to change stored data of citizens. */
export interface CommandRunner<Command> {
  /** Runs `work` in a transaction that also commits its audit entries and mails. */
  run<Result>(origin: Origin, work: (command: Command) => Promise<Result>): Promise<Result>;
  /**
   * Commits only if `work` returns `true`, and rolls back otherwise. A request for an unknown account can therefore do the same work, in the same
   * time, as one for a real account.
   */
  commitIf(origin: Origin, work: (command: Command) => Promise<boolean>): Promise<void>;
}

/**
 * Creates a runner. `begin` builds the command that `work` receives. The command's `knownAs` rebuilds it for a citizen whom `work` has identified.
 */
export function createRunner<Command>(
  { store, auditWriter, clock }: { readonly store: Store; readonly auditWriter: AuditWriter; readonly clock: Clock },
  begin: (change: Change, knownAs: (citizenId: string) => Command) => Command,
): CommandRunner<Command> {
  const run: CommandRunner<Command>['run'] = (origin, work) =>
    auditWriter.transaction(store, (tx, append) => {
      const now = clock.now();
      const buildCommand = (from: Origin): Command => {
        const audit: Change['audit'] = (action, citizenId, details) =>
          append(from, { at: now, action, citizenId, ...(details && { details }) });
        return begin({ tx, now, origin: from, audit }, (citizenId) => buildCommand(asCitizen(from, citizenId)));
      };
      return work(buildCommand(origin));
    });
  return {
    run,
    async commitIf(origin, work) {
      try {
        await run(origin, async (command) => {
          if (!(await work(command))) throw new TakenBack();
        });
      } catch (error) {
        if (!(error instanceof TakenBack)) throw error;
      }
    },
  };
}

class TakenBack extends Error {}
