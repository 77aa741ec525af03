import gallery from './gallery.json?raw';
import type { PlaygroundFiles } from './playground-compiler.ts';
import { messages } from './playground-texts.ts';

export interface PlaygroundSample {
  readonly name: string;
  readonly of: string;
  /** How the form is rendered, or what to use instead of an unsupported feature. */
  readonly note: string;
  readonly files: PlaygroundFiles;
}

export const playgroundSamples: readonly PlaygroundSample[] = (JSON.parse(gallery) as readonly PlaygroundSample[]).map(
  ({ files, ...sample }) => ({
    ...sample,
    files: { ...files, 'schemas/_shared/messages.json': messages },
  }),
);
