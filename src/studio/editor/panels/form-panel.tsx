import { Toolbar, ToolbarButton } from '@fluentui/react-components';
import { useState } from 'react';
import type { FileChange, StudioCases, WriteAnswer } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { ButtonEditForm } from '../edits/edit-forms.tsx';
import { FieldEditForm } from '../edits/field-edit-form.tsx';
import { FieldForm } from '../fields/field-form.tsx';
import { requiredEdits, writtenFields } from '../fields/field-place.ts';
import { FieldRow, createRowId } from '../fields/field-row.tsx';
import { asList, asObject } from '../../json-parts.ts';
import { changesTo, resolveScreenFiles, listIn } from '../files.ts';
import { PartsTable } from '../rows.tsx';
import { ConfirmTask, RemoveForm } from '../edits/confirm-task.tsx';
import { OrderForm, listScreenOrders } from '../tasks/order-form.tsx';
import { listScreenRemovals } from '../edits/removals.ts';
import { findFieldRule, listScreenRules } from '../tasks/rule-places.ts';
import { RuleForm, RuleTask } from '../tasks/condition-form.tsx';
import { drawnFields } from '../titles.ts';
import { useArrival } from '../controls.tsx';
import { useStudio } from '../use-studio.ts';

interface FormPanelProps {
  readonly screen: string;
  /** `null` until loaded. A new field is added to the cases. */
  readonly cases: StudioCases | null;
}

export function FormPanel({ screen, cases }: FormPanelProps) {
  const { set, facts, look, write } = useStudio();
  const [task, setTask] = useState<
    | { readonly kind: 'field' | 'rules' | 'order' | 'remove' | 'button' }
    | { readonly kind: 'condition' | 'edit'; readonly field: string }
    | {
        readonly kind: 'required';
        readonly title: string;
        readonly changes: readonly FileChange[];
        readonly known: WriteAnswer;
      }
  >();
  const { schema, ui } = resolveScreenFiles(screen);
  const fields = writtenFields(set, screen);
  const sections = listIn(set, ui, '/sections').map(asObject);
  const titles = sections.map(({ title }) => String(title));
  const drawn = drawnFields(set, screen);
  const orders = listScreenOrders(set, screen);
  const others = listScreenRules(set, facts, screen);
  // Closing a task must not close another that was opened meanwhile.
  const close = (): void => setTask((now) => (now === task ? undefined : now));
  const arrive = useArrival();
  const added = (field?: string): void => {
    close();
    if (field !== undefined) arrive(createRowId(field));
  };
  /** Writes immediately if nothing breaks. Otherwise shows the consequences first. */
  const require = async (name: string, isRequired: boolean): Promise<void> => {
    const edits = requiredEdits(set, screen, name, isRequired);
    const changes = changesTo(set, schema, edits);
    const known = await look(changes);
    if (known.outcome === 'fine' && known.breaks.length === 0) await write(changes);
    else setTask({ kind: 'required', title: t('requiredTask', { name: drawn[name]?.title ?? name }), changes, known });
  };
  return (
    <>
      <Toolbar aria-label={t('tasksBar')} size="small">
        {(
          [
            ['field', 'addField'],
            ...(others.length > 0 ? [['rules', 'ruleTask'] as const] : []),
            ...(orders.length > 0 ? [['order', 'order'] as const] : []),
            ['button', 'editButton'],
            ['remove', 'remove'],
          ] as const
        ).map(([kind, text]) => (
          <ToolbarButton
            key={kind}
            disabled={!cases && (kind === 'field' || kind === 'remove')}
            onClick={() => setTask({ kind })}
          >
            {t(text)}
          </ToolbarButton>
        ))}
      </Toolbar>
      {task?.kind === 'condition' && (
        <RuleForm key={task.field} rule={findFieldRule(set, facts, screen, task.field)} onDone={close} />
      )}
      {task?.kind === 'edit' && <FieldEditForm key={task.field} screen={screen} field={task.field} onDone={close} />}
      {task?.kind === 'button' && <ButtonEditForm screen={screen} onDone={close} />}
      {task?.kind === 'required' && <ConfirmTask key={task.title} {...task} onDone={close} />}
      {task?.kind === 'remove' && cases && (
        <RemoveForm removals={listScreenRemovals(set, screen, cases)} onDone={close} />
      )}
      {task?.kind === 'order' && <OrderForm orders={orders} onDone={close} />}
      {task?.kind === 'rules' && <RuleTask rules={others} onDone={close} />}
      {task?.kind === 'field' && cases && <FieldForm screen={screen} cases={cases} sections={titles} onDone={added} />}
      {Object.keys(fields).length === 0 ? (
        <p>{t('noFields')}</p>
      ) : (
        <PartsTable
          caption={t('fieldsOf', { name: screen })}
          titles={(['pointer', 'labelAndHelp', 'required', 'half', 'visible'] as const).map((title) => t(title))}
        >
          {Object.keys(fields).map((name) => (
            <FieldRow
              key={name}
              screen={screen}
              name={name}
              section={titles[sections.findIndex(({ fields: own }) => asList(own).includes(name))] ?? ''}
              fields={drawn}
              onCondition={() => setTask({ kind: 'condition', field: name })}
              onEdit={() => setTask({ kind: 'edit', field: name })}
              onRequired={(isRequired) => void require(name, isRequired)}
            />
          ))}
        </PartsTable>
      )}
    </>
  );
}
