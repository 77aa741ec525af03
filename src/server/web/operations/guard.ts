import {
  contract,
  getLimitName,
  type LimitName,
  type Operation,
  type OperationName,
} from '../../../contract/contract.ts';
import { asObject } from '../../../engine/core/json.ts';
import type { Captcha } from '../../trust/abuse/captcha.ts';
import type { Caller, OpenRequest } from '../../platform/base/operation-request.ts';
import { documentId, readDocument, type Document } from '../../platform/base/document.ts';
import type { Origin } from '../../platform/base/origin.ts';
import { readEmail, text } from '../../platform/base/read-text.ts';
import type { Limit } from '../../platform/topics/limit.ts';
import {
  requireConfirmation,
  type ConfirmationDependencies,
  requiresProof,
  requireProof,
} from '../../trust/sessions/identity-proof.ts';
import { countedDocument, heldIn, knownDevice } from '../../trust/sessions/known-devices.ts';
import { findCitizenByDocument } from '../../trust/identity/citizens.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { dropJourneys } from '../../features/saved-flows/index.ts';
import type { Parts } from '../../features/parts.ts';

interface Dependencies extends ConfirmationDependencies, Pick<Parts, 'definitions'> {
  readonly captcha: Captcha;
  readonly limits: Readonly<Record<LimitName, Limit>>;
}

/** The checks before a handler that the contract requires for its operation, and the clean-up after it. */
export interface Guard {
  /** Counts an attempt of the client's IP address, if the operation has a rate limit. Throws a 429 while the address is throttled. */
  count(name: OperationName, origin: Pick<Origin, 'address'>): Promise<void>;
  /** Requires a proof of identity, then the captcha, then counts the attempt by document and e-mail. Throws an `OperationError`. */
  admit(name: OperationName, request: OpenRequest): Promise<void>;
  /** Deletes the caller's saved progress in the flows that the operation completes, so that clients need not delete it. */
  endJourneys(name: OperationName, caller: Caller | null): Promise<void>;
}

export function createGuard(dependencies: Dependencies): Guard {
  const { captcha, throttle, limits, store, clock, definitions } = dependencies;
  return {
    async count(name, { address }) {
      const limit = getLimitName(name);
      if (limit !== undefined) await throttle.admit(limits[limit], { address }, clock.now());
    },
    async admit(name, request) {
      const { body, caller, cookies } = request;
      const row: Operation = contract[name];
      const fields = asObject(body);
      if (requiresProof(name)) await requireProof(dependencies, store.db, name, { caller, body });
      if (row.proof === 'passkey') await requireConfirmation(dependencies, name, request);
      if (row.captcha === true || (row.captcha === 'anonymous' && caller === null))
        await captcha.verify(text(fields['captcha_response']), 'captcha_response');
      const limit = getLimitName(name);
      if (limit === undefined) return;
      const named = readCountedDocument(row.counts, fields);
      const counted = {
        document: named === null ? (caller?.document ?? '') : await countedAt(store, named, cookies.device),
        email: readEmail(fields[row.counts?.email ?? '']),
        ...('checks' in limits[limit].kinds && { checks: caller?.document ?? '' }),
      };
      await throttle.admit(limits[limit], counted, clock.now());
    },
    async endJourneys(name, caller) {
      if (caller === null || !(contract[name] as Operation).screen) return;
      const ended = definitions().savedFlowsEndedBy(name);
      if (ended.length > 0) await dropJourneys(store.db, caller.citizenId, ended);
    },
  };
}

function readCountedDocument(counts: Operation['counts'], fields: Readonly<Record<string, unknown>>): Document | null {
  const [country, type, number] = (counts?.document ?? []).map((name) => fields[name]);
  return number === undefined ? null : readDocument(country, type, number);
}

/** Returns the throttle key for attempts at a document. A known device has its own key, so that others cannot use up its attempts. */
async function countedAt({ db }: Store, document: Document, cookie: string | undefined): Promise<string> {
  const id = documentId(document);
  if (heldIn(cookie).length === 0) return id;
  const citizen = await findCitizenByDocument(db, document);
  return countedDocument(id, await knownDevice(db, { citizenId: citizen?.id ?? '', cookie }));
}
