import { errorId, helpId, type FieldTemplateProps, optionsList, type RJSFSchema, type UiSchema } from '@rjsf/utils';
import { observer } from 'mobx-react-lite';
import { useCallback, useContext, useMemo, useState } from 'react';
import type { ReactElement, ReactNode, SyntheticEvent } from 'react';
import type { ScreenLinkUi } from '../../core/flow-and-screen-types.ts';
import {
  noCopyMessageKey,
  formatFieldFault,
  fillPlaceholders,
  preventLineBreaks,
  preventLineBreaksInProse,
} from '../../core/messages.ts';
import { listFieldLinks, readFieldUi, evaluateUiOptions, findFieldUiText } from '../../core/screen-ui-queries.ts';
import type { FieldModel } from '../../runtime/form/field-model.ts';
import { selectDefaultWidget } from '../../core/built-in-widgets.ts';
import { useEngine, type EngineServices } from '../engine-context.ts';
import { FormContext, toLocalFieldName, type FormContextValue } from './form-context.ts';
import { isObject, type ValuesByName } from '../../core/json.ts';
import { parseExactNumber, isNumericSchema, parseNumericInput } from '../../core/values/numbers.ts';
import { useComputed } from './use-field.ts';
import { AsyncCheckedField } from './async-checked-field.tsx';
import { MissingWidget } from './missing-widget.tsx';
import { OperationChoicesWidget } from './operation-choices-widget.tsx';
import type { Widget, WidgetContext, WidgetProps } from '../widget.ts';

/** Widget in rjsf's registry. rjsf reads default options from `defaultProps`. */
type BoundWidget = ((props: WidgetProps) => ReactNode) & { defaultProps?: Partial<WidgetProps> | undefined };

const boundWidgets = new WeakMap<Widget, BoundWidget>();

/** Binds a widget to its field in the form model, so that a change re-renders only it. rjsf rejects the object that `observer` returns. */
export function bindWidget(Widget: Widget): Widget {
  const known = boundWidgets.get(Widget);
  if (known) return known;
  const widget: BoundWidget = function BoundWidget(props) {
    const parts = useContext(FormContext);
    const engine = useEngine();
    const field = parts?.form.field(toLocalFieldName(parts, props.htmlName ?? props.name));
    if (!parts || !field) throw new Error(`The form has no field ${props.name}.`);
    const fixed = useMemo(() => createFixedProps(parts, field, engine, props), [parts, field, engine, props]);
    const { value, error, choices, required } = useFieldState(field);
    const { id } = props;
    const describedBy = [fixed.help ? helpId(id) : '', error === null ? '' : errorId(id)].filter(Boolean).join(' ');
    const { source, check } = props.options;
    const shown = {
      ...fixed.props,
      ...(choices && { options: filterChoices(fixed.props.options, choices) }),
      value: value ?? fixed.empty,
      required,
      rawErrors: error === null ? undefined : [error],
      'aria-invalid': error !== null,
      'aria-describedby': describedBy || undefined,
    };
    const control =
      typeof source === 'string' && Widget !== MissingWidget ? (
        <OperationChoicesWidget Widget={Widget} props={shown} operation={source} />
      ) : (
        <Widget {...shown} />
      );
    return typeof check === 'string' ? (
      <>
        {control}
        <AsyncCheckedField field={field} operation={check} />
      </>
    ) : (
      control
    );
  };
  widget.defaultProps = (Widget as BoundWidget).defaultProps;
  boundWidgets.set(Widget, widget);
  return widget;
}

function useFieldState(field: FieldModel) {
  const read = useCallback(() => {
    const { typed: value, error, choices, required } = field; // the raw input, because a cleaned value would change while the user types
    return { value, error, choices, required };
  }, [field]);
  return useComputed(read);
}

function createFixedProps(
  { form }: FormContextValue,
  field: FieldModel,
  { load, now }: EngineServices,
  props: WidgetProps,
) {
  const { ui, texts, language } = form.validator.screen;
  const { name, schema, plugin } = field.spec;
  const own: ValuesByName = (plugin === undefined ? undefined : texts[plugin]) ?? {};
  const formContext: WidgetContext = {
    field,
    form,
    load,
    now,
    t: (key, values = {}) => fillPlaceholders(String(own[key] ?? key), values),
  };
  return {
    help: findFieldUiText(ui, name, 'ui:help') !== undefined,
    empty: schema.type === 'array' ? [] : undefined, // rjsf too uses an empty list for an array without a value
    props: {
      ...props,
      label: preventLineBreaks(findFieldUiText(ui, name, 'ui:title') ?? name),
      options: { enumOptions: findItemChoices(props), ...props.options },
      registry: { ...props.registry, formContext },
      // called by rjsf's own widgets, while the engine's widgets call `field.set`
      onChange: (value: unknown) => field.set(typeof value === 'string' ? parseTyped(value, props, language) : value),
      onBlur: () => field.blur(),
      onFocus: () => undefined,
    },
  };
}

function parseTyped(text: string, { id, schema }: WidgetProps, language: string): string | number {
  const control = isNumericSchema(schema) && document.getElementById(id);
  // number and range controls return plain digits with a decimal point, regardless of the displayed format
  if (control instanceof HTMLInputElement && ['number', 'range'].includes(control.type))
    return parseExactNumber(text) ?? text;
  return parseNumericInput(text, schema, language);
}

