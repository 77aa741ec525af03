import { asObject } from '../../../engine/core/json.ts';
import { Button, Checkbox, TableCell, TableHeaderCell, TableRow, Textarea } from '@fluentui/react-components';
import type { FileChange, StudioCases, DefinitionWriteResult, JsonEdit } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import { ButtonEditForm } from '../edits/element-edit-forms.tsx';
import { FieldEditForm } from '../edits/field-edit-form.tsx';
import { NewFieldForm } from '../fields/new-field-form.tsx';
import {
  createRequiredEdits,
  listSchemaFields,
  isListItemName,
  isItemListSchema,
  isRequiredField,
  getLastFieldNameSegment,
  buildFieldSchemaPointer,
} from '../fields/field-pointers.ts';
import { createRequiredConditionEdits } from '../fields/required-condition.ts';
import { asListOrEmpty } from '../../json-values.ts';
import {
  buildFileChanges,
  buildScreenFilePaths,
  readFileList,
  createValueEdit,
  readFileValue,
} from '../definition-set.ts';
import { EditableTable } from '../sorted-table.tsx';
import { ConfirmedEditForm, RemovalForm } from '../edits/confirmed-edit-form.tsx';
import { ReorderForm } from '../tasks/reorder-form.tsx';
import { listReorderableScreenLists } from '../tasks/reorderable-screen-lists.ts';
import { listScreenRemovals } from '../edits/screen-removals.ts';
import {
  findVisibilityRule,
  findRequiredRule,
  listScreenRules,
  createFieldLogicNames,
} from '../tasks/editable-rules.ts';
import { RuleForm, RuleEditor } from '../tasks/condition-form.tsx';
import { listLabelledFields } from '../titles.ts';
import { TaskBar, usePanelTask } from '../form-controls.tsx';
import { useStudio } from '../use-studio.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { createValueRemovalEdit } from '../edits/field-edits.ts';
import { findPendingText } from './text-panel.tsx';
import { parseRuleConditions } from '../tasks/rule-conditions.ts';
import { describeJsonLogic } from '../tasks/describe-json-logic.ts';
import { findChoiceDependency } from '../fields/dependent-choices.ts';
import { isFieldGroupSchema, buildUiPointer } from '../../../engine/core/field-path.ts';

interface FormPanelProps {
  readonly screen: string;
  /** Existing test cases, which get a value for a new field. `null` until loaded. */
  readonly cases: StudioCases | null;
}

export function ScreenFormPanel({ screen, cases }: FormPanelProps) {
  const { set, referenceData, look, write } = useStudio();
  const { task, setTask, close, finish } = usePanelTask<
    | { readonly kind: 'field' | 'rules' | 'order' | 'remove' | 'button' }
    | { readonly kind: 'condition' | 'edit' | 'requiredIf'; readonly field: string }
    | {
        readonly kind: 'required';
        readonly title: string;
        readonly changes: readonly FileChange[];
        readonly initialAnswer: DefinitionWriteResult;
      }
  >(createRowId);
  const { schema, ui } = buildScreenFilePaths(screen);
  const fields = listSchemaFields(set, screen);
  const sections = readFileList(set, ui, '/sections').map(asObject);
  const titles = sections.map(({ title }) => String(title));
  const drawn = listLabelledFields(set, screen);
  const orders = listReorderableScreenLists(set, screen);
  const others = listScreenRules(set, referenceData, screen);
  const requiredRule = task?.kind === 'requiredIf' ? findRequiredRule(set, screen, task.field) : null;
  /** Writes the change immediately if all test cases still pass. Otherwise opens a form that shows the consequences. */
  const setRequired = async (name: string, isRequired: boolean): Promise<void> => {
    const edits = [
      ...createRequiredEdits(set, screen, name, isRequired),
      ...(isRequired ? createRequiredConditionEdits(set, screen, name, undefined) : []),
    ];
    const changes = buildFileChanges(set, schema, edits);
    const known = await look(changes);
    if (known.outcome === 'fine' && known.breaks.length === 0) await write(changes);
    else
      setTask({
        kind: 'required',
        title: t('requiredTask', { name: drawn[name]?.title ?? name }),
        changes,
        initialAnswer: known,
      });
  };
  return (
    <>
      <TaskBar
        tasks={[
          ['field', t('addField'), !cases],
          ['rules', others.length > 0 && t('ruleTask')],
          ['order', orders.length > 0 && t('order')],
          ['button', t('editButton')],
          ['remove', t('remove'), !cases],
        ]}
        onTask={(kind) => setTask({ kind })}
      />
      {task?.kind === 'condition' && (
        <RuleForm key={task.field} rule={findVisibilityRule(set, referenceData, screen, task.field)} onDone={close} />
      )}
      {task?.kind === 'requiredIf' && requiredRule && <RuleForm key={task.field} rule={requiredRule} onDone={close} />}
      {task?.kind === 'edit' && <FieldEditForm key={task.field} screen={screen} field={task.field} onDone={close} />}
      {task?.kind === 'button' && <ButtonEditForm screen={screen} onDone={close} />}
      {task?.kind === 'required' && <ConfirmedEditForm key={task.title} {...task} onDone={close} />}
      {task?.kind === 'remove' && cases && (
        <RemovalForm removals={listScreenRemovals(set, screen, cases)} onDone={close} />
      )}
      {task?.kind === 'order' && <ReorderForm orders={orders} onDone={close} />}
      {task?.kind === 'rules' && <RuleEditor rules={others} onDone={close} />}
      {task?.kind === 'field' && cases && (
        <NewFieldForm screen={screen} cases={cases} sections={titles} onDone={finish} />
      )}
      {Object.keys(fields).length === 0 ? (
        <p>{t('noFields')}</p>
      ) : (
        <EditableTable
          caption={t('fieldsOf', { name: screen })}
          titles={(['pointer', 'labelAndHelp', 'required', 'half', 'visible'] as const).map((title) => t(title))}
        >
          {Object.keys(fields).map((name) => (
            <FieldRow
              key={name}
              screen={screen}
              name={name}
              section={titles[sections.findIndex(({ fields: own }) => asListOrEmpty(own).includes(name))] ?? ''}
              fields={drawn}
              onTask={(kind) => setTask({ kind, field: name })}
              onRequired={(isRequired) => void setRequired(name, isRequired)}
            />
          ))}
        </EditableTable>
      )}
    </>
  );
}

