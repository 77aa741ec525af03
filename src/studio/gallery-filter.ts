import { foldAccentsAndCase } from '../contract/fold-text.ts';
import type { ScreenCaseEntry, GalleryScreen } from './dev-page-data.ts';

/** In pixels. */
export const previewWidths = ['360', '1280'] as const;

/** Stored in the URL, so that the filtered gallery can be shared and survives a reload. */
export interface GalleryFilter {
  readonly name: string;
  readonly screen: string;
  readonly fixture: string;
  /** Language of the previews. Empty for all languages. */
  readonly lang: string;
  readonly width: string;
  readonly errors: boolean;
  /** Whether to show only screens without cases, and cases that fail. */
  readonly marked: boolean;
  readonly open: readonly string[];
}

export function parseGalleryFilter(search: string): GalleryFilter {
  const query = new URLSearchParams(search);
  const { name = '', screen = '', fixture = '', lang = '', width = '', errors, marked } = Object.fromEntries(query);
  const checks = { errors: errors !== undefined, marked: marked !== undefined };
  return { name, screen, fixture, lang, width, ...checks, open: query.getAll('open') };
}

export function buildGalleryQuery({ open = [], ...filter }: Partial<GalleryFilter>): string {
  const parts = Object.entries(filter)
    .filter(([, value]) => value !== '' && value !== false)
    .map(([name, value]) => [name, String(value)]);
  return `?${new URLSearchParams([...parts, ...open.map((name) => ['open', name])])}`;
}

export function filterGalleryScreens(
  screens: readonly GalleryScreen[],
  filter: GalleryFilter,
): readonly GalleryScreen[] {
  const part = foldAccentsAndCase(filter.name.trim());
  return screens
    .filter(({ name, title }) =>
      filter.screen === '' ? foldAccentsAndCase(`${title}\n${name}`).includes(part) : name === filter.screen,
    )
    .map((screen) => ({
      ...screen,
      fixtures: screen.fixtures.filter((fixture) => isShown(fixture, filter)),
      bare: screen.fixtures.length === 0,
    }))
    .filter(({ fixtures, bare }) => fixtures.length > 0 || (bare && !filter.errors));
}

function isShown({ name, errors, faults }: ScreenCaseEntry, filter: GalleryFilter): boolean {
  if (filter.fixture !== '' && name !== filter.fixture) return false;
  return (!filter.errors || Object.keys(errors).length > 0) && (!filter.marked || faults.length > 0);
}
