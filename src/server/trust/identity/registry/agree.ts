export interface Person {
  readonly firstName: string;
  readonly secondName: string;
  readonly firstSurname: string;
  readonly secondSurname: string;
}

export type Agreement = 'agree' | 'surname-differs' | 'names-differ';

/**
 * Compares names without regard to accents, case, apostrophes and spaces. Second names are compared only if the citizen entered them. Both names in
 * one field ("Juan Martín", as printed on cards) match the registry's two names.
 */
export function agree(given: Person, registered: Person): Agreement {
  if (!surnamesAgree(given, registered) && fold(given.firstSurname) !== fold(registered.firstSurname))
    return 'surname-differs';
  return namesAgree(given, registered) && surnamesAgree(given, registered) ? 'agree' : 'names-differ';
}

/** Returns the first form field whose name differs from the registry's. */
export function differingField(
  given: Person,
  registered: Person,
): 'primer_nombre' | 'segundo_nombre' | 'primer_apellido' | 'segundo_apellido' {
  if (!namesAgree(given, registered))
    return fold(given.firstName) === fold(registered.firstName) ? 'segundo_nombre' : 'primer_nombre';
  return fold(given.firstSurname) === fold(registered.firstSurname) ? 'segundo_apellido' : 'primer_apellido';
}

/** Spells matching names as the registry does. Second names that the citizen did not enter stay empty. */
export function spelledBy(registered: Person, given: Person): Person {
  const [firstName, secondName] = spelledPair(
    [given.firstName, given.secondName],
    [registered.firstName, registered.secondName],
  );
  const [firstSurname, secondSurname] = spelledPair(
    [given.firstSurname, given.secondSurname],
    [registered.firstSurname, registered.secondSurname],
  );
  return { firstName, secondName, firstSurname, secondSurname };
}

/** Returns the registry's names, without the second one if the citizen entered only the first. */
function spelledPair([first, second]: Pair, [registeredFirst, registeredSecond]: Pair): Pair {
  const left = fold(second) === '' && fold(first) === fold(registeredFirst);
  return [registeredFirst, left ? '' : registeredSecond];
}

function namesAgree(given: Person, registered: Person): boolean {
  return pairAgrees([given.firstName, given.secondName], [registered.firstName, registered.secondName]);
}

function surnamesAgree(given: Person, registered: Person): boolean {
  return pairAgrees([given.firstSurname, given.secondSurname], [registered.firstSurname, registered.secondSurname]);
}

type Pair = readonly [first: string, second: string];

function pairAgrees([first, second]: Pair, [registeredFirst, registeredSecond]: Pair): boolean {
  if (fold(first) === fold(registeredFirst) && (fold(second) === '' || fold(second) === fold(registeredSecond)))
    return true;
  return fold(first) !== '' && fold(first + second) === fold(registeredFirst + registeredSecond);
}

function fold(name: string): string {
  return name.normalize('NFD').replace(/\P{L}/gu, '').toLowerCase();
}
