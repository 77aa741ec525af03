import getDefaultRegistry from '@rjsf/core/lib/getDefaultRegistry.js';
import {
  TranslatableString,
  type IconButtonProps,
  type Registry,
  type RegistryFieldsType,
  type TemplatesType,
} from '@rjsf/utils';
import { createElement, type ButtonHTMLAttributes, type ComponentType, type ReactNode } from 'react';
import type { ProgressBar } from '../runtime/journey-steps.ts';
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

/** Step bar of a flow with `progress`. The element with this `id` names the current step: it describes the heading of the screen. */
export interface StepBarProps {
  readonly bar: ProgressBar;
  readonly id: string;
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
  /** Step bar component. Defaults to a list of links with the engine's classes. */
  readonly StepBar?: ComponentType<StepBarProps>;
  readonly Busy: ComponentType<{ readonly text: string; readonly small?: boolean }>;
}

// Has a text instead of rjsf's icon, whose font the page does not load.
function RemoveButton({ registry, onClick }: IconButtonProps): ReactNode {
  const text = registry.translateString(TranslatableString.RemoveButton);
  return createElement('button', { type: 'button', className: 'link-button', onClick }, text);
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
      templates: { ...templates, ButtonTemplates: { ...templates.ButtonTemplates, RemoveButton } },
    };
  },
  selfLabelled: new Set(['checkbox', 'hidden']),
  Busy: ({ text }) => text,
};
