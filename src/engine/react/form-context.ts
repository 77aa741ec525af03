import { createContext } from 'react';
import type { Draft } from '../runtime/draft.ts';
import type { Theme } from './theme.ts';
import type { Widget } from './widget.ts';

/** What the fields of an open form share; it never changes while the form is open. */
export interface FormParts {
  readonly draft: Draft;
  readonly theme: Theme;
  /** Widgets of plugins by folder name. */
  readonly widgets: Readonly<Record<string, Widget>>;
}

export const FormContext = createContext<FormParts | null>(null);
