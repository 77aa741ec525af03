import gallery from './gallery.json?raw';
import type { Files } from './compile-files.ts';
import { messages } from './sentences.ts';

export interface Sample {
  readonly name: string;
  readonly of: string;
  /** How the form is rendered, or what to use instead of an unsupported feature. */
  readonly note: string;
  readonly files: Files;
}

export const sampleForms: readonly Sample[] = (JSON.parse(gallery) as readonly Sample[]).map(
  ({ files, ...sample }) => ({
    ...sample,
    files: { ...files, 'schemas/_shared/messages.json': messages },
  }),
);
