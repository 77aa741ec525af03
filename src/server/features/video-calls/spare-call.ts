import type { Command } from '../../trust/notices/commands.ts';
import type { CallMails } from './call-mails.ts';
import { newestCalls } from './calls.ts';
import { moveCall } from './move-call.ts';

/** Ends the pending elevation of a citizen whose level was raised without it, which frees its place. */
export async function spareCall(command: Command, callMails: CallMails, citizenId: string): Promise<void> {
  const { elevation } = await newestCalls(command.tx, citizenId);
  const spared = elevation === undefined ? null : await moveCall(command, elevation, 'spare');
  if (spared !== null) await callMails.moved(command, spared, 'spare');
}
