import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { t } from '../../texts.ts';
import { ChoiceField, useOpened } from '../controls.tsx';
import type { Studio } from '../use-studio.ts';
import { ConditionForm } from './condition-form.tsx';
import { conditionsOf } from './conditions.ts';
import { logicSentence } from './logic-sentence.ts';
import type { RulePlace } from './rule-places.ts';

interface RuleTaskProps {
  readonly studio: Studio;
  readonly rules: readonly RulePlace[];
  readonly onDone: () => void;
}

export function RuleTask({ studio, rules, onDone }: RuleTaskProps) {
  const [chosen, setChosen] = useState(rules[0]?.pointer ?? '');
  const rule = rules.find(({ pointer }) => pointer === chosen) ?? rules[0];
  const part = useOpened<HTMLElement>();
  if (!rule) return null;
  return (
    <section ref={part} className="studio-task" aria-label={t('ruleTask')}>
      {rules.length > 1 && (
        <ChoiceField
          label={t('rulePlace')}
          value={rule.pointer}
          options={rules.map(({ pointer, place, logic, names }) => [
            pointer,
            `${place}: ${logic === undefined ? t('always_') : logicSentence(logic, names)}`,
          ])}
          onChange={setChosen}
        />
      )}
      <RuleForm key={rule.pointer} studio={studio} rule={rule} opens={false} onDone={onDone} />
    </section>
  );
}

interface RuleFormProps {
  readonly studio: Studio;
  readonly rule: RulePlace;
  readonly opens?: boolean;
  readonly onDone: () => void;
}

/** Form to change one rule. A rule that the builder cannot represent must be edited in its file. */
export function RuleForm({ studio, rule, opens = true, onDone }: RuleFormProps) {
  const { kind, place, logic, subjects, names, change } = rule;
  const start = conditionsOf(logic);
  if (!start)
    return (
      <p>
        {t('byHand')} <Button onClick={onDone}>{t('cancel')}</Button>
      </p>
    );
  return (
    <ConditionForm
      what={place}
      kind={kind}
      start={start}
      subjects={subjects}
      names={names}
      opens={opens}
      onApply={(next) => void studio.write([change(next)]).then((isWritten) => isWritten && onDone())}
      onCancel={onDone}
    />
  );
}
