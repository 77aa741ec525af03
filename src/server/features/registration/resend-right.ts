import { issueToken } from '../../trust/credentials/link-tokens.ts';
import type { Command } from '../../trust/notices/commands.ts';

const lifeS = 60 * 60;

/**
 * Issues a one-time right to resend the activation mail of a document without another captcha. It names the document rather than an account, so that
 * it is issued, and costs, the same for a document without one.
 */
export function issueResendRight({ tx, now }: Command, document: string): Promise<string> {
  return issueToken(tx, { purpose: 'resend', citizenId: null, subject: document, now, lifeS });
}
