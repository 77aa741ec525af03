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

/** The checks around a handler that its row of the contract requires. */
export interface Guard {
  /** Counts a try under its address if the operation has a limit. Throws a 429 while a delay lasts. */
  count(name: OperationName, origin: Pick<Origin, 'address'>): Promise<void>;
  /** Demands a proof of identity, then the captcha, then counts the try by document and e-mail. Throws an `OperationError`. */
  admit(name: OperationName, request: OpenRequest): Promise<void>;
  /** Deletes the caller's saved journeys that the operation has completed, so that the browser does not have to. */
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

/** Returns the key that tries for a document are counted under, given the browser's device cookie. */
async function countedAt({ db }: Store, document: Document, cookie: string | undefined): Promise<string> {
  const id = documentId(document);
  if (heldIn(cookie).length === 0) return id;
  const citizen = await findCitizenByDocument(db, document);
  return countedDocument(id, await knownDevice(db, { citizenId: citizen?.id ?? '', cookie }));
}
