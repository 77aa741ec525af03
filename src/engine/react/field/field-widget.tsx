import { errorId, helpId, optionsList, type RJSFSchema, type UiSchema } from '@rjsf/utils';
import { compareStructural, computed, reaction } from 'mobx';
import { Component, useContext, useMemo, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import { isObject, type Values } from '../../core/json.ts';
import { fill, unbroken } from '../../core/messages.ts';
import { exactNumber, readNumber } from '../../core/values/numbers.ts';
import { uiText } from '../../core/ui.ts';
import type { FieldModel } from '../../runtime/form/field-model.ts';
import { useEngine, type EngineServices } from '../engine-context.ts';
import { FormContext, nameIn, type FormParts } from './form-context.ts';
import { MissingWidget } from './missing-widget.tsx';
import { SourcedWidget } from './sourced-widget.tsx';
import type { Widget, WidgetContext, WidgetProps } from '../widget.ts';

/** A widget in rjsf's registry. `MergedWidget` prevents rjsf from wrapping it in another component. */
type BoundWidget = ((props: WidgetProps) => ReactNode) & { MergedWidget?: ComponentType<WidgetProps> };

const bound = new WeakMap<Widget, BoundWidget>();

/**
 * Binds a widget to the field that it is drawn for. Value, message and input are those of the draft instead of rjsf's form data. A change re-renders
 * only this widget. `observer` cannot be used, because rjsf does not accept its result, an object.
 */
export function boundWidget(Widget: Widget): Widget {
  const known = bound.get(Widget);
  if (known) return known;
  const draw = drawnWith(Widget);
  const widget: BoundWidget = function BoundWidget(props) {
    const form = useContext(FormContext);
    const engine = useEngine();
    const field = form?.draft.field(nameIn(form, props.htmlName ?? props.name));
    if (!form || !field) throw new Error(`The form has no field ${props.name}.`);
    const fixed = useMemo(() => fixedProps(Widget, form, field, engine, props), [form, field, engine, props]);
    const { value, error, choices, required } = useShown(field);
    const { id } = props;
    const describedBy = [fixed.help ? helpId(id) : '', error === null ? '' : errorId(id)].filter(Boolean).join(' ');
    const { source } = props.options;
    const shown = {
      ...fixed.props,
      ...(choices && { options: offered(fixed.props.options, choices) }),
      value: value ?? fixed.empty,
      required,
      rawErrors: error === null ? undefined : [error],
      'aria-invalid': error !== null,
      'aria-describedby': describedBy || undefined,
    };
    return typeof source === 'string' && Widget !== MissingWidget ? (
      <SourcedWidget Widget={Widget} props={shown} operation={source} />
    ) : (
      draw(shown)
    );
  };
  widget.MergedWidget = widget;
  bound.set(Widget, widget);
  return widget;
}

// Function components are called directly, which saves one component per field. Their hooks are safe, because the bound widget always calls them.
function drawnWith(Widget: Widget): (props: WidgetProps) => ReactNode {
  const isClass = typeof Widget === 'function' && Widget.prototype instanceof Component;
  return typeof Widget === 'function' && !isClass
    ? (Widget as (props: WidgetProps) => ReactNode) // what is left is a function component
    : (props) => <Widget {...props} />;
}

interface FieldView {
  /** Raw input, so that a control is not rewritten while the user types. */
  readonly value: unknown;
  readonly error: string | null;
  readonly choices: readonly unknown[] | null;
  readonly required: boolean;
}

function useShown(field: FieldModel): FieldView {
  const { read, subscribe } = useMemo(() => {
    const shown = computed(
      (): FieldView => {
        const { typed: value, error, choices, required } = field;
        return { value, error, choices, required };
      },
      { equals: compareStructural, keepAlive: true },
    );
    const read = () => shown.get();
    return { read, subscribe: (listener: () => void) => reaction(read, listener) };
  }, [field]);
  return useSyncExternalStore(subscribe, read, read);
}

function fixedProps(
  Widget: Widget,
  { draft }: FormParts,
  field: FieldModel,
  { load, now }: EngineServices,
  props: WidgetProps,
) {
  const { ui, texts, language } = draft.validator.screen;
  const { name, schema, plugin } = field.spec;
  const own: Values = (plugin === undefined ? undefined : texts[plugin]) ?? {};
  const formContext: WidgetContext = {
    field,
    form: draft,
    load,
    now,
    t: (key, values = {}) => fill(String(own[key] ?? key), values),
  };
  const { defaultProps } = Widget as { readonly defaultProps?: Partial<WidgetProps> }; // rjsf's widgets define default options here
  return {
    help: uiText(ui, name, 'ui:help') !== undefined,
    empty: schema.type === 'array' ? [] : undefined, // as in rjsf
    props: {
      ...props,
      label: unbroken(uiText(ui, name, 'ui:title') ?? name),
      options: { enumOptions: findItemChoices(props), ...defaultProps?.options, ...props.options },
      registry: { ...props.registry, formContext },
      onChange: (value: unknown) => field.set(typeof value === 'string' ? typedValue(value, props, language) : value),
      onBlur: () => field.blur(),
      onFocus: () => undefined,
    },
  };
}

/** Converts typed text to the value to store. Text that is not a number stays unchanged, so that validation refuses it. */
function typedValue(text: string, { id, schema: { type } }: WidgetProps, language: string): string | number {
  if (type !== 'number' && type !== 'integer') return text;
  const control = document.getElementById(id);
  // These controls return plain digits with a decimal point, however they display the number.
  if (control instanceof HTMLInputElement && ['number', 'range'].includes(control.type))
    return exactNumber(text) ?? text;
  return readNumber(text, language, type === 'integer').value ?? text;
}

function offered(options: WidgetProps['options'], choices: readonly unknown[]): WidgetProps['options'] {
  return { ...options, enumOptions: options.enumOptions?.filter(({ value }) => choices.includes(value)) };
}

// rjsf passes the choices in `items` only to its default widget for arrays, not to one named in `ui:widget`.
function findItemChoices({ schema, uiSchema }: WidgetProps): WidgetProps['options']['enumOptions'] {
  return isObject(schema.items) ? optionsList(schema.items as RJSFSchema, uiSchema as UiSchema) : undefined; // an object is a schema
}
