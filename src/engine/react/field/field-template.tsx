import { errorId, helpId, type FieldTemplateProps } from '@rjsf/utils';
import { observer } from 'mobx-react-lite';
import { useContext, useMemo, useState, type ReactElement, type ReactNode, type SyntheticEvent } from 'react';
import type { LinkText } from '../../core/definition.ts';
import { copyKeyword, faultMessage, unbroken } from '../../core/messages.ts';
import { listFieldLinks, readFieldUi, uiOptions, uiText } from '../../core/ui.ts';
import type { FieldModel } from '../../runtime/form/field-model.ts';
import { defaultWidget } from '../../core/widgets.ts';
import { useEngine } from '../engine-context.ts';
import { FormContext, nameIn, type FormParts } from './form-context.ts';

/** rjsf's template around a field. It adds nothing to the root object and to lists, which draw their own frame. */
export function FieldTemplate({ id, fieldPathId, children }: FieldTemplateProps) {
  const form = useContext(FormContext);
  const name = fieldPathId.path.join('.');
  const field = form?.draft.field(nameIn(form, name));
  if (!form || !field || field.spec.item) return children;
  return (
    <FieldFrame id={id} name={name} form={form} field={field}>
      {children}
    </FieldFrame>
  );
}

interface FrameParts {
  readonly label: string;
  readonly labelled: boolean;
  readonly help: string | undefined;
  /** Whether the field may stay empty while no condition requires it. */
  readonly optional: boolean;
  readonly width: string | undefined;
  readonly links: readonly LinkText[];
  /** Message after an attempt to copy. `null` if copying is allowed. */
  readonly copyText: string | null;
}

interface FrameProps {
  readonly id: string;
  /** Full name, including the list item. */
  readonly name: string;
  readonly form: FormParts;
  readonly field: FieldModel;
  readonly children: ReactNode;
}

/** One field: label, hint, control and message. Re-renders only if its message, its visibility or `required` changes. */
const FieldFrame = observer(function FieldFrame({ id, name, form, field, children }: FrameProps) {
  const engine = useEngine();
  const parts = useMemo(() => createFrameParts(form, field), [form, field]);
  const { label, labelled, help, width } = parts;
  if (!field.visible) return null;
  const optional = parts.optional && !field.required;
  const { error } = field;
  return (
    <div className="form-field" data-field={name} data-width={width} data-invalid={error !== null || undefined}>
      {labelled && (
        <label htmlFor={id} className="form-label">
          {label}
          {optional && <span className="form-optional"> {engine.t('optional')}</span>}
        </label>
      )}
      {help && (
        <p id={helpId(id)} className="form-help">
          {unbroken(help)}
        </p>
      )}
      {renderControl(parts, children)}
      {error !== null && (
        <p id={errorId(id)} className="form-error" role={field.quiet ? undefined : 'alert'}>
          {unbroken(error)}
        </p>
      )}
    </div>
  );
});

/** Renders the control of a field with the parts that are the same in every theme: links, and the guard against copying. */
export function renderControl({ links, copyText }: FrameParts, control: ReactNode): ReactElement {
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

export function createFrameParts({ draft, theme }: FormParts, field: FieldModel): FrameParts {
  const { screen } = draft.validator;
  const { name, schema, required, requiredWith, computed } = field.spec;
  const ui = readFieldUi(screen.ui, name);
  const options = uiOptions(screen.ui, name, draft.context);
  const widget = uiText(screen.ui, name, 'ui:widget') ?? defaultWidget(schema);
  const selfLabelled = computed === undefined && theme.selfLabelled.has(widget);
  return {
    label: unbroken(uiText(screen.ui, name, 'ui:title') ?? name),
    labelled: !selfLabelled && options.labelled !== 'self',
    help: uiText(screen.ui, name, 'ui:help'),
    optional:
      !required && requiredWith === undefined && computed === undefined && !selfLabelled && ui['ui:readonly'] !== true,
    width: options.width as string | undefined, // the compiler has validated ui.json
    links: listFieldLinks(ui),
    copyText: options.copy === false ? faultMessage(screen, name, { keyword: copyKeyword }) : null,
  };
}

/** A control that allows typing and pasting, but prevents copying, cutting and dragging, and says so until it is left. */
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

/** A link that opens a new tab and says so in its text. */
export function NewTabLink({ to, children }: { to: string; children: ReactNode }) {
  const engine = useEngine();
  return (
    <a href={to} target="_blank" rel="noopener noreferrer">
      {children} {engine.t('newTab')}
    </a>
  );
}
