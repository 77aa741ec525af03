import type { ThemeProps } from '@rjsf/core';
import {
  helpId,
  type ArrayFieldTemplateProps,
  type FieldTemplateProps,
  type ObjectFieldTemplateProps,
  type SubmitButtonProps,
} from '@rjsf/utils';
import { computed } from 'mobx';
import { observer } from 'mobx-react-lite';
import { Fragment, useContext, useMemo, type ComponentType, type ReactNode } from 'react';
import type { ScreenSection } from '../../core/flow-and-screen-types.ts';
import { findFieldUiText } from '../../core/screen-ui-queries.ts';
import type { FieldModel } from '../../runtime/form/field-model.ts';
import { plainTheme, type ButtonProps, type ListFrameProps, type Theme } from '../theme.ts';
import type { Widget } from '../widget.ts';
import { renderFieldControl, resolveFieldFrame } from './field-template.tsx';
import { FieldGroup, isMatrixField } from './form-section.tsx';
import { FormContext, toLocalFieldName, type FormContextValue } from './form-context.ts';

/**
 * Converts an rjsf theme to an engine theme with its templates, fields and widgets. Visibility and messages still come from the form model.
 * `ObjectFieldTemplate` renders sections and objects, `ArrayFieldTemplate` the frames of lists, and `SubmitButton` all buttons, because it is the
 * only button template with a text. The engine's templates replace missing templates.
 */
export function rjsfTheme({ templates = {}, fields = {}, widgets = {} }: ThemeProps): Theme {
  const { FieldTemplate, ObjectFieldTemplate, ArrayFieldTemplate, ...others } = templates; // rjsf's types also allow values that are not components
  return {
    ...plainTheme,
    widgets: widgets as Readonly<Record<string, Widget>>, // cast: rjsf types the form context of its widgets as `any`
    fields,
    ...(templates.ButtonTemplates?.SubmitButton && { Button: textButton(templates.ButtonTemplates.SubmitButton) }),
    ...(ArrayFieldTemplate && { ListFrame: listFrame(ArrayFieldTemplate as ComponentType<ArrayFieldTemplateProps>) }),
    templates: {
      ...others,
      ...(FieldTemplate && { FieldTemplate: bindFieldTemplate(FieldTemplate as ComponentType<FieldTemplateProps>) }),
      ...(ObjectFieldTemplate && {
        ObjectFieldTemplate: bindObjectTemplate(ObjectFieldTemplate as ComponentType<ObjectFieldTemplateProps>),
      }),
    },
  };
}

function textButton(SubmitButton: ComponentType<SubmitButtonProps>): ComponentType<ButtonProps> {
  return function TextButton({ text: submitText, attributes: { className: _, ...props } }) {
    const registry = {} as SubmitButtonProps['registry']; // cast: a screen without fields has no form whose registry could be passed
    return <SubmitButton registry={registry} uiSchema={{ 'ui:submitButtonOptions': { submitText, props } }} />;
  };
}

function listFrame(Template: ComponentType<ArrayFieldTemplateProps>): ComponentType<ListFrameProps> {
  return function ListFrame({ id, title, required, registry, children }) {
    const fieldPathId = { $id: id, path: [] };
    const own = { schema: { type: 'array' }, uiSchema: {}, className: '', fieldPathId } as const;
    const items = [<Fragment key="content">{children}</Fragment>];
    return <Template {...own} {...{ title, required, registry, items }} canAdd={false} onAddClick={nothing} />;
  };
}

const nothing = () => undefined;

function bindFieldTemplate(Template: ComponentType<FieldTemplateProps>): ComponentType<FieldTemplateProps> {
  return function BoundField(props) {
    const parts = useContext(FormContext);
    const name = props.fieldPathId.path.join('.');
    const field = parts?.form.field(toLocalFieldName(parts, name));
    if (!parts || !field || field.spec.item) return props.children;
    return <Frame Template={Template} name={name} parts={parts} field={field} props={props} />;
  };
}

