/** The sentences that the engine says itself. */
export type EngineText =
  | 'summary.title'
  | 'summary.one'
  | 'summary.none'
  | 'missing'
  | 'missing.one'
  | 'wrong'
  | 'wrong.one'
  | 'optional'
  | 'choose'
  | 'busy'
  | 'failed'
  | 'failed.title'
  | 'retry'
  | 'offline'
  | 'outdated'
  | 'loading'
  | 'dismiss'
  | 'newTab'
  | 'steps'
  | 'steps.here'
  | 'remaining'
  | 'remaining.one'
  | 'exceeded'
  | 'exceeded.one';

/** Says one of them in the page's language, with its placeholders filled. */
export type EngineTexts = (key: EngineText, values?: Readonly<Record<string, string | number>>) => string;
