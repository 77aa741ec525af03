import { observer } from 'mobx-react-lite';
import { SelectWidget } from '../../src/engine/fluent/controls.ts';
import { useOperationResponse } from '../../src/engine/react/use-operation-response.ts';
import { toWidgetParts, type WidgetAnswerProps, type WidgetProps } from '../../src/engine/react/widget.ts';
import {
  toCodeSelectOptions,
  parseCountriesWithDocumentTypes,
  localizeDocumentTypes,
} from '../document-country/countries.ts';

const DocumentType = observer(function DocumentType(props: WidgetProps) {
  const { field, form, options, t, source } = toWidgetParts(props);
  const country = typeof options.countryField === 'string' ? form.field(options.countryField)?.value : undefined;
  const countries = source?.state === 'ready' ? parseCountriesWithDocumentTypes(source.data) : [];
  const types = localizeDocumentTypes(t('language'), countries.find(({ code }) => code === country)?.types ?? []);
  return (
    <SelectWidget
      {...props}
      value={field.value}
      options={{ ...props.options, enumOptions: toCodeSelectOptions(types) }}
      placeholder={props.placeholder || t('choose')}
      disabled={props.disabled || types.length === 0 || (types.length === 1 && field.value === types[0]?.code)}
    />
  );
});

function TypeAnswer({ value, values, options, t }: WidgetAnswerProps) {
  const source = useOperationResponse(String(options.source));
  const countries = source.state === 'ready' ? parseCountriesWithDocumentTypes(source.data) : [];
  const country = countries.find(({ code }) => code === values[String(options.countryField)]);
  return (
    localizeDocumentTypes(t('language'), country?.types ?? []).find(({ code }) => code === value)?.name ?? String(value)
  );
}

export const types = ['string'] as const;

export const options = {
  source: { type: 'string' },
  countryField: { type: 'string' },
} as const;

export default Object.assign(DocumentType, { Answer: TypeAnswer });
