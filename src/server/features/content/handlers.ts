import type { Clock } from '../../platform/base/clock.ts';
import type { Handlers } from '../../platform/base/operation-request.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Content } from './content.ts';
import { getCountries } from './get-countries.ts';
import { getFaqs } from './get-faqs.ts';
import { getStaticPage } from './get-static-page.ts';

interface Needs {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: Config;
  readonly content: () => Content;
}

export function contentHandlers(needs: Needs) {
  return {
    getFaqs: getFaqs(needs),
    getStaticPage: getStaticPage(needs),
    getCountries: getCountries(needs),
  } satisfies Partial<Handlers>;
}
