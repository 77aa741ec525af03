import {
  apiContract,
  getRateLimitName,
  type RateLimitName,
  type ApiOperation,
  type OperationName,
} from '../../../contract/contract.ts';
import { asObject } from '../../../engine/core/json.ts';
import type { CaptchaService } from '../../trust/abuse/captcha.ts';
import type { Caller, UntypedOperationRequest } from '../../platform/base/operation-request.ts';
import { formatDocumentId, normalizeDocument, type IdentityDocument } from '../../platform/base/identity-document.ts';
import type { ChangeOrigin } from '../../platform/base/change-origin.ts';
import { normalizeEmail, toStringOrEmpty } from '../../platform/base/normalize-input.ts';
import type { AttemptLimit } from '../../platform/modules/attempt-limits.ts';
import {
  assertAgentConfirmation,
  type AgentConfirmationDependencies,
  requiresIdentityProof,
  assertIdentityProof,
} from '../../trust/sessions/identity-proof.ts';
import { buildDocumentThrottleKey, readDeviceSecrets, findKnownDevice } from '../../trust/sessions/known-devices.ts';
import { findCitizenByDocument } from '../../trust/identity/citizens.ts';
import type { DatabaseStore } from '../../platform/database/open-store.ts';
import { deleteSavedProgress } from '../../features/saved-flows/index.ts';
import type { HandlerContext } from '../../features/handler-context.ts';

interface Dependencies extends AgentConfirmationDependencies, Pick<HandlerContext, 'definitions'> {
  readonly captcha: CaptchaService;
  readonly limits: Readonly<Record<RateLimitName, AttemptLimit>>;
}

export type OperationGuard = ReturnType<typeof createOperationGuard>;

/** Creates the checks that the contract requires before a handler runs, and the function that deletes saved progress after it. */
export function createOperationGuard(dependencies: Dependencies) {
  const { captcha, throttle, limits, store, clock, definitions } = dependencies;
  return {
    /** Counts an attempt of the client's IP address, if the operation has a rate limit. Throws a 429 while the IP address is throttled. */
    async countAttempt(name: OperationName, { address }: Pick<ChangeOrigin, 'address'>): Promise<void> {
      const limit = getRateLimitName(name);
      if (limit !== undefined) await throttle.admit(limits[limit], { address }, clock.now());
    },
    /** Requires a proof of identity, then verifies the captcha, then counts the attempt per document and e-mail address. Throws an `OperationError`. */
    async assertAdmitted(name: OperationName, request: UntypedOperationRequest): Promise<void> {
      const { body, caller, cookies } = request;
      const row: ApiOperation = apiContract[name];
      const fields = asObject(body);
      if (requiresIdentityProof(name)) await assertIdentityProof(dependencies, store.db, name, { caller, body });
      if (row.proof === 'passkey') await assertAgentConfirmation(dependencies, name, request);
      if (row.captcha === true || (row.captcha === 'anonymous' && caller === null))
        await captcha.verify(toStringOrEmpty(fields['captcha_response']), 'captcha_response');
      const limit = getRateLimitName(name);
      if (limit === undefined) return;
      const [country, type, number] = (row.counts?.document ?? []).map((field) => fields[field]);
      const named = number === undefined ? null : normalizeDocument(country, type, number);
      const counted = {
        document: named === null ? (caller?.document ?? '') : await buildDocumentKey(store, named, cookies.device),
        email: normalizeEmail(fields[row.counts?.email ?? '']),
        ...('checks' in limits[limit].kinds && { checks: caller?.document ?? '' }),
      };
      await throttle.admit(limits[limit], counted, clock.now());
    },
    /** Deletes the caller's saved progress in the flows that the operation completes, so that clients need not delete it. */
    async deleteSavedFlows(name: OperationName, caller: Caller | null): Promise<void> {
      if (caller === null || !(apiContract[name] as ApiOperation).screen) return;
      const ended = definitions().listSavedFlowsEndedByOperation(name);
      if (ended.length > 0) await deleteSavedProgress(store.db, caller.citizenId, ended);
    },
  };
}

/**
 * Builds the key by which attempts for a document are counted. A known device has a separate key, so that other devices cannot use up its attempts.
 */
async function buildDocumentKey({ db }: DatabaseStore, document: IdentityDocument, cookie: string | undefined) {
  const id = formatDocumentId(document);
  if (readDeviceSecrets(cookie).length === 0) return id;
  const citizen = await findCitizenByDocument(db, document);
  return buildDocumentThrottleKey(id, await findKnownDevice(db, { citizenId: citizen?.id ?? '', cookie }));
}
