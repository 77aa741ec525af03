import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { SelectWidget } from '../../src/engine/fluent/controls.ts';
import { useOperationResponse } from '../../src/engine/react/use-operation-response.ts';
import { toWidgetParts, type WidgetAnswerProps, type WidgetProps } from '../../src/engine/react/widget.ts';
import { toCodeSelectOptions, localizeCountries } from './countries.ts';

/** Country that issued a document. Choosing a country also selects its first document type. */
const DocumentCountry = observer(function DocumentCountry(props: WidgetProps) {
  const { field, form, options, t, source } = toWidgetParts(props);
  const excluded = Array.isArray(options.exclude) ? options.exclude : [];
  const countries =
    source?.state === 'ready'
      ? localizeCountries(t('language'), source.data).filter(({ code }) => !excluded.includes(code))
      : [];
  const typeField = typeof options.typeField === 'string' ? form.field(options.typeField) : undefined;
  const types = countries.find(({ code }) => code === field.value)?.types;
  const fits = types === undefined || types.some(({ code }) => code === typeField?.value);
  const first = types?.[0]?.code;

  useEffect(() => {
    if (typeField && !fits && first !== undefined) typeField.set(first);
  }, [typeField, fits, first]);

  return (
    <SelectWidget
      {...props}
      value={field.value}
      options={{ ...props.options, enumOptions: toCodeSelectOptions(countries) }}
      placeholder={props.placeholder || t('choose')}
      disabled={props.disabled || source?.state !== 'ready'}
      onChoose={(code) => {
        field.set(code);
        typeField?.set(countries.find((country) => country.code === code)?.types[0]?.code);
      }}
    />
  );
});

function CountryAnswer({ value, options, t }: WidgetAnswerProps) {
  const source = useOperationResponse(String(options.source));
  const countries = source.state === 'ready' ? localizeCountries(t('language'), source.data) : [];
  return countries.find(({ code }) => code === value)?.name ?? String(value);
}

export const types = ['string'] as const;

export const options = {
  source: { type: 'string' },
  typeField: { type: 'string' },
  exclude: { type: 'array', items: { type: 'string' } },
} as const;

export default Object.assign(DocumentCountry, { Answer: CountryAnswer });