interface FieldRowProps {
  readonly screen: string;
  readonly name: string;
  readonly section: string;
  readonly fields: ReturnType<typeof listLabelledFields>;
  readonly onTask: (kind: 'condition' | 'edit' | 'requiredIf') => void;
  readonly onRequired: (isRequired: boolean) => void;
}

function createRowId(name: string): string {
  return `row.${name}`;
}

function FieldRow({ screen, name, section, fields, onTask, onRequired }: FieldRowProps) {
  const { set, busy } = useStudio();
  const { schema, ui } = buildScreenFilePaths(screen);
  const at = buildUiPointer(name);
  const own = readFileValue(set, schema, buildFieldSchemaPointer(set, screen, name));
  const rule = readFileValue(set, ui, `/visible/${escapePointer(name)}`);
  const computed = readFileValue(set, schema, `/computed/${escapePointer(name)}`);
  const isEach = isListItemName(set, screen, name);
  const follows = findChoiceDependency(set, screen, name)?.on;
  const title = fields[name]?.title ?? name;
  const isConditional = !name.includes('.') && computed === undefined && Object.keys(fields).length > 1;
  const requiredRule = isConditional ? findRequiredRule(set, screen, name) : null;
  const isHolder = isFieldGroupSchema(asObject(own)) || isItemListSchema(asObject(own));
  return (
    <TableRow id={createRowId(name)}>
      <TableHeaderCell scope="row" style={{ paddingInlineStart: `${0.25 + name.split('.').slice(1).length}rem` }}>
        {isEach ? t('eachItem') : <code>{getLastFieldNameSegment(name)}</code>}
        {section !== '' && <span className="studio-aside"> {section}</span>}{' '}
        <Button aria-label={t('editField', { name: title })} onClick={() => onTask('edit')}>
          {t('edit')}
        </Button>
      </TableHeaderCell>
      <TableCell className="studio-texts">
        <TextCell file={ui} pointer={`${at}/ui:title`} label={`${t('label')}: ${name}`} placeholder={title} />
        {!isEach && (
          <TextCell file={ui} pointer={`${at}/ui:help`} label={`${t('help')}: ${name}`} placeholder={t('help')} />
        )}
        {computed !== undefined && <p>{t('computedAs', { rule: describeJsonLogic(computed, { fields }) })}</p>}
        {follows !== undefined && <p>{t('followsField', { name: fields[follows]?.title ?? follows })}</p>}
      </TableCell>
      <TableCell>
        {!isEach && computed === undefined && (
          <Checkbox
            aria-label={`${t('required')}: ${name}`}
            checked={isRequiredField(set, screen, name)}
            disabled={busy}
            onChange={(_, { checked }) => onRequired(checked === true)}
          />
        )}
        {isConditional && (
          <>
            {requiredRule?.logic !== undefined &&
              t('when', { rule: describeJsonLogic(requiredRule.logic, requiredRule.names) })}
            {requiredRule ? (
              <Button aria-label={`${t('requiredIf')} ${title}`} onClick={() => onTask('requiredIf')}>
                {t('requiredIfShort')}
              </Button>
            ) : (
              t('byHand')
            )}
          </>
        )}
      </TableCell>
      <TableCell>
        {!isEach && !isHolder && <WidthBox file={ui} pointer={`${at}/ui:options/width`} name={name} />}
      </TableCell>
      <TableCell>
        {!isEach && (
          <>
            {rule === undefined
              ? t('always_')
              : t('when', { rule: describeJsonLogic(rule, createFieldLogicNames(set, screen, name)) })}{' '}
            {parseRuleConditions(rule) === null ? (
              t('byHand')
            ) : (
              <Button aria-label={t('condition', { field: title })} onClick={() => onTask('condition')}>
                {t('conditionShort')}
              </Button>
            )}
          </>
        )}
      </TableCell>
    </TableRow>
  );
}

interface TextCellProps {
  readonly file: string;
  readonly pointer: string;
  readonly label: string;
  readonly placeholder: string;
}

function TextCell({ file, pointer, label, placeholder }: TextCellProps) {
  const studio = useStudio();
  const own = readFileValue(studio.set, file, pointer);
  const text = findPendingText(studio.pending, file, pointer) ?? (typeof own === 'string' ? own : undefined);
  return (
    <Textarea
      aria-label={label}
      value={text ?? ''}
      placeholder={placeholder}
      onChange={(_, { value }) => studio.stage(file, createValueEdit(pointer, value === '' ? undefined : value))}
    />
  );
}

function WidthBox({ file, pointer, name }: Pick<TextCellProps, 'file' | 'pointer'> & { readonly name: string }) {
  const studio = useStudio();
  const isHalf = readFileValue(studio.set, file, pointer) === 'half';
  const edit: JsonEdit = isHalf ? createValueRemovalEdit(studio.set, file, pointer) : { pointer, value: 'half' };
  return (
    <Checkbox
      aria-label={`${t('half')}: ${name}`}
      checked={isHalf}
      disabled={studio.busy}
      onChange={() => void studio.write(buildFileChanges(studio.set, file, [edit]))}
    />
  );
}
