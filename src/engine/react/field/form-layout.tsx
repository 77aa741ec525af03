import BooleanField from '@rjsf/core/lib/components/fields/BooleanField.js';
import NumberField from '@rjsf/core/lib/components/fields/NumberField.js';
import BaseInputTemplate from '@rjsf/core/lib/components/templates/BaseInputTemplate.js';
import SchemaField from '@rjsf/core/lib/components/fields/SchemaField.js';
import StringField from '@rjsf/core/lib/components/fields/StringField.js';
import {
  createSchemaUtils,
  englishStringTranslator,
  getTemplate,
  getUiOptions,
  hashForSchema,
  toFieldPathId,
  TranslatableString,
  type FieldProps,
  type ObjectFieldTemplateProps,
  type Registry,
  type RJSFSchema,
  type UiSchema,
  type RegistryFieldsType,
  type TemplatesType,
  type ValidatorType,
} from '@rjsf/utils';
import { createElement, memo, useContext, useMemo } from 'react';
import { listAllFieldSpecs } from '../../core/compiled-screen.ts';
import { formatNumber } from '../../core/values/numbers.ts';
import { useEngine, type EngineServices } from '../engine-context.ts';
import { FieldGroup, FormSection } from './form-section.tsx';
import { FieldTemplate, bindWidget } from './field-template.tsx';
import {
  FormContext,
  createFieldId,
  fieldIdPrefix,
  fieldIdSeparator,
  toLocalFieldName,
  type FormContextValue,
} from './form-context.ts';
import { ChoicesField, ListField, TemporalWidget } from './lazy-fields.ts';
import { MissingWidget } from './missing-widget.tsx';
import { buildRjsfSchema, buildRjsfUiSchema } from './rjsf-schema.ts';
import type { Widget, WidgetProps } from '../widget.ts';
import createPrecompiledValidator from '@rjsf/validator-ajv8/lib/createPrecompiledValidator.js';
import type { ErrorObject } from 'ajv';
import { splitFieldName, getFieldValue } from '../../core/field-path.ts';
import { asObject, mapValues } from '../../core/json.ts';
import type { ScreenValidator } from '../../core/validate-screen-form.ts';

/**
 * Renders the fields of a form with rjsf's field components, templates and widgets. The form model has the values, rules and messages, and each
 * widget is bound to it. Validation uses the compiled validator. Therefore no rjsf code runs on a keystroke, and rjsf's defaults cannot tick a
 * checkbox. rjsf's `Form`, which stores values and errors, and its registry of all controls are not used.
 */
export const FormLayout = memo(function FormLayout({ parts }: { parts: FormContextValue }) {
  const engine = useEngine();
  const props = useMemo(() => createRootProps(parts, engine), [parts, engine]);
  return (
    <div className="rjsf">
      <SchemaField {...props} />
    </div>
  );
});

const globalFormOptions = {
  idPrefix: fieldIdPrefix,
  idSeparator: fieldIdSeparator,
  nameGenerator: (path: readonly (string | number)[]) => path.join('.'),
  useFallbackUiForUnsupportedType: false,
};
const fields = { SchemaField, ObjectField, StringField, NumberField, BooleanField, ArrayField: ChoicesField };
const nothing = () => null;
/** Empty templates for output that the engine's templates ignore. */
const emptyTemplates = { DescriptionFieldTemplate: nothing, FieldErrorTemplate: nothing, FieldHelpTemplate: nothing };
/** Templates that rjsf's own widgets need for text inputs. */
const rjsfInput = { BaseInputTemplate, ButtonTemplates: {} };
const engineTemplates = { FieldTemplate, ObjectFieldTemplate: Properties };
const ignoreChange = () => undefined;
const { RemoveButton: removeText } = TranslatableString;

function createRootProps({ form, theme, widgets }: FormContextValue, { t }: EngineServices): FieldProps {
  const { validator, context } = form;
  const schema = buildRjsfSchema(validator.screen);
  const all = listAllFieldSpecs(validator.screen.fields);
  const missing = all.flatMap(({ plugin }) => (plugin === undefined ? [] : [[plugin, MissingWidget] as const]));
  const fallback = theme.fallback?.();
  const plain = fallback?.widgets as Readonly<Record<string, Widget>> | undefined; // cast: rjsf types the form context of its widgets as `any`
  const others = { computed: ComputedWidget, 'date-time': TemporalWidget };
  const known = { ...plain, ...others, ...theme.widgets, ...Object.fromEntries(missing), ...widgets };
  const registry: Registry = {
    fields: { ...(fields as unknown as RegistryFieldsType), ...theme.fields, list: ListField },
    templates: {
      ...emptyTemplates,
      ...rjsfInput,
      ...fallback?.templates,
      ...engineTemplates,
      ...theme.templates,
    } as TemplatesType,
    widgets: mapValues(known, bindWidget),
    rootSchema: schema,
    formContext: {},
    schemaUtils: createSchemaUtils(createRjsfValidator(validator, schema), schema),
    // rjsf's own widgets show one text that the engine must translate: the remove button of a file.
    translateString: (text, values) => (text === removeText ? t('remove') : englishStringTranslator(text, values)),
    globalFormOptions,
  };
  return {
    name: '',
    schema,
    uiSchema: buildRjsfUiSchema(validator.screen, context, theme),
    fieldPathId: toFieldPathId('', globalFormOptions),
    onChange: ignoreChange,
    onBlur: ignoreChange,
    onFocus: ignoreChange,
    registry,
  };
}

