import { asObject } from '../../../engine/core/json.ts';
import { useState } from 'react';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { asTextOrEmpty, listJsonChildren } from '../../json-values.ts';
import type { FileChange, StudioDefinitions } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import {
  BilingualFields,
  CheckboxField,
  ChoiceField,
  IndexSelectField,
  TextField,
  createFieldBinder,
} from '../form-controls.tsx';
import {
  buildFileChanges,
  createValueEdit,
  buildScreenFilePaths,
  buildFlowFilePath,
  readFileList,
  type BilingualText,
} from '../definition-set.ts';
import { listFlowStates } from '../tasks/flow-states.ts';
import { createTextPlaceDescriber, listStateOptions } from '../titles.ts';
import { useStudio } from '../use-studio.ts';
import { ConfirmedEditForm } from './confirmed-edit-form.tsx';
import { createTransitionTargetEdits, listEditableTransitionBranches, listNoticeOptions } from './transition-edits.ts';

export function ButtonEditForm({ screen, onDone }: { screen: string; onDone: () => void }) {
  const { set } = useStudio();
  const { chosen: button, typed, bind, picker } = useSelectedItem(listButtons(set, screen));
  if (!button) return null;
  const now = { ...button, ...typed };
  return (
    <ConfirmedEditForm title={t('editButton')} changes={createButtonChanges(set, screen, button, now)} onDone={onDone}>
      <IndexSelectField label={t('removeWhat')} {...picker} />
      <div className="studio-fields">
        <BilingualFields label={t('buttonText')} {...bind(now, 'text')} />
        {button.to !== '' && <TextField label={t('linkTo')} {...bind(now, 'to')} required />}
        {button.pointer.startsWith('/actions') && <CheckboxField label={t('primary')} {...bind(now, 'primary')} />}
      </div>
    </ConfirmedEditForm>
  );
}

/** Hook that selects one of several items. Selecting another item discards the edits. */
function useSelectedItem<Item extends { readonly place: string }>(items: readonly Item[]) {
  const [{ index, typed }, set] = useState({ index: 0, typed: {} as Partial<Item> });
  return {
    chosen: items[index],
    typed,
    bind: <Key extends keyof Item>(now: Item, key: Key) =>
      createFieldBinder(now, (part) => set({ index, typed: { ...typed, ...part } }))(key),
    picker: {
      value: index,
      options: items.map(({ place }) => place),
      onChange: (next: number) => set({ index: next, typed: {} }),
    },
  };
}

interface ButtonDefinition {
  readonly pointer: string;
  readonly place: string;
  readonly text: BilingualText;
  /** JSON pointer to the element's text in the translation. */
  readonly address: string;
  /** Target of a link. Empty for a button. */
  readonly to: string;
  readonly primary: boolean;
}

function listButtons(set: StudioDefinitions, screen: string): readonly ButtonDefinition[] {
  const { ui } = buildScreenFilePaths(screen);
  const describePlace = createTextPlaceDescriber(set, ui);
  return ['/actions', '/links'].flatMap((list) =>
    listJsonChildren(readFileList(set, ui, list), list).map(([, entry, pointer]) => {
      const { texts = {}, address = '' } = set.texts[screen]?.find((text) => text.pointer === `${pointer}/text`) ?? {};
      const { es = '', pt = '' } = texts;
      const { to, primary } = asObject(entry);
      const place = `${describePlace(pointer)}: ${es}`;
      return { pointer, place, text: { es, pt }, address, to: asTextOrEmpty(to), primary: primary === true };
    }),
  );
}

function createButtonChanges(
  set: StudioDefinitions,
  screen: string,
  before: ButtonDefinition,
  now: Pick<ButtonDefinition, 'text' | 'to' | 'primary'>,
): readonly FileChange[] {
  const { ui, pt } = buildScreenFilePaths(screen);
  // A new target also changes the link's key in the translation, which identifies links by their targets.
  const isMoved = now.to !== before.to && before.address === `/links/${escapePointer(before.to)}`;
  const address = isMoved ? `/links/${escapePointer(now.to)}` : before.address;
  return [
    ...buildFileChanges(set, ui, [
      ...(now.text.es === before.text.es ? [] : [createValueEdit(`${before.pointer}/text`, now.text.es)]),
      ...(now.to === before.to ? [] : [createValueEdit(`${before.pointer}/to`, now.to)]),
      ...(now.primary === before.primary
        ? []
        : [createValueEdit(`${before.pointer}/primary`, now.primary || undefined)]),
    ]),
    ...buildFileChanges(set, pt, [
      ...(isMoved ? [{ pointer: before.address }] : []),
      ...(isMoved || now.text.pt !== before.text.pt ? [createValueEdit(address, now.text.pt)] : []),
    ]),
  ];
}

/** Option that leaves the target unchanged. */
const unchangedTarget = '=';

export function TransitionTargetEditForm({ flow, onDone }: { flow: string; onDone: () => void }) {
  const { set } = useStudio();
  const { chosen: lead, typed, bind, picker } = useSelectedItem(listEditableTransitionBranches(set, flow));
  if (!lead) return null;
  const target = typed.target ?? (lead.leaves === '' ? lead.target : unchangedTarget);
  const notice = typed.notice ?? lead.notice;
  const notices = listNoticeOptions(set, flow, { ...lead, target });
  const edits = createTransitionTargetEdits(lead, { target: target === unchangedTarget ? undefined : target, notice });
  return (
    <ConfirmedEditForm
      title={t('editBranch')}
      changes={buildFileChanges(set, buildFlowFilePath(flow), edits)}
      onDone={onDone}
    >
      <IndexSelectField label={t('rulePlace')} {...picker} />
      <div className="studio-fields">
        <ChoiceField
          label={t('leadsTo')}
          {...bind({ ...lead, target }, 'target')}
          options={[
            ...(lead.leaves === '' ? [] : [[unchangedTarget, lead.leaves] as const]),
            ['', t('stay')],
            ...listStateOptions(set, listFlowStates(set, flow)),
          ]}
        />
        <ChoiceField
          label={t('noticeRaised')}
          {...bind({ ...lead, notice }, 'notice')}
          options={[
            ['', t('noNotice')],
            ...notices,
            ...(notice === '' || notices.some(([name]) => name === notice) ? [] : [[notice, notice] as const]),
          ]}
        />
      </div>
    </ConfirmedEditForm>
  );
}
