import gallery from './gallery.json?raw';
import type { Files } from './compile-files.ts';
import { messages } from './sentences.ts';

/** An example of the gallery. */
export interface Sample {
  readonly name: string;
  /** Where its form comes from. */
  readonly of: string;
  /** How it is drawn, or what is written in the place of what is refused. */
  readonly note: string;
  readonly files: Files;
}

/** The samples of the tests, each with the catalogue of messages. */
export const samples: readonly Sample[] = (JSON.parse(gallery) as readonly Sample[]).map(({ files, ...sample }) => ({
  ...sample,
  files: { ...files, 'schemas/_shared/messages.json': messages },
}));
