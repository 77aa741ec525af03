import { baseLanguage } from '../../contract/portal-config.ts';
import type { Definitions } from '../../engine/compiler/definitions.ts';
import type { ReviewedCase } from '../dev-data.ts';
import { checkScreenCases } from './check-edits.ts';

/** Returns the first valid case of each step before a screen. Returns an empty array for a screen without a review. */
export async function readReviewedCases(
  root: string,
  definitions: Definitions,
  screen: string,
): Promise<readonly ReviewedCase[]> {
  if (!definitions.ui(screen, baseLanguage).review) return [];
  for (const { states, progress = [] } of Object.values(definitions.flows)) {
    for (const journey of progress) {
      const screens = journey.map(({ state }) => states[state]?.screen ?? '');
      const earlier = screens.slice(0, Math.max(0, screens.indexOf(screen)));
      const cases = await Promise.all(earlier.map((own) => checkScreenCases(root, definitions, own)));
      const valid = cases.map((own) => own.find(({ errors }) => Object.keys(errors).length === 0));
      const found = valid.flatMap((own, at) =>
        own
          ? [{ screen: earlier[at] ?? '', titles: journey[at]?.titles ?? {}, data: own.data, context: own.context }]
          : [],
      );
      if (found.length > 0) return found;
    }
  }
  return [];
}
