import type { OwnWidget } from '../core/widgets.ts';
import type { Theme } from '../react/theme.ts';
import type { Widget } from '../react/widget.ts';
import { Busy } from './busy.tsx';
import { CheckboxesWidget, CheckboxWidget, RadioWidget, SelectWidget } from './choice-widgets.tsx';
import { MomentWidget } from './moment-widget.tsx';
import { HiddenWidget, NumberWidget, TextareaWidget, textWidget } from './text-widgets.tsx';

/** Theme with the inputs of Fluent UI. Choices and hidden values are native controls. */
export const fluentTheme: Theme = {
  widgets: {
    text: textWidget('text'),
    email: textWidget('email'),
    tel: textWidget('tel'),
    textarea: TextareaWidget,
    date: MomentWidget,
    'date-time': MomentWidget,
    number: NumberWidget,
    checkbox: CheckboxWidget,
    select: SelectWidget,
    radio: RadioWidget,
    checkboxes: CheckboxesWidget,
    hidden: HiddenWidget,
  } satisfies Record<OwnWidget, Widget>,
  selfLabelled: new Set<OwnWidget>(['checkbox', 'radio', 'checkboxes', 'hidden']),
  Busy,
};
