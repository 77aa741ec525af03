import { buildHref } from '../../../contract/build-href.ts';
import { identityBrokerPaths } from '../../../contract/contract.ts';
import { pagePaths } from '../../../contract/page-paths.ts';
import { OperationError, addRefusalLogFacts } from '../../platform/base/errors.ts';
import type { ChangeOrigin } from '../../platform/base/change-origin.ts';
import type { SignInDestination } from '../../trust/federation/upstream/provider-sign-ins.ts';
import {
  UpstreamFailedError,
  UpstreamRefusedError,
  StaleUpstreamSignInError,
} from '../../trust/federation/upstream/upstream-adapter.ts';
import type { DatabaseCommandRunner } from '../../trust/notices/database-commands.ts';
import type { HandlerContext } from '../handler-context.ts';

type ProviderDenialReason =
  | 'blocked'
  | 'unregistered'
  | 'inactive'
  | 'no-factor'
  | 'second-factor'
  | 'registry'
  | 'document'
  | 'linked-elsewhere'
  | 'taken-back'
  | 'other-session';

/** Rejection of a person whom a provider identified. It rolls back the transaction, and `handleProviderFailure` audits it. */
export class ProviderUserRejectedError extends Error {
  readonly denial: ProviderDenialReason;
  readonly citizenId: string | null;

  constructor(denial: ProviderDenialReason, citizenId: string | null, cause?: unknown) {
    super(denial, { cause });
    this.denial = denial;
    this.citizenId = citizenId;
  }
}

const errorCodesByDenial = {
  blocked: 'BLOCKED_ACCOUNT',
  unregistered: 'UNREGISTERED_USER',
  inactive: 'UNACTIVE_ACCOUNT',
} as const;

interface FailedSignIn {
  readonly idp: string;
  readonly destination: SignInDestination;
  readonly origin: ChangeOrigin;
  readonly client?: string | undefined;
}

/** Returns the redirect to the error page after a failed or rejected sign-in, with facts for the log. Rethrows errors that have no error page. */
export async function handleProviderFailure(
  { commands }: Pick<HandlerContext, 'commands'>,
  error: unknown,
  failed: FailedSignIn,
): Promise<{ location: string }> {
  const facts = {
    code: error instanceof UpstreamFailedError ? 'provider-failed' : 'provider-denied',
    step: failed.idp,
    client: failed.client,
    account: error instanceof ProviderUserRejectedError ? error.citizenId : null,
    reason: error instanceof Error ? error.message : undefined,
  };
  try {
    return addRefusalLogFacts(await redirectAfterFailure(commands, error, failed), facts);
  } catch (thrown) {
    throw thrown instanceof OperationError || thrown instanceof UpstreamRefusedError
      ? addRefusalLogFacts(thrown, { ...facts, code: undefined })
      : thrown;
  }
}

async function redirectAfterFailure(
  commands: DatabaseCommandRunner,
  error: unknown,
  { idp, destination, origin }: FailedSignIn,
) {
  if (error instanceof UpstreamFailedError) return createProviderFailureRedirect(destination, error);
  const auditFailure = (reason: string, citizenId: string | null = null) =>
    commands.run(origin, ({ audit }) => audit('sign-in-failed', citizenId, { idp, reason }));
  if (error instanceof StaleUpstreamSignInError) {
    await auditFailure('stale');
    return { location: buildLocation(destination, 'StaleSignIn') };
  }
  if (error instanceof UpstreamRefusedError) await auditFailure('refused');
  if (!(error instanceof ProviderUserRejectedError)) throw error;
  await auditFailure(error.denial, error.citizenId);
  switch (error.denial) {
    case 'other-session':
      throw new OperationError(400, 'sesion_de_otra_persona');
    case 'blocked':
    case 'unregistered':
    case 'inactive':
      return { location: buildHref(pagePaths.error, { errorCode: errorCodesByDenial[error.denial] }) };
    case 'document':
    case 'linked-elsewhere':
      return { location: buildLocation(destination, 'OtherPerson') };
    case 'taken-back':
      return {
        location: buildLocation(destination, 'LinkTakenBack', buildHref(identityBrokerPaths.providerLogin, { idp })),
      };
    default:
      return createProviderFailureRedirect(destination);
  }
}

/** Builds the URL of the error page, from which the citizen can sign in again and continue at the same destination. */
function buildLocation(
  { process_state, redirect_url }: SignInDestination,
  reason: 'OtherPerson' | 'LinkTakenBack' | 'StaleSignIn',
  back: string | null = redirect_url,
): string {
  const destination = process_state === null ? { redirectUrl: back } : { process_state };
  return buildHref(pagePaths.error, { errorCode: 'IDP_ERROR', error_description: reason, ...destination });
}

/**
 * Returns the redirect to the error page. The application's authorization request stays open, so that the citizen can sign in with another method.
 */
export function createProviderFailureRedirect(
  { process_state: state }: SignInDestination,
  error?: UpstreamFailedError,
): { location: string } {
  const about = state === null ? {} : { process_state: state, error_description: error?.description ?? 'GenericError' };
  return { location: buildHref(pagePaths.error, { errorCode: 'IDP_ERROR', ...about }) };
}
