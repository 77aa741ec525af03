import Form from '@rjsf/core';
import type { FieldProps, ObjectFieldTemplateProps, RJSFSchema, UiSchema, ValidatorType } from '@rjsf/utils';
import { computed } from 'mobx';
import { observer } from 'mobx-react-lite';
import { memo, useContext, useId, useMemo, type ReactNode } from 'react';
import type { Section } from '../core/definition.ts';
import type { ScreenData } from '../core/screen.ts';
import { FieldFrame } from './field-frame.tsx';
import { FormContext } from './form-context.ts';

/**
 * Lays the fields of a form out by rjsf: its schema and uiSchema, with this engine's own field and object templates.
 * rjsf is told the layout alone (names and order): values, rules and messages live in the draft, so that nothing of
 * rjsf runs at a key, and its defaults can never tick a box.
 */
export const FormLayout = memo(function FormLayout({ screen }: { screen: ScreenData }) {
  const schema = useMemo((): RJSFSchema => layoutSchema(screen), [screen]);
  return (
    <Form
      tagName="div"
      schema={schema}
      uiSchema={bare}
      validator={inert}
      fields={fields}
      templates={templates}
      idPrefix="form"
      noValidate
      experimental_defaultFormStateBehavior={behavior}
    />
  );
});

const bare: UiSchema = { 'ui:submitButtonOptions': { norender: true } };
const behavior = { constAsDefaults: 'never', emptyObjectFields: 'skipDefaults' } as const;
const fields = { SchemaField: Property };
const templates = { ObjectFieldTemplate: Properties };

// The compiled validators judge; rjsf asks only for choices between subschemas, which no screen has.
const inert: ValidatorType = {
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  isValid: () => true,
  rawValidation: () => ({ errors: [] }),
  toErrorList: () => [],
  reset: () => undefined,
} as ValidatorType; // older members of the interface are optional in practice

function layoutSchema(screen: ScreenData): RJSFSchema {
  return { type: 'object', properties: Object.fromEntries(screen.fields.map(({ name }) => [name, {}])) };
}

function Property(props: FieldProps) {
  const form = useContext(FormContext);
  const { ObjectField } = props.registry.fields;
  if (props.name === '' || props.name === undefined) return ObjectField ? <ObjectField {...props} /> : null;
  const slot = form?.draft.field(props.name);
  return slot ? <FieldFrame slot={slot} /> : null;
}

function Properties({ properties }: ObjectFieldTemplateProps) {
  const form = useContext(FormContext);
  const contents = new Map(properties.map(({ name, content }) => [name, content]));
  const sectionOf = new Map(
    form?.draft.validator.screen.ui.sections?.flatMap((section) => section.fields.map((name) => [name, section])),
  );
  return (
    <div className="form-fields">
      {properties.map(({ content, name }) => {
        const section = sectionOf.get(name);
        if (!section) return content;
        if (section.fields[0] !== name) return null; // it stands with the first
        return (
          <FieldSection key={name} section={section}>
            {section.fields.map((one) => contents.get(one))}
          </FieldSection>
        );
      })}
    </div>
  );
}

// Its title is heard with each of its fields; it goes with the last of them.
const FieldSection = observer(function FieldSection({ section, children }: { section: Section; children: ReactNode }) {
  const { title, text, fields } = section;
  const form = useContext(FormContext);
  const textId = useId();
  const shown = useMemo(() => computed(() => fields.some((name) => form?.draft.field(name)?.visible)), [form, fields]);
  if (!shown.get()) return null;
  return (
    <fieldset className="form-section" aria-describedby={text === undefined ? undefined : textId}>
      <legend>{title}</legend>
      {text !== undefined && (
        <p id={textId} className="form-help">
          {text}
        </p>
      )}
      <div className="form-fields">{children}</div>
    </fieldset>
  );
});
