import type { Answer } from '../../../contract/contract.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { formatOfficialDate, laterDate } from '../../../contract/written/dates.ts';
import { askRegistry } from '../../trust/identity/check-identity.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import { agree } from '../../trust/identity/registry/agree.ts';
import type { Registry } from '../../trust/identity/registry/registry.ts';
import { after } from '../../platform/base/clock.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { constants } from '../../../contract/constants.ts';
import { demandsSecondFactor } from '../../trust/identity/levels.ts';

/** Time after a passed card check in which its session can book without the serial number, in seconds. */
const lifeS = 30 * 60;

/** Records that the citizen of a session passed the card check (section 8.5 of the specification). */
export async function noteCardCheck({ db }: Store, sessionId: string, now: Date): Promise<void> {
  await db
    .insertInto('card_checks')
    .values({ session_id: sessionId, passed_at: now })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ passed_at: now }))
    .execute();
}

export async function hasPassedCardCheck({ db }: Store, sessionId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('card_checks')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .where('passed_at', '>', after(now, -lifeS))
    .executeTakeFirst();
  return row !== undefined;
}

const ageOfMajority = 18;

type Checked = Answer<'checkCard'>;

/** Compares a card with the registry. The account's own surname must agree too, so that guessing does not reveal the one in the registry. */
export async function checkCitizenCard(
  registry: Registry,
  citizen: Citizen,
  { serial, surname = citizen.first_surname, now }: { serial: string; surname?: string | undefined; now: Date },
): Promise<Checked> {
  const holder = await askRegistry(registry, citizen.number);
  if (holder === null) return { primer_apellido: false, numero_serie: false, mayor_de_edad: false };
  const person = {
    firstName: citizen.first_name,
    secondName: citizen.second_name,
    firstSurname: citizen.first_surname,
    secondSurname: citizen.second_surname,
  };
  return {
    primer_apellido: [person, { ...person, firstSurname: surname, secondSurname: '' }].every(
      (given) => agree(given, holder) !== 'surname-differs',
    ),
    numero_serie: holder.serial !== '' && holder.serial.toUpperCase() === serial.trim().toUpperCase(),
    mayor_de_edad:
      holder.birthDate !== '' && laterDate(holder.birthDate, { months: 12 * ageOfMajority }) <= formatOfficialDate(now),
  };
}

export function hasPassed(checked: Checked): boolean {
  return Object.values(checked).every((isSo) => isSo);
}

/** Throws the error of the first failed check (section 8.5 of the specification). */
export function refuseCard({ numero_serie: serial, primer_apellido: surname, mayor_de_edad: adult }: Checked): void {
  if (!serial) throw new OperationError(400, 'serie_no_coincide', { field: 'numero_serie' });
  if (!surname) throw new OperationError(400, 'apellido_no_coincide', { field: 'numero_serie' });
  if (!adult) throw new OperationError(400, 'menor_de_edad', { field: 'numero_serie' });
}

/** Throws unless the citizen may raise the level by video call: below Intermedio, with a Uruguayan document and an active account. */
export function checkMayElevate(citizen: Pick<Citizen, 'country' | 'level' | 'active_at'>): void {
  if (citizen.country !== constants.defaultCountry) throw new OperationError(403, 'sin_permiso');
  if (demandsSecondFactor(citizen)) throw new OperationError(409, 'nivel_ya_alcanzado');
  if (citizen.active_at === null) throw new OperationError(403, 'sin_permiso');
}
