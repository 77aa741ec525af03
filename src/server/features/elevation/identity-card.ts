import type { Answer } from '../../../contract/contract.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { dateOf, laterDate } from '../../../contract/written/dates.ts';
import { askRegistry } from '../../trust/identity/check-identity.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import { agree } from '../../trust/identity/registry/agree.ts';
import type { Registry } from '../../trust/identity/registry/registry.ts';

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
      holder.birthDate !== '' && laterDate(holder.birthDate, { months: 12 * ageOfMajority }) <= dateOf(now),
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
