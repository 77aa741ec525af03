import type { CallRequest } from '../../call.ts';
import { CallError } from '../../errors.ts';
import type { Parts } from '../../parts.ts';
import { appendAudit } from '../../store/audit.ts';
import type { Tx } from '../../store/open-store.ts';
import type { ChallengeRecord } from './challenge-record.ts';
import { checkForm } from './check-form.ts';

/** Wire name of the challenge, which is its assurance key too. */
export const passwordChallenge = 'urn:iduruguay:am:password';

/**
 * The password: throws one answer for a wrong password and for an account that does not exist, after the same work. The
 * hash is checked outside of any transaction; the result tells inside of one whether it is still the citizen's.
 */
export async function provePassword(
  parts: Parts, request: CallRequest<'answerChallenge'>, record: ChallengeRecord,
): Promise<(tx: Tx) => Promise<boolean>> {
  const { store, clock, throttle, passwords } = parts;
  const password = checkForm(parts, 'login-contrasena', request.body.data_challenge, request.language)['password'];
  const counted = { address: request.address, document: record.document };
  await throttle.admit('signIn', counted, clock.now());
  const stored = await store.db.selectFrom('credentials').select('password_hash')
    .where('citizen_id', '=', record.citizen_id ?? '').executeTakeFirst();
  if (!await passwords.verify(stored?.password_hash ?? null, String(password))) {
    await store.transaction((tx) => appendAudit(tx, {
      at: clock.now(), action: 'sign-in-failed', citizenId: record.citizen_id,
      address: request.address, requestId: request.requestId,
    }));
    throw new CallError(400, 'credenciales', { field: 'password' });
  }
  await throttle.forgive('signIn', counted);
  return async (tx) => {
    const current = await tx.selectFrom('credentials').select('password_hash')
      .where('citizen_id', '=', record.citizen_id ?? '').executeTakeFirst();
    return current?.password_hash === stored?.password_hash;
  };
}
