import { Checkbox, TableCell, TableHeaderCell, TableRow } from '@fluentui/react-components';
import type { Json } from '../../../engine/core/json.ts';
import type { DrawnField, StudioSet } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { ChoiceField } from '../controls.tsx';
import { decidingFields, type Dependence } from './dependent-choices.ts';
import { PartsTable } from '../rows.tsx';

interface DependenceFieldsProps {
  readonly set: StudioSet;
  readonly screen: string;
  readonly field: string;
  readonly choices: DrawnField['choices'];
  readonly dependence: Dependence | null;
  readonly onChange: (dependence: Dependence | null) => void;
}

/** Form for choices that depend on another field, with a table of the available choices per value. */
export function DependenceFields({ set, screen, field, choices, dependence, onChange }: DependenceFieldsProps) {
  const deciding = decidingFields(set, screen, field);
  if (deciding.length === 0) return null;
  const { title, answers = [] } = deciding.find(({ name }) => name === dependence?.on) ?? {};
  return (
    <>
      <ChoiceField
        label={t('choicesFollow')}
        value={dependence?.on ?? ''}
        options={[['', t('followNothing')], ...deciding.map((own) => [own.name, own.title] as const)]}
        onChange={(on) => onChange(on === '' ? null : { on, left: {} })}
      />
      {dependence && choices.length > 0 && (
        <div className="studio-frame">
          <PartsTable
            caption={t('choicesLeft', { name: title ?? dependence.on })}
            titles={[t('oneChoice'), ...answers.map(([, label]) => label)]}
          >
            {choices.map(([choice, label]) => (
              <TableRow key={JSON.stringify(choice)}>
                <TableHeaderCell scope="row">{label}</TableHeaderCell>
                {answers.map(([answer, answerLabel]) => {
                  const key = JSON.stringify(answer);
                  const left = leftBy(dependence, key, choices);
                  const isLeft = left.includes(choice);
                  return (
                    <TableCell key={key}>
                      <Checkbox
                        aria-label={t('choiceIf', { choice: label, answer: answerLabel })}
                        checked={isLeft}
                        // An entry without choices would allow all of them.
                        disabled={isLeft && left.length === 1}
                        onChange={() =>
                          onChange({
                            ...dependence,
                            left: {
                              ...dependence.left,
                              [key]: choices.flatMap(([own]) =>
                                (own === choice ? !isLeft : left.includes(own)) ? [own] : [],
                              ),
                            },
                          })
                        }
                      />
                    </TableCell>
                  );
                })}
              </TableRow>
            ))}
          </PartsTable>
        </div>
      )}
    </>
  );
}

/** Returns the choices that a value leaves. Returns all if it would leave none. */
function leftBy({ left }: Dependence, answer: string, choices: DrawnField['choices']): readonly Json[] {
  const all = choices.map(([choice]) => choice);
  const own = all.filter((choice) => left[answer]?.includes(choice));
  return own.length === 0 ? all : own;
}
