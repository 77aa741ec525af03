import { Button, Checkbox, TableCell, TableHeaderCell, TableRow, Textarea } from '@fluentui/react-components';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import type { StudioEdit } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { removal } from '../edits/field-edits.ts';
import { pendingText } from '../panels/text-panel.tsx';
import { asObject } from '../../json-parts.ts';
import { changesTo, editAt, resolveScreenFiles, valueIn } from '../files.ts';
import { parseConditions } from '../tasks/value-field.tsx';
import { logicSentence } from '../tasks/logic-sentence.ts';
import { namesFor } from '../tasks/rule-places.ts';
import type { drawnFields } from '../titles.ts';
import { useStudio } from '../use-studio.ts';
import { findDependence } from './dependent-choices.ts';
import { isGroup, isItems, isList, isRequired, lastStep, schemaPlace, uiPlace } from './field-place.ts';

interface FieldRowProps {
  readonly screen: string;
  readonly name: string;
  readonly section: string;
  readonly fields: ReturnType<typeof drawnFields>;
  readonly onCondition: () => void;
  readonly onEdit: () => void;
  readonly onRequired: (isRequired: boolean) => void;
}

export function createRowId(name: string): string {
  return `row.${name}`;
}

export function FieldRow({ screen, name, section, fields, ...on }: FieldRowProps) {
  const { set, busy } = useStudio();
  const { schema, ui } = resolveScreenFiles(screen);
  const at = uiPlace(name);
  const own = valueIn(set, schema, schemaPlace(set, screen, name));
  const rule = valueIn(set, ui, `/visible/${escapePointer(name)}`);
  const computed = valueIn(set, schema, `/computed/${escapePointer(name)}`);
  const isEach = isItems(set, screen, name);
  const follows = findDependence(set, screen, name)?.on;
  const title = fields[name]?.title ?? name;
  const isHolder = isGroup(asObject(own)) || isList(asObject(own));
  return (
    <TableRow id={createRowId(name)}>
      <TableHeaderCell scope="row" style={{ paddingInlineStart: `${0.25 + name.split('.').slice(1).length}rem` }}>
        {isEach ? t('eachItem') : <code>{lastStep(name)}</code>}
        {section !== '' && <span className="studio-aside"> {section}</span>}{' '}
        <Button aria-label={t('editField', { name: title })} onClick={on.onEdit}>
          {t('edit')}
        </Button>
      </TableHeaderCell>
      <TableCell className="studio-texts">
        <TextCell file={ui} pointer={`${at}/ui:title`} label={`${t('label')}: ${name}`} placeholder={title} />
        {!isEach && (
          <TextCell file={ui} pointer={`${at}/ui:help`} label={`${t('help')}: ${name}`} placeholder={t('help')} />
        )}
        {computed !== undefined && <p>{t('computedAs', { rule: logicSentence(computed, { fields }) })}</p>}
        {follows !== undefined && <p>{t('followsField', { name: fields[follows]?.title ?? follows })}</p>}
      </TableCell>
      <TableCell>
        {!isEach && computed === undefined && (
          <Checkbox
            aria-label={`${t('required')}: ${name}`}
            checked={isRequired(set, screen, name)}
            disabled={busy}
            onChange={(_, { checked }) => on.onRequired(checked === true)}
          />
        )}
      </TableCell>
      <TableCell>
        {!isEach && !isHolder && <WidthBox file={ui} pointer={`${at}/ui:options/width`} name={name} />}
      </TableCell>
      <TableCell>
        {!isEach && (
          <>
            {rule === undefined ? t('always_') : t('when', { rule: logicSentence(rule, namesFor(set, screen, name)) })}{' '}
            {parseConditions(rule) === null ? (
              t('byHand')
            ) : (
              <Button aria-label={t('condition', { field: title })} onClick={on.onCondition}>
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
  const own = valueIn(studio.set, file, pointer);
  const text = pendingText(studio.pending, file, pointer) ?? (typeof own === 'string' ? own : undefined);
  return (
    <Textarea
      aria-label={label}
      value={text ?? ''}
      placeholder={placeholder}
      onChange={(_, { value }) => studio.stage(file, editAt(pointer, value === '' ? undefined : value))}
    />
  );
}

function WidthBox({ file, pointer, name }: Pick<TextCellProps, 'file' | 'pointer'> & { readonly name: string }) {
  const studio = useStudio();
  const isHalf = valueIn(studio.set, file, pointer) === 'half';
  const edit: StudioEdit = isHalf ? removal(studio.set, file, pointer) : { pointer, value: 'half' };
  return (
    <Checkbox
      aria-label={`${t('half')}: ${name}`}
      checked={isHalf}
      disabled={studio.busy}
      onChange={() => void studio.write(changesTo(studio.set, file, [edit]))}
    />
  );
}
