import { issueToken } from '../../trust/credentials/link-tokens.ts';
import type { Command } from '../../trust/notices/commands.ts';

const lifeS = 60 * 60;

/**
 * A one-time right to have the activation mail of a document sent again without another captcha. It names the document and
 * not an account, so that it exists, and costs, the same for a document that has none.
 */
export function issueResendRight({ tx, now }: Command, document: string): Promise<string> {
  return issueToken(tx, { purpose: 'resend', citizenId: null, subject: document, now, lifeS });
}
