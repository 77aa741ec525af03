import getDefaultRegistry from '@rjsf/core/lib/getDefaultRegistry.js';
import type { Registry, RegistryFieldsType, TemplatesType } from '@rjsf/utils';
import type { ButtonHTMLAttributes, ComponentType, ReactNode } from 'react';
import { withAccessibleGroupName } from './with-accessible-group-name.tsx';
import type { Widget } from './widget.ts';

/** Button of a screen or of a list. Spread `attributes` on the native button. */
export interface ButtonProps {
  readonly text: string;
  readonly primary: boolean;
  readonly attributes: ButtonHTMLAttributes<HTMLButtonElement>;
}

/** Frame of a list, around its items and buttons. No other element of the page has this `id`. */
export interface ListFrameProps {
  readonly id: string;
  readonly title: string;
  readonly required: boolean;
  readonly registry: Registry;
  readonly children: ReactNode;
}

export interface Theme {
  /** Widgets by their name in `ui:widget`, or by rjsf's name (`TextWidget`, …). */
  readonly widgets: Readonly<Record<string, Widget>>;
  /** Names in `ui:widget` of widgets that render the label of their field. */
  readonly selfLabelled: ReadonlySet<string>;
  /** Returns widgets and templates for those that the theme lacks. A complete theme omits this function, so that pages do not load rjsf's widgets. */
  readonly fallback?: () => Pick<Registry, 'widgets' | 'templates'>;
  /** Templates and fields of rjsf that replace the engine's own. `rjsfTheme` takes them from an rjsf theme. */
  readonly templates?: Partial<Omit<TemplatesType, 'ButtonTemplates'>>;
  readonly fields?: RegistryFieldsType;
  /** Button component. Defaults to a native button with the engine's classes. */
  readonly Button?: ComponentType<ButtonProps>;
  /** List frame component. Defaults to a fieldset with the engine's classes. */
  readonly ListFrame?: ComponentType<ListFrameProps>;
  readonly Busy: ComponentType<{ readonly text: string; readonly small?: boolean }>;
}

export const plainTheme: Theme = {
  widgets: {},
  fallback: () => {
    const { widgets, templates } = getDefaultRegistry();
    // cast: rjsf types the form context of its widgets as `any`
    const { RadioWidget, CheckboxesWidget } = widgets as unknown as Readonly<Record<string, Widget>>;
    return {
      widgets: {
        ...widgets,
        ...(RadioWidget && { RadioWidget: withAccessibleGroupName(RadioWidget) }),
        ...(CheckboxesWidget && { CheckboxesWidget: withAccessibleGroupName(CheckboxesWidget) }),
      } as Registry['widgets'],
      templates,
    };
  },
  selfLabelled: new Set(['checkbox', 'hidden']),
  Busy: ({ text }) => text,
};
