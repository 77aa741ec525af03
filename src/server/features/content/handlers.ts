import type { Clock } from '../../platform/base/clock.ts';
import type { Handlers } from '../../platform/base/operation-request.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Content } from './content.ts';
import { getCountries } from './get-countries.ts';
import { getFaqs } from './get-faqs.ts';
import { getStaticPage } from './get-static-page.ts';

/** What the calls for texts and reference data work with. */
interface Needs {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: Config;
  /** The help and the static pages of now. */
  readonly content: () => Content;
}

/** The calls for what every visitor may read. */
export function contentHandlers(needs: Needs) {
  return {
    getFaqs: getFaqs(needs),
    getStaticPage: getStaticPage(needs),
    getCountries: getCountries(needs),
  } satisfies Partial<Handlers>;
}
