import { isObject, type JsonObject, type Values } from '../../core/json.ts';
import { exactNumber } from '../../core/values/numbers.ts';
import { useEngine } from '../engine-context.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { SourceFailure } from '../source-failure.tsx';
import { useSource } from '../sources.ts';
import type { DependentChoicesProps } from './dependent-choices.tsx';
import type { ChoiceKeys, Source, Widget, WidgetProps } from '../widget.ts';

type Choices = NonNullable<WidgetProps['options']['enumOptions']>;

interface SourcedWidgetProps {
  readonly Widget: Widget;
  readonly props: WidgetProps;
  readonly operation: string;
}

const DependentChoices = lazyComponent<DependentChoicesProps>(
  async () => (await import('./dependent-choices.tsx')).DependentChoices,
  ({ draw }) => draw({ state: 'loading' }),
);

/** A widget whose choices come from an operation (`source` in its options). In any theme, it gets them like the choices of a schema. */
export function SourcedWidget(sourced: SourcedWidgetProps) {
  const { params } = sourced.props.options;
  return isObject(params) ? (
    <Dependent {...sourced} params={params as JsonObject} /> // of ui.json
  ) : (
    <Independent {...sourced} />
  );
}

function Independent({ Widget, props, operation }: SourcedWidgetProps) {
  const source = useSource(operation);
  return (
    <>
      <WithChoices Widget={Widget} props={props} source={source} />
      <SourceFailure operation={operation} source={source} controlId={props.id} />
    </>
  );
}

function Dependent({ Widget, props, operation, params }: SourcedWidgetProps & { readonly params: JsonObject }) {
  const { choiceKeys } = useEngine();
  const draw = (source: Source | null) => <WithChoices Widget={Widget} props={props} source={source} />;
  return (
    <DependentChoices
      props={props}
      operation={operation}
      params={params}
      listValues={(source) => choicesIn(source, choiceKeys, props).map(({ value }): unknown => value)}
      draw={draw}
    />
  );
}

function WithChoices({
  Widget,
  props,
  source,
}: Omit<SourcedWidgetProps, 'operation'> & { readonly source: Source | null }) {
  const { choiceKeys, t } = useEngine();
  const waiting = source !== null && source.state !== 'ready';
  return (
    <Widget
      {...props}
      options={{ ...props.options, enumOptions: source ? choicesIn(source, choiceKeys, props) : [] }}
      placeholder={waiting ? t(source.state) : props.placeholder}
    />
  );
}

function choicesIn(source: Source, keys: ChoiceKeys, { schema: { type } }: WidgetProps): Choices {
  const items = source.state === 'ready' && Array.isArray(source.data) ? source.data.filter(isObject) : [];
  // Codes are often texts of digits. A text that is not a number stays unchanged, so that validation refuses it.
  const isNumeric = type === 'number' || type === 'integer';
  const parseValue = (text: string) => (isNumeric ? (exactNumber(text) ?? text) : text);
  return items.map((item) => ({ value: parseValue(firstText(item, keys.value)), label: firstText(item, keys.label) }));
}

function firstText(item: Values, keys: readonly string[]): string {
  const value = keys.map((key) => item[key]).find((found) => found !== undefined);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
