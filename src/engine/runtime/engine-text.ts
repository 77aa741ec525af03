import { fill } from '../core/messages.ts';

const sentences = {
  'summary.title': 'Some answers need your attention',
  'summary.one': 'One answer needs your attention',
  'summary.none': 'We could not go on',
  missing: '{count} answers are missing.',
  'missing.one': '{count} answer is missing.',
  wrong: '{count} answers need your attention.',
  'wrong.one': '{count} answer needs your attention.',
  optional: '(optional)',
  choose: 'Choose one',
  busy: 'One moment…',
  failed: 'Something went wrong. Try again in a few minutes.',
  'failed.title': 'This page could not be shown',
  retry: 'Try again',
  offline: 'You are offline.',
  outdated: 'This form has changed. Look at it again before you send it.',
  loading: 'Loading…',
  dismiss: 'Close',
  newTab: '(opens in a new tab)',
  steps: 'Steps',
  'steps.here': 'Step {number} of {count}: {title}',
  remaining: '{count} characters left.',
  'remaining.one': '{count} character left.',
  exceeded: '{count} characters too many.',
  'exceeded.one': '{count} character too many.',
};

export type EngineText = keyof typeof sentences;

/** Returns a text of the engine in the language of the page, with its placeholders filled. */
export type EngineTexts = (key: EngineText, values?: Readonly<Record<string, string | number>>) => string;

/** English texts, for a page that provides none. */
export const english: EngineTexts = (key, values = {}) => fill(sentences[key], values);