function filterChoices(options: WidgetProps['options'], choices: readonly unknown[]): WidgetProps['options'] {
  return { ...options, enumOptions: options.enumOptions?.filter(({ value }) => choices.includes(value)) };
}

// rjsf passes the choices in `items` only to its default widget for arrays, not to a widget named in `ui:widget`.
function findItemChoices({ schema, uiSchema }: WidgetProps): WidgetProps['options']['enumOptions'] {
  // cast: JSON objects in `items` are schemas, but their types are not related
  return isObject(schema.items) ? optionsList(schema.items as RJSFSchema, uiSchema as UiSchema) : undefined;
}

/** rjsf's template around a field. Renders no frame for the root object and for lists, which have their own frame. */
export function FieldTemplate({ id, fieldPathId, children }: FieldTemplateProps) {
  const parts = useContext(FormContext);
  const name = fieldPathId.path.join('.');
  const field = parts?.form.field(toLocalFieldName(parts, name));
  if (!parts || !field || field.spec.item) return children;
  return (
    <FieldFrame id={id} name={name} parts={parts} field={field}>
      {children}
    </FieldFrame>
  );
}

interface FrameParts {
  readonly label: string;
  readonly labelled: boolean;
  readonly help: string | undefined;
  /** Whether the field is optional unless a condition requires it. */
  readonly optional: boolean;
  readonly width: string | undefined;
  readonly links: readonly ScreenLinkUi[];
  /** Message after an attempt to copy. `null` if copying is allowed. */
  readonly copyText: string | null;
}

interface FrameProps {
  readonly id: string;
  /** Full name of the field, including the list item. */
  readonly name: string;
  readonly parts: FormContextValue;
  readonly field: FieldModel;
  readonly children: ReactNode;
}

const FieldFrame = observer(function FieldFrame({ id, name, parts, field, children }: FrameProps) {
  const engine = useEngine();
  const frame = useMemo(() => resolveFieldFrame(parts, field), [parts, field]);
  const { label, labelled, help, width } = frame;
  if (!field.visible) return null;
  const optional = frame.optional && !field.required;
  const { error } = field;
  return (
    <div className="form-field" data-field={name} data-width={width} data-invalid={error !== null || undefined}>
      {labelled && (
        <label htmlFor={id} className="form-label">
          {label}
          {optional && <span className="form-optional"> {engine.t('optional')}</span>}
        </label>
      )}
      {renderFieldHelp(helpId(id), help)}
      {renderFieldControl(frame, children)}
      {renderFieldError(errorId(id), field)}
    </div>
  );
});

export function renderFieldHelp(id: string, help: string | undefined): ReactNode {
  return help ? (
    <p id={id} className="form-help">
      {preventLineBreaksInProse(help)}
    </p>
  ) : null;
}

/** Renders the message of a field. Call it inside `observer()`. */
export function renderFieldError(id: string, { error, quiet }: FieldModel): ReactNode {
  return (
    error !== null && (
      <p id={id} className="form-error" role={quiet ? undefined : 'alert'}>
        {preventLineBreaksInProse(error)}
      </p>
    )
  );
}

export function renderFieldControl({ links, copyText }: FrameParts, control: ReactNode): ReactElement {
  return (
    <>
      {copyText === null ? control : <CopyGuard text={copyText}>{control}</CopyGuard>}
      {links.length > 0 && (
        <ul className="form-links">
          {links.map(({ to = '/', text }) => (
            <li key={to}>
              <NewTabLink to={to}>{text}</NewTabLink>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export function resolveFieldFrame({ form, theme }: FormContextValue, field: FieldModel): FrameParts {
  const { screen } = form.validator;
  const { name, schema, required, requiredWith, computed } = field.spec;
  const ui = readFieldUi(screen.ui, name);
  const options = evaluateUiOptions(screen.ui, name, form.context);
  const widget = findFieldUiText(screen.ui, name, 'ui:widget') ?? selectDefaultWidget(schema);
  const selfLabelled = computed === undefined && theme.selfLabelled.has(widget);
  return {
    label: preventLineBreaks(findFieldUiText(screen.ui, name, 'ui:title') ?? name),
    labelled: !selfLabelled && options.labelled !== 'self',
    help: findFieldUiText(screen.ui, name, 'ui:help'),
    optional:
      !required && requiredWith === undefined && computed === undefined && !selfLabelled && ui['ui:readonly'] !== true,
    width: options.width as string | undefined, // ui.json has no static type; the compiler validates it
    links: listFieldLinks(ui),
    copyText: options.copy === false ? formatFieldFault(screen, name, { keyword: noCopyMessageKey }) : null,
  };
}

/** Control that allows typing and pasting, but not copying, cutting and dragging. An attempt shows a message until the control loses the focus. */
function CopyGuard({ text, children }: { text: string; children: ReactNode }) {
  const [times, setTimes] = useState(0);
  const refuse = (event: SyntheticEvent) => {
    event.preventDefault();
    setTimes(times + 1);
  };
  return (
    <div onCopy={refuse} onCut={refuse} onDragStart={refuse} onBlur={() => setTimes(0)}>
      {children}
      <p role="status" className="form-help">
        {times > 0 && <span key={times}>{text}</span>}
      </p>
    </div>
  );
}

export function NewTabLink({ to, children }: { to: string; children: ReactNode }) {
  const engine = useEngine();
  return (
    <a className="outside" href={to} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="visually-hidden"> {engine.t('newTab')}</span>
    </a>
  );
}
