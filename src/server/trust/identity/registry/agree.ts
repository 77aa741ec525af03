export interface Person {
  readonly firstName: string;
  readonly secondName: string;
  readonly firstSurname: string;
  readonly secondSurname: string;
}

type Pair = readonly [first: string, second: string];

const names = ({ firstName, secondName }: Person): Pair => [firstName, secondName];
const surnames = ({ firstSurname, secondSurname }: Person): Pair => [firstSurname, secondSurname];

/**
 * Compares names without regard to accents, case, apostrophes and spaces. Second names count only if the citizen entered them. Two names in one
 * field ("Juan Martín", as printed on cards) match the registry's first and second name.
 */
export function compareNames(given: Person, registered: Person): 'agree' | 'surname-differs' | 'names-differ' {
  const sameSurnames = pairAgrees(surnames(given), surnames(registered));
  if (!sameSurnames && fold(given.firstSurname) !== fold(registered.firstSurname)) return 'surname-differs';
  return sameSurnames && pairAgrees(names(given), names(registered)) ? 'agree' : 'names-differ';
}

/** Returns the first form field whose name differs from the registry's. At least one must differ. */
export function differingField(
  given: Person,
  registered: Person,
): 'primer_nombre' | 'segundo_nombre' | 'primer_apellido' | 'segundo_apellido' {
  if (!pairAgrees(names(given), names(registered)))
    return fold(given.firstName) === fold(registered.firstName) ? 'segundo_nombre' : 'primer_nombre';
  return fold(given.firstSurname) === fold(registered.firstSurname) ? 'segundo_apellido' : 'primer_apellido';
}

/** Replaces matching names with the registry's spelling. Second names that the citizen did not enter stay empty. */
export function spelledBy(registered: Person, given: Person): Person {
  const [firstName, secondName] = spelledPair(names(given), names(registered));
  const [firstSurname, secondSurname] = spelledPair(surnames(given), surnames(registered));
  return { firstName, secondName, firstSurname, secondSurname };
}

function spelledPair([first, second]: Pair, [registeredFirst, registeredSecond]: Pair): Pair {
  const isLeftOut = fold(second) === '' && fold(first) === fold(registeredFirst);
  return [registeredFirst, isLeftOut ? '' : registeredSecond];
}

function pairAgrees([first, second]: Pair, [registeredFirst, registeredSecond]: Pair): boolean {
  if (fold(first) === fold(registeredFirst) && (fold(second) === '' || fold(second) === fold(registeredSecond)))
    return true;
  return fold(first) !== '' && fold(first + second) === fold(registeredFirst + registeredSecond);
}

function fold(name: string): string {
  return name.normalize('NFD').replace(/\P{L}/gu, '').toLowerCase();
}