interface FrameProps {
  readonly Template: ComponentType<FieldTemplateProps>;
  readonly name: string;
  readonly parts: FormContextValue;
  readonly field: FieldModel;
  readonly props: FieldTemplateProps;
}

const Frame = observer(function Frame({ Template, name, parts, field, props }: FrameProps) {
  const frame = useMemo(() => resolveFieldFrame(parts, field), [parts, field]);
  if (!field.visible) return null;
  const { registry, schema, uiSchema, fieldPathId, id } = props;
  const { FieldErrorTemplate, FieldHelpTemplate } = registry.templates;
  const shared = { registry, schema, uiSchema, fieldPathId };
  const { error } = field;
  return (
    <div data-field={name} data-width={frame.width} data-invalid={error !== null || undefined}>
      <Template
        {...props}
        required={field.required}
        label={frame.label}
        displayLabel={props.displayLabel && frame.labelled}
        rawErrors={error === null ? [] : [error]}
        errors={
          error === null ? undefined : (
            <div role={field.quiet ? undefined : 'alert'}>
              <FieldErrorTemplate {...shared} errors={[error]} />
            </div>
          )
        }
        help={
          frame.help === undefined ? undefined : (
            <div id={helpId(id)}>
              <FieldHelpTemplate {...shared} help={frame.help} hasErrors={error !== null} />
            </div>
          )
        }
      >
        {renderFieldControl(frame, props.children)}
      </Template>
    </div>
  );
});

function bindObjectTemplate(
  Template: ComponentType<ObjectFieldTemplateProps>,
): ComponentType<ObjectFieldTemplateProps> {
  return function BoundObject(props) {
    const parts = useContext(FormContext);
    const group = props.fieldPathId.path.join('.');
    if (parts && group !== '' && group !== parts.within) {
      const name = toLocalFieldName(parts, group);
      if (isMatrixField(parts, name)) return <FieldGroup name={name}>{null}</FieldGroup>;
      const { ui } = parts.form.validator.screen;
      const title = findFieldUiText(ui, name, 'ui:title') ?? name;
      return (
        <Group title={title} fields={[name]}>
          <Template {...props} title={title} description={findFieldUiText(ui, name, 'ui:help')} />
        </Group>
      );
    }
    const sections = group === '' ? (parts?.form.validator.screen.ui.sections ?? []) : [];
    return groupFields(props.properties, sections).map(({ section, properties }, at) =>
      section ? (
        <Group key={at} title={section.title} fields={section.fields}>
          <Template {...props} title={section.title} description={section.text} properties={properties} />
        </Group>
      ) : (
        <Template key={at} {...props} title="" description={undefined} properties={properties} />
      ),
    );
  };
}

type Properties = ObjectFieldTemplateProps['properties'];

/** Groups fields for rendering. A section takes the position of its first field. Adjacent fields without a section form a group. */
function groupFields(properties: Properties, sections: readonly ScreenSection[]) {
  const parts: { readonly section: ScreenSection | undefined; readonly properties: Properties }[] = [];
  for (const property of properties) {
    const section = sections.find(({ fields }) => fields.includes(property.name));
    const last = parts.at(-1);
    if (section?.fields[0] === property.name)
      parts.push({ section, properties: properties.filter(({ name }) => section.fields.includes(name)) });
    else if (!section && last && !last.section) last.properties.push(property);
    else if (!section) parts.push({ section, properties: [property] });
  }
  return parts;
}

interface GroupProps {
  readonly title: string;
  readonly fields: readonly string[];
  readonly children: ReactNode;
}

const Group = observer(function Group({ title, fields, children }: GroupProps) {
  const parts = useContext(FormContext);
  const shown = useMemo(() => computed(() => parts?.form.shows(fields)), [parts, fields]);
  return shown.get() ? (
    <div role="group" aria-label={title}>
      {children}
    </div>
  ) : null;
});
