import type { Handlers } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import type { CallMails } from '../video-calls/call-mails.ts';
import { getSignedDocument } from './get-signed-document.ts';
import { prepareSignature } from './prepare-signature.ts';
import { requestSignature } from './request-signature.ts';
import { submitSignature } from './submit-signature.ts';
import type { FileChecker } from './verification/file-checker.ts';
import type { Trust } from '../../trust/certificates/trust.ts';

interface Needs {
  readonly commands: Commands;
  readonly callMails: CallMails;
  readonly store: Store;
  readonly clock: Clock;
  readonly config: Config;
  readonly trust: Trust;
  readonly fileChecker: FileChecker;
  readonly vault: Vault;
}

export function signatureHandlers(needs: Needs) {
  return {
    requestSignature: requestSignature(needs),
    prepareSignature: prepareSignature(needs),
    submitSignature: submitSignature(needs),
    getSignedDocument: getSignedDocument(needs),
  } satisfies Partial<Handlers>;
}
