import type { RegistryFieldsType, TemplatesType } from '@rjsf/utils';
import type { ComponentType } from 'react';
import type { Widget } from './widget.ts';

/** The controls that a portal draws its forms with. What a theme has not is drawn by rjsf's own, in plain HTML. */
export interface Theme {
  /** By their name in `ui:widget`, or by rjsf's (`TextWidget`, …). */
  readonly widgets: Readonly<Record<string, Widget>>;
  /** Names of `ui:widget` whose widgets draw the label of their field. */
  readonly selfLabelled: ReadonlySet<string>;
  /** rjsf's templates and fields, in the place of the engine's own: `rjsfTheme` gives those of a theme of rjsf. */
  readonly templates?: Partial<Omit<TemplatesType, 'ButtonTemplates'>>;
  readonly fields?: RegistryFieldsType;
  /** Says that an operation runs. */
  readonly Busy: ComponentType<{ readonly text: string; readonly small?: boolean }>;
}

/** rjsf's own controls, in plain HTML. */
export const plainTheme: Theme = {
  widgets: {},
  selfLabelled: new Set(['checkbox', 'hidden']),
  Busy: ({ text }) => text,
};
