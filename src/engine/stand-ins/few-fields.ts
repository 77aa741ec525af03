import { DEFAULT_ID_PREFIX, DEFAULT_ID_SEPARATOR, englishStringTranslator } from '@rjsf/utils';
import BooleanField from '@rjsf/core/lib/components/fields/BooleanField.js';
import NumberField from '@rjsf/core/lib/components/fields/NumberField.js';
import ObjectField from '@rjsf/core/lib/components/fields/ObjectField.js';
import SchemaField from '@rjsf/core/lib/components/fields/SchemaField.js';
import StringField from '@rjsf/core/lib/components/fields/StringField.js';

const nothing = (): null => null;

/**
 * Stands in for rjsf's default registry, which brings every field, template and widget: the engine draws with its own templates, the theme has all
 * widgets, and of the fields the compiler leaves these. Lists bring theirs when there is one.
 */
// oxlint-disable-next-line import/no-default-export -- as what it stands in for
export default function getDefaultRegistry() {
  return {
    fields: { BooleanField, NumberField, ObjectField, SchemaField, StringField },
    templates: {
      DescriptionFieldTemplate: nothing,
      FieldErrorTemplate: nothing,
      FieldHelpTemplate: nothing,
      ButtonTemplates: { SubmitButton: nothing },
    },
    widgets: {},
    rootSchema: {},
    formContext: {},
    translateString: englishStringTranslator,
    globalFormOptions: {
      idPrefix: DEFAULT_ID_PREFIX,
      idSeparator: DEFAULT_ID_SEPARATOR,
      useFallbackUiForUnsupportedType: false,
    },
  };
}
