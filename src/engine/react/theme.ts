import getDefaultRegistry from '@rjsf/core/lib/getDefaultRegistry.js';
import type { Registry, RegistryFieldsType, TemplatesType } from '@rjsf/utils';
import type { ComponentType } from 'react';
import type { Widget } from './widget.ts';

/** The controls that a portal draws its forms with. */
export interface Theme {
  /** By their name in `ui:widget`, or by rjsf's (`TextWidget`, …). */
  readonly widgets: Readonly<Record<string, Widget>>;
  /** Names of `ui:widget` whose widgets draw the label of their field. */
  readonly selfLabelled: ReadonlySet<string>;
  /** Returns the parts of rjsf that draw what the theme lacks. A complete theme has none, so that no page loads them. */
  readonly fallback?: () => Pick<Registry, 'widgets' | 'templates'>;
  /** rjsf's templates and fields, in the place of the engine's own: `rjsfTheme` gives those of a theme of rjsf. */
  readonly templates?: Partial<Omit<TemplatesType, 'ButtonTemplates'>>;
  readonly fields?: RegistryFieldsType;
  /** Says that an operation runs. */
  readonly Busy: ComponentType<{ readonly text: string; readonly small?: boolean }>;
}

/** rjsf's own controls, in plain HTML. */
export const plainTheme: Theme = {
  widgets: {},
  fallback: getDefaultRegistry,
  selfLabelled: new Set(['checkbox', 'hidden']),
  Busy: ({ text }) => text,
};
