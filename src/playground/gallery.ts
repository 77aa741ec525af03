import gallery from './gallery.json?raw';
import type { PlaygroundFiles } from './compile-files.ts';
import { messages } from './sentences.ts';

export interface GallerySample {
  readonly name: string;
  readonly of: string;
  /** How the form is rendered, or what to use instead of an unsupported feature. */
  readonly note: string;
  readonly files: PlaygroundFiles;
}

export const sampleForms: readonly GallerySample[] = (JSON.parse(gallery) as readonly GallerySample[]).map(
  ({ files, ...sample }) => ({
    ...sample,
    files: { ...files, 'schemas/_shared/messages.json': messages },
  }),
);
