import type { FixtureEntry, ScreenEntry } from './dev-data.ts';

/** The widths, in pixels, that each case is drawn in. */
export const widths = ['360', '1280'] as const;

/** What of the gallery is shown; it stands in the address, so that it can be shared and outlives a reload. */
export interface Filter {
  /** Part of a screen's name. */
  readonly name: string;
  /** One screen alone, and one case of it. */
  readonly screen: string;
  readonly fixture: string;
  /** One language or width alone; empty: all. */
  readonly lang: string;
  readonly width: string;
  /** Only cases that expect errors. */
  readonly errors: boolean;
  /** Only what is marked: no cases, or cases that no longer fit. */
  readonly marked: boolean;
  /** Screens whose drawings are shown. */
  readonly open: readonly string[];
}

/** Reads the filter of an address. */
export function readFilter(search: string): Filter {
  const query = new URLSearchParams(search);
  const text = (name: string): string => query.get(name) ?? '';
  return {
    name: text('name'),
    screen: text('screen'),
    fixture: text('fixture'),
    lang: text('lang'),
    width: text('width'),
    errors: query.has('errors'),
    marked: query.has('marked'),
    open: query.getAll('open'),
  };
}

/** The query of an address that shows this. */
export function filterQuery({ open = [], ...filter }: Partial<Filter>): string {
  const parts = Object.entries(filter)
    .filter(([, value]) => value !== '' && value !== false)
    .map(([name, value]) => [name, String(value)]);
  return `?${new URLSearchParams([...parts, ...open.map((name) => ['open', name])])}`;
}

/** The screens that a filter shows, each with the cases that it shows. */
export function applyFilter(screens: readonly ScreenEntry[], filter: Filter): readonly ScreenEntry[] {
  const part = filter.name.trim().toLowerCase();
  return screens
    .filter(({ name }) => (filter.screen === '' ? name.includes(part) : name === filter.screen))
    .map((screen) => ({
      ...screen,
      fixtures: screen.fixtures.filter((fixture) => isShown(fixture, filter)),
      bare: screen.fixtures.length === 0,
    }))
    .filter(({ fixtures, bare }) => fixtures.length > 0 || (bare && !filter.errors));
}

function isShown({ name, errors, faults }: FixtureEntry, filter: Filter): boolean {
  if (filter.fixture !== '' && name !== filter.fixture) return false;
  return (!filter.errors || Object.keys(errors).length > 0) && (!filter.marked || faults.length > 0);
}
