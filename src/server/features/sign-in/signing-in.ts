import { sql } from 'kysely';
import type { Tx } from '../../platform/database/open-store.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { hasActiveFactor } from '../../trust/credentials/second-factors.ts';
import { selectCitizens, type Citizen } from '../../trust/identity/citizens.ts';
import { expired, type ChallengeRecord } from '../../trust/sessions/challenge-record.ts';
import { deviceAmong, heldIn } from '../../trust/sessions/known-devices.ts';

/** The citizen who signs in, as read in the transaction that advances the sign-in. */
export interface SigningIn {
  readonly citizen: Citizen;
  readonly passwordHash: string | null;
  /** When the password was reset by a mailed link. `null` if another factor than the mailbox has confirmed it since. */
  readonly passwordResetAt: Date | null;
  readonly hasFactor: boolean;
  /** The citizen's known browser. `null` if this one is new. */
  readonly device: string | null;
}

/** Reads the citizen. Throws the error of an expired sign-in if a parallel request used or advanced it, or the citizen does not exist. */
export async function signingIn(tx: Tx, record: ChallengeRecord, device: string | undefined): Promise<SigningIn> {
  const { hash, step, factors } = record;
  const id = record.citizen_id ?? '';
  const [found] = await findSigningIn(tx, { id, hash, step, factors, devices: heldIn(device) });
  if (!found?.is_open) throw expired();
  const {
    password_hash: passwordHash,
    reset_at: passwordResetAt,
    has_factor: hasFactor,
    known_device,
    is_open: _,
    ...citizen
  } = found;
  return { citizen, passwordHash, passwordResetAt, hasFactor, device: known_device };
}

type Found = Citizen & {
  readonly password_hash: string | null;
  readonly reset_at: Date | null;
  readonly has_factor: boolean;
  readonly known_device: string | null;
  readonly is_open: boolean;
};

const findSigningIn = prepared<
  { id: string; hash: string; step: string; factors: string; devices: readonly string[] },
  Found
>((db, value) =>
  selectCitizens(db)
    .select([
      'credentials.password_hash',
      'credentials.reset_at',
      hasActiveFactor().$castTo<boolean>().as('has_factor'),
      deviceAmong(sql`citizens.id`, value('devices')).as('known_device'),
    ])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('challenges')
          .select('challenges.hash')
          .where('challenges.hash', '=', value('hash'))
          .where('challenges.step', '=', value('step'))
          .where('challenges.factors', '=', value('factors'))
          .where('challenges.used_at', 'is', null),
      )
        .$castTo<boolean>()
        .as('is_open'),
    )
    .where('citizens.id', '=', value('id')),
);
