/** The names of a person, as a document shows them. */
export interface Person {
  readonly firstName: string;
  readonly secondName: string;
  readonly firstSurname: string;
  readonly secondSurname: string;
}

/** How names given by a citizen relate to those of the registry. */
export type Agreement = 'agree' | 'surname-differs' | 'names-differ';

/**
 * Compares without regard to accents, case, apostrophes and spaces; second names only where the citizen gave them. Both names in
 * one field ('Juan Martín', as cards print them) are the two names of the registry.
 */
export function agree(given: Person, registered: Person): Agreement {
  if (!surnamesAgree(given, registered) && fold(given.firstSurname) !== fold(registered.firstSurname))
    return 'surname-differs';
  return namesAgree(given, registered) && surnamesAgree(given, registered) ? 'agree' : 'names-differ';
}

/** The first field of the form whose name the registry has otherwise. */
export function differingField(
  given: Person,
  registered: Person,
): 'primer_nombre' | 'segundo_nombre' | 'primer_apellido' | 'segundo_apellido' {
  if (!namesAgree(given, registered))
    return fold(given.firstName) === fold(registered.firstName) ? 'segundo_nombre' : 'primer_nombre';
  return fold(given.firstSurname) === fold(registered.firstSurname) ? 'segundo_apellido' : 'primer_apellido';
}

/** Names that agree, as the registry writes them: those that were given, and no other. */
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

/** Both names in the first field are the two of the registry. */
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
