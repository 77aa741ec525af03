import { Fragment, type ReactNode } from 'react';
import { formatAnswer, listAnsweredFields } from '../../core/answer-summary.ts';
import type { AnswerReviewOptions } from '../../core/flow-and-screen-types.ts';
import { getFieldValue, isFieldWithin, parseFieldPointer } from '../../core/field-path.ts';
import type { ValuesByName } from '../../core/json.ts';
import { fillPlaceholders, preventLineBreaks } from '../../core/messages.ts';
import type { FieldSpec } from '../../core/compiled-screen.ts';
import { evaluateUiOptions, findChoiceSourceParams, findFieldUiText } from '../../core/screen-ui-queries.ts';
import type { ReviewedAnswers, ReviewedStep } from '../../runtime/reviewed-answers.ts';
import { useEngine } from '../engine-context.ts';
import { listChoicesOfResponse, renderOperationParams } from '../field/operation-choices-widget.tsx';
import { useOperationResponse } from '../use-operation-response.ts';
import type { Widget } from '../widget.ts';

interface ReviewProps {
  readonly answers: ReviewedAnswers;
  readonly review: AnswerReviewOptions;
  readonly facts: ValuesByName;
}

export function AnswerReview({ answers: { steps, change }, review, facts }: ReviewProps) {
  const engine = useEngine();
  const hidden = (review.without ?? []).map(parseFieldPointer);
  return steps.map((step) => {
    const fields = listAnsweredFields(step.screen.validator.screen, step.values).filter(
      ({ name }) => !hidden.some((group) => isFieldWithin(name, group)),
    );
    if (fields.length === 0) return null;
    return (
      <Fragment key={step.state}>
        <div className="review-head">
          <h2>{step.title}</h2>
          <button type="button" className="link-button" onClick={() => change(step.state)}>
            {engine.t('review.change')}
            <span className="visually-hidden"> {step.title}</span>
          </button>
        </div>
        <dl className="review">
          {fields.map((field) => (
            <div key={field.name}>
              <dt>
                {preventLineBreaks(
                  findFieldUiText(step.screen.validator.screen.ui, field.name, 'ui:title') ?? field.name,
                )}
              </dt>
              <dd>
                <Answer step={step} field={field} facts={facts} />
              </dd>
            </div>
          ))}
        </dl>
      </Fragment>
    );
  });
}

interface AnswerParts {
  readonly step: ReviewedStep;
  readonly field: FieldSpec;
  readonly facts: ValuesByName;
}

function Answer({ step, field, facts }: AnswerParts): ReactNode {
  const engine = useEngine();
  const { screen, values } = step;
  const data = screen.validator.screen;
  const options = evaluateUiOptions(data.ui, field.name, facts);
  const { plugin } = field;
  const widget = plugin === undefined ? undefined : (screen.widgets[plugin] as Widget | undefined); // the runtime does not know the type of widgets
  const texts: ValuesByName = data.texts[plugin ?? ''] ?? {};
  const value = getFieldValue(values, field.name);
  if (widget?.Answer)
    return (
      <widget.Answer
        value={value}
        values={values}
        options={options}
        language={data.language}
        t={(key, parts = {}) => fillPlaceholders(String(texts[key] ?? key), parts)}
      />
    );
  if (plugin === undefined && typeof options['source'] === 'string')
    return <SourcedAnswer step={step} field={field} facts={facts} operation={options['source']} />;
  const words = {
    ticked: engine.t('review.ticked'),
    empty: engine.t('review.unticked'),
    formatDate: (date: string) => engine.formatDate(date, data.language),
  };
  return formatAnswer(field, data, value, words);
}

function SourcedAnswer({ step, field, facts, operation }: AnswerParts & { readonly operation: string }): ReactNode {
  const { choiceKeys } = useEngine();
  const { ui } = step.screen.validator.screen;
  const params = findChoiceSourceParams(ui, field.name);
  const source = useOperationResponse(
    operation,
    params ? renderOperationParams(params, { ...facts, form: step.values }) : undefined,
  );
  const choices = source ? listChoicesOfResponse(source, choiceKeys, field.schema) : [];
  const chosen = [getFieldValue(step.values, field.name)].flat();
  return chosen.map((value) => choices.find((choice) => choice.value === value)?.label ?? String(value)).join(', ');
}
