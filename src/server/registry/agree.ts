/** The names of a person, as a document shows them. */
export interface Person {
  readonly firstName: string;
  readonly secondName: string;
  readonly firstSurname: string;
  readonly secondSurname: string;
}

/** How names given by a citizen relate to those of the registry. */
export type Agreement = 'agree' | 'surname-differs' | 'names-differ';

/** Compares without regard to accents, case, apostrophes and spaces; second names only where the citizen gave them. */
export function agree(given: Person, registered: Person): Agreement {
  if (fold(given.firstSurname) !== fold(registered.firstSurname)) return 'surname-differs';
  if (fold(given.firstName) !== fold(registered.firstName)) return 'names-differ';
  const optional: readonly (keyof Person)[] = ['secondName', 'secondSurname'];
  const differs = optional.some((name) => fold(given[name]) !== '' && fold(given[name]) !== fold(registered[name]));
  return differs ? 'names-differ' : 'agree';
}

function fold(name: string): string {
  return name.normalize('NFD').replace(/\P{L}/gu, '').toLowerCase();
}
