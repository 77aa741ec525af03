import type { BuiltInWidget } from '../core/built-in-widgets.ts';
import type { Theme } from '../react/theme.ts';
import type { Widget } from '../react/widget.ts';
import { LabelledSpinner } from './labelled-spinner.tsx';
import { CheckboxesWidget, CheckboxWidget, RadioWidget, SelectWidget } from './choice-widgets.tsx';
import { HiddenWidget, NumberWidget, TemporalInput, TextareaWidget, createTextWidget } from './text-widgets.tsx';

export const fluentTheme: Theme = {
  widgets: {
    text: createTextWidget('text'),
    email: createTextWidget('email'),
    tel: createTextWidget('tel'),
    textarea: TextareaWidget,
    date: TemporalInput,
    'date-time': TemporalInput,
    number: NumberWidget,
    checkbox: CheckboxWidget,
    select: SelectWidget,
    radio: RadioWidget,
    checkboxes: CheckboxesWidget,
    hidden: HiddenWidget,
  } satisfies Record<BuiltInWidget, Widget>,
  selfLabelled: new Set<BuiltInWidget>(['checkbox', 'radio', 'checkboxes', 'hidden']),
  Busy: LabelledSpinner,
};
