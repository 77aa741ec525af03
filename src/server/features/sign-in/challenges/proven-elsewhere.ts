import { OperationError } from '../../../platform/base/errors.ts';
import { sessionOfCookie } from '../../../trust/sessions/sessions.ts';
import type { ChallengeRecord } from '../../../trust/sessions/challenge-record.ts';
import type { ChallengeDependencies, Proof, Request } from './challenge.ts';
import { noteFailure } from './prove-typed.ts';

/** Returns the proof by card or wallet. Refuses if somebody else is signed in in this browser: another person's card must not sign them out. */
export async function provenElsewhere(
  dependencies: ChallengeDependencies,
  request: Request,
  record: ChallengeRecord,
  { factor, who, unknown }: { factor: string; who: Proof['citizen'] | null; unknown: string },
): Promise<Proof> {
  const { store, clock } = dependencies;
  if (!who) {
    await noteFailure(dependencies, request, record);
    throw new OperationError(400, unknown);
  }
  const { session: secret } = request.cookies;
  const session = secret === undefined ? null : await sessionOfCookie(store.db, secret, clock.now());
  if (session !== null && session.citizenId !== who.id) {
    await noteFailure(dependencies, request, { ...record, citizen_id: who.id });
    throw new OperationError(400, 'sesion_de_otra_persona');
  }
  return { factor, citizen: who, settle: async () => {} };
}
