import { createTexts } from '../runtime/engine-text.ts';
import type { EngineServices } from './engine-context.ts';

const defaultServices: EngineServices = {
  load: (operation) => Promise.reject(new Error(`Nobody answers ${operation}.`)),
  source: () => ({ state: 'failed', status: 0 }),
  subscribe: () => () => undefined,
  retry: () => undefined,
  reload: () => window.location.reload(),
  wait: () => () => undefined,
  now: () => new Date(),
  formatDate: (date, language) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date)),
  t: createTexts(),
  titled: (title) => title,
  snackbarMs: 6_000,
  choiceKeys: { value: ['value'], label: ['label'] },
  Link: ({ to, className, children }) => (
    <a href={to} className={className}>
      {children}
    </a>
  ),
};

/** Creates the services of the engine. Missing services have defaults for a page without a server. */
export function createEngine(own: Partial<EngineServices> = {}): EngineServices {
  return { ...defaultServices, ...own };
}
