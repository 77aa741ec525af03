import { observer } from 'mobx-react-lite';
import { useContext, useMemo, type ComponentType } from 'react';
import type { LinkText } from '../core/definition.ts';
import type { JsonObject } from '../core/json.ts';
import { copyKeyword, faultMessage, fill } from '../core/messages.ts';
import { linksOfField, uiOf, uiOptions, uiText } from '../core/ui.ts';
import { CopyGuard } from './copy-guard.tsx';
import { useEngine } from './engine-context.ts';
import { FormContext, type FormParts } from './form-context.ts';
import { NewTabLink } from './new-tab-link.tsx';
import { defaultWidget, selfLabelled, widgetsByName } from './own-widgets.tsx';
import type { FieldState } from '../runtime/field-state.ts';
import type { WidgetProps } from './widget.ts';

/** What stays the same of a field while its form is open. */
interface FieldParts {
  readonly Widget: ComponentType<WidgetProps>;
  readonly label: string;
  readonly labelled: boolean;
  readonly help: string | undefined;
  readonly optional: boolean;
  readonly links: readonly LinkText[];
  /** What is said to who copies; null where that is free. */
  readonly copyText: string | null;
  readonly fixed: Pick<WidgetProps, 'options' | 'schema' | 'text' | 'load' | 'form' | 'field' | 'label'>;
  readonly attributes: Pick<
    WidgetProps['control'],
    'id' | 'name' | 'required' | 'aria-required' | 'autoComplete' | 'placeholder' | 'readOnly' | 'disabled'
  >;
}

/** One field: label, hint, control and message. It is drawn again only when its message or its visibility changes. */
export const FieldFrame = observer(function FieldFrame({ slot }: { slot: FieldState }) {
  const form = useContext(FormContext);
  const engine = useEngine();
  const parts = useMemo(() => form && partsOf(form, slot, engine.load), [form, slot, engine]);
  if (!parts || !slot.visible) return null;
  const { Widget, label, labelled, help, optional, links, copyText, fixed, attributes } = parts;
  const { error } = slot;
  const { id } = attributes;
  const describedBy = [help ? `${id}-help` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined;
  const control = { ...attributes, 'aria-invalid': error !== null, 'aria-describedby': describedBy };
  return (
    <div
      className="form-field"
      data-field={slot.name}
      data-width={fixed.options.width as string | undefined} // ui.json passed its format
      data-invalid={error !== null || undefined}
    >
      {labelled && (
        <label htmlFor={id} className="form-label">
          {label}
          {optional && <span className="form-optional"> {engine.text('optional')}</span>}
        </label>
      )}
      {help && (
        <p id={`${id}-help`} className="form-help">
          {help}
        </p>
      )}
      {copyText === null ? (
        <Widget {...fixed} control={control} />
      ) : (
        <CopyGuard text={copyText}>
          <Widget {...fixed} control={control} />
        </CopyGuard>
      )}
      {links.length > 0 && (
        <ul className="form-links">
          {links.map(({ to = '/', text }) => (
            <li key={to}>
              <NewTabLink to={to}>{text}</NewTabLink>
            </li>
          ))}
        </ul>
      )}
      {error !== null && (
        <p id={`${id}-error`} className="form-error" role={slot.quiet ? undefined : 'alert'}>
          {error}
        </p>
      )}
    </div>
  );
});

function partsOf({ draft, widgets }: FormParts, slot: FieldState, load: WidgetProps['load']): FieldParts {
  const { screen } = draft.validator;
  const { name, schema, plugin, required } = slot.plan;
  const ui = uiOf(screen.ui, name);
  const kind = uiText(screen.ui, name, 'ui:widget') ?? defaultWidget(schema);
  const labels = ui['ui:enumNames'];
  const options: JsonObject = {
    ...uiOptions(screen.ui, name, draft.context),
    ...(labels === undefined ? {} : { labels }),
  };
  const texts = (plugin === undefined ? undefined : screen.texts[plugin]) ?? {};
  const Widget = (plugin === undefined ? widgetsByName[kind] : widgets[plugin]) ?? UnknownWidget;
  const label = uiText(screen.ui, name, 'ui:title') ?? name;
  return {
    Widget,
    label,
    labelled: !selfLabelled.has(kind) && options.labelled !== 'self',
    help: uiText(screen.ui, name, 'ui:help'),
    optional: !required && !selfLabelled.has(kind) && ui['ui:readonly'] !== true,
    links: linksOfField(ui),
    copyText: options.copy === false ? faultMessage(screen, name, { keyword: copyKeyword }) : null,
    fixed: {
      options,
      schema,
      load,
      form: draft,
      field: slot,
      label,
      text: (key, values = {}) => fill(texts[key] ?? key, values),
    },
    attributes: {
      id: `field-${name}`,
      name,
      required: false,
      'aria-required': required,
      autoComplete: uiText(screen.ui, name, 'ui:autocomplete'),
      placeholder: uiText(screen.ui, name, 'ui:placeholder'),
      readOnly: ui['ui:readonly'] === true,
      disabled: ui['ui:disabled'] === true,
    },
  };
}

// The compiler refuses an unknown widget; one that failed to load must still not break the form.
function UnknownWidget({ control, label }: WidgetProps) {
  const engine = useEngine();
  return (
    <p id={control.id} role="alert">
      {label}: {engine.text('failed')}
    </p>
  );
}
