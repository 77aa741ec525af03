export interface PersonNames {
  readonly firstName: string;
  readonly secondName: string;
  readonly firstSurname: string;
  readonly secondSurname: string;
}

type NamePair = readonly [first: string, second: string];

const getNames = ({ firstName, secondName }: PersonNames): NamePair => [firstName, secondName];
const getSurnames = ({ firstSurname, secondSurname }: PersonNames): NamePair => [firstSurname, secondSurname];

/** Ignores accents, case, apostrophes, spaces, and second names that were not entered. "Juan Martín" in one field, as on cards, matches both names. */
export function comparePersonNames(entered: PersonNames, registered: PersonNames) {
  const sameSurnames = isMatchingPair(getSurnames(entered), getSurnames(registered));
  if (!sameSurnames && foldName(entered.firstSurname) !== foldName(registered.firstSurname)) return 'surname-differs';
  return sameSurnames && isMatchingPair(getNames(entered), getNames(registered)) ? 'agree' : 'names-differ';
}

export function findDifferingNameField(
  entered: PersonNames,
  registered: PersonNames,
): 'primer_nombre' | 'segundo_nombre' | 'primer_apellido' | 'segundo_apellido' {
  if (!isMatchingPair(getNames(entered), getNames(registered)))
    return foldName(entered.firstName) === foldName(registered.firstName) ? 'segundo_nombre' : 'primer_nombre';
  return foldName(entered.firstSurname) === foldName(registered.firstSurname) ? 'segundo_apellido' : 'primer_apellido';
}

/** Replaces matching names with the registry's spelling. Second names that the citizen did not enter stay empty. */
export function applyRegistrySpelling(registered: PersonNames, entered: PersonNames): PersonNames {
  const [firstName, secondName] = applyPairSpelling(getNames(entered), getNames(registered));
  const [firstSurname, secondSurname] = applyPairSpelling(getSurnames(entered), getSurnames(registered));
  return { firstName, secondName, firstSurname, secondSurname };
}

function applyPairSpelling([first, second]: NamePair, [registeredFirst, registeredSecond]: NamePair): NamePair {
  const isLeftOut = foldName(second) === '' && foldName(first) === foldName(registeredFirst);
  return [registeredFirst, isLeftOut ? '' : registeredSecond];
}

function isMatchingPair([first, second]: NamePair, [registeredFirst, registeredSecond]: NamePair): boolean {
  if (
    foldName(first) === foldName(registeredFirst) &&
    (foldName(second) === '' || foldName(second) === foldName(registeredSecond))
  )
    return true;
  return foldName(first) !== '' && foldName(first + second) === foldName(registeredFirst + registeredSecond);
}

function foldName(name: string): string {
  return name.normalize('NFD').replace(/\P{L}/gu, '').toLowerCase();
}
