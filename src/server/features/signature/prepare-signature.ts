import type { Caller } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import { dataUrl, statementName, writeStatement } from './statement.ts';
import { computeEnd, openRequest, type SignatureRequest, checkMaySign } from './request.ts';
import type { Handler } from '../parts.ts';

/** Creates the statement at the first call, and returns the same bytes at each later one, because exactly these must be signed. */
export const prepareSignature: Handler<'prepareSignature'> = async (
  { commands, clock, config, vault },
  { body, caller, origin },
) => {
  const { language } = origin;
  const request = liveRequest(vault, body.uuid, caller, clock.now());
  const statement = await commands.run(origin, async ({ tx, now }) => {
    const { citizen } = await ownCitizen(tx, caller);
    checkMaySign(citizen);
    await tx.deleteFrom('signature_requests').where('expires_at', '<', now).execute();
    const made = writeStatement({
      citizen,
      product: config.brand.product,
      nonce: request.nonce,
      at: request.at,
      language,
    });
    await tx
      .insertInto('signature_requests')
      .values({
        nonce: request.nonce,
        citizen_id: citizen.id,
        statement: made.toString('base64'),
        expires_at: computeEnd(request),
        used_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return tx
      .selectFrom('signature_requests')
      .select('statement')
      .where('nonce', '=', request.nonce)
      .where('used_at', 'is', null)
      .executeTakeFirst();
  });
  if (statement === undefined) throw ended();
  return {
    body: {
      declaracion: dataUrl(statementName(language), 'application/pdf', statement.statement),
      vence: computeEnd(request).toISOString(),
    },
  };
};

/** Opens a sealed request. Throws unless it belongs to the caller's session and has not expired. */
export function liveRequest(vault: Vault, sealed: string, caller: Caller | null, now: Date): SignatureRequest {
  const request = openRequest(vault, sealed);
  const own = request !== null && request.citizenId === caller?.citizenId && request.sessionId === caller.sessionId;
  if (!own || computeEnd(request) <= now) throw ended();
  return request;
}

/** Error for a request that is unknown, expired, used, or somebody else's. */
export function ended(): OperationError {
  return new OperationError(400, 'firma_vencida', { invalidToken: true });
}