/** Replaces rjsf's own field, which imports a Markdown parser for one error message. */
function ObjectField({ schema, uiSchema = {}, fieldPathId, registry, ...props }: FieldProps) {
  const Template = getTemplate<'ObjectFieldTemplate'>('ObjectFieldTemplate', registry, getUiOptions(uiSchema));
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    content: (
      <SchemaField
        key={name}
        {...{ name, registry, onChange: ignoreChange, onBlur: ignoreChange, onFocus: ignoreChange }}
        required={schema.required?.includes(name) ?? false}
        schema={property as RJSFSchema}
        uiSchema={uiSchema[name] as UiSchema}
        fieldPathId={toFieldPathId(name, globalFormOptions, fieldPathId)}
      />
    ),
    disabled: false,
    readonly: false,
    hidden: getUiOptions(uiSchema[name] as UiSchema).widget === 'hidden',
  }));
  const shown = { schema, uiSchema, fieldPathId, registry, properties };
  return createElement(Template, { ...props, ...shown, title: '', onAddProperty: () => ignoreChange });
}

function Properties({ properties, fieldPathId }: ObjectFieldTemplateProps) {
  const parts = useContext(FormContext);
  const group = fieldPathId.path.join('.');
  if (parts && group !== '' && group === parts.within)
    return <div className="form-fields">{properties.map(({ content }) => content)}</div>;
  if (parts && group !== '')
    return <FieldGroup name={toLocalFieldName(parts, group)}>{properties.map(({ content }) => content)}</FieldGroup>;
  const contents = new Map(properties.map(({ name, content }) => [name, content]));
  const sectionByField = new Map(
    parts?.form.validator.screen.ui.sections?.flatMap((section) => section.fields.map((name) => [name, section])),
  );
  return (
    <div className="form-fields">
      {properties.map(({ content, name }) => {
        const section = sectionByField.get(name);
        if (!section) return content;
        if (section.fields[0] !== name) return null; // the first field of the section renders the section
        return (
          <FormSection key={name} {...section}>
            {section.fields.map((one) => contents.get(one))}
          </FormSection>
        );
      })}
    </div>
  );
}

/** Output of a computed field, in a polite live region. Focusable, so that the error summary can link to it. */
function ComputedWidget({ id, name, value, options, 'aria-describedby': describedBy }: WidgetProps) {
  const { fields = [], language } = useContext(FormContext)?.form.validator.screen ?? {};
  const sources = fields
    .filter(({ dependents }) => dependents.includes(name))
    .map((field) => createFieldId(field.name));
  const choice = options.enumOptions?.find((option) => option.value === value);
  const shown = typeof value === 'number' ? formatNumber(value, language, { grouped: true }) : value;
  return (
    <output id={id} htmlFor={sources.join(' ')} tabIndex={-1} className="form-computed" aria-describedby={describedBy}>
      {choice?.label ?? (shown as string | undefined)}
    </output>
  );
}

type PrecompiledFunctions = Parameters<typeof createPrecompiledValidator>[0];

/** rjsf identifies the root schema by its `$id` and properties by their hash, which is computed on first use. */
export function createRjsfValidator(validator: ScreenValidator, schema: RJSFSchema): ValidatorType {
  const formValidator = createFormValidator(validator);
  let properties: Readonly<Record<string, unknown>> | undefined;
  const functions = new Proxy<PrecompiledFunctions>(
    {},
    {
      get: (_, key) => {
        if (key === schema.$id) return formValidator;
        properties ??= Object.fromEntries(
          validator.screen.fields.map(({ name, schema: property }) => [
            hashForSchema(property as RJSFSchema), // cast: the schema of a field in schema.json is never a boolean
            validator.values[name],
          ]),
        );
        return properties[String(key)];
      },
    },
  );
  return createPrecompiledValidator(functions, schema);
}

function createFormValidator({ screen, values }: ScreenValidator): PrecompiledFunctions[string] {
  const validate: PrecompiledFunctions[string] = (data: unknown) => {
    const formData = asObject(data);
    const errors = screen.fields.flatMap(({ name, required }): ErrorObject[] => {
      const value = getFieldValue(formData, name);
      if (value === undefined) return required ? [createRequiredError(name)] : [];
      const check = values[name];
      return !check || check(value)
        ? []
        : (check.errors ?? []).map((error) => ({
            ...error,
            instancePath: `/${splitFieldName(name).join('/')}${error.instancePath}`,
          }));
    });
    validate.errors = errors;
    return errors.length === 0;
  };
  return validate;
}

function createRequiredError(name: string): ErrorObject {
  return {
    instancePath: '',
    schemaPath: '#/required',
    keyword: 'required',
    params: { missingProperty: name },
    message: `must have required property '${name}'`,
  };
}
