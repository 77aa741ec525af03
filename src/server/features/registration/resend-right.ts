import { issueToken } from '../../trust/credentials/link-tokens.ts';
import type { Command } from '../../trust/notices/commands.ts';

const lifeS = 60 * 60;

/** Issues a one-time right to resend an activation mail without a captcha. It names the document, so it costs the same without an account. */
export function issueResendRight({ tx, now }: Command, document: string): Promise<string> {
  return issueToken(tx, { purpose: 'resend', citizenId: null, subject: document, now, lifeS });
}
