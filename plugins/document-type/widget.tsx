import { observer } from 'mobx-react-lite';
import { useSource } from '../../src/engine/react/sources.ts';
import { widgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import { ChoiceSelect } from '../document-country/choice.tsx';
import { readCountries, typesNamedIn } from '../document-country/countries.ts';

/** Document type, among those that the selected country issues. Disabled if there is nothing to choose. */
const DocumentType = observer(function DocumentType(props: WidgetProps) {
  const { field, form, control, options, t } = widgetParts(props);
  const source = useSource(String(options.source));
  const country = typeof options.countryField === 'string' ? form.field(options.countryField)?.value : undefined;
  const countries = source.state === 'ready' ? readCountries(source.data) : [];
  const types = typesNamedIn(t('language'), countries.find(({ code }) => code === country)?.types ?? []);
  return (
    <ChoiceSelect
      control={control}
      choices={types}
      value={field.value}
      empty={t('choose')}
      disabled={types.length === 0 || (types.length === 1 && field.value === types[0]?.code)}
      onChoose={(code) => field.set(code)}
      onLeave={() => field.blur()}
    />
  );
});

export default DocumentType;
