import { asObject } from '../../../engine/core/json.ts';
import { useState } from 'react';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { asText, listParts } from '../../json-parts.ts';
import type { FileChange, StudioSet } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { BilingualFields, CheckField, ChoiceField, IndexField, TextField, createBinder } from '../controls.tsx';
import {
  buildFileChanges,
  createEdit,
  resolveScreenFiles,
  buildFlowPath,
  readList,
  type BilingualText,
} from '../definition-set.ts';
import { listStates } from '../tasks/flow-states.ts';
import { createPlaceDescriber, listStateChoices } from '../titles.ts';
import { useStudio } from '../use-studio.ts';
import { ConfirmTask } from './confirm-task.tsx';
import { createTargetEdits, listTargets, listNotices } from './transition-edits.ts';

export function ButtonEditForm({ screen, onDone }: { screen: string; onDone: () => void }) {
  const { set } = useStudio();
  const { chosen: button, typed, bind, picker } = useSelectedItem(listButtons(set, screen));
  if (!button) return null;
  const now = { ...button, ...typed };
  return (
    <ConfirmTask title={t('editButton')} changes={createButtonChanges(set, screen, button, now)} onDone={onDone}>
      <IndexField label={t('removeWhat')} {...picker} />
      <div className="studio-fields">
        <BilingualFields label={t('buttonText')} {...bind(now, 'text')} />
        {button.to !== '' && <TextField label={t('linkTo')} {...bind(now, 'to')} required />}
        {button.pointer.startsWith('/actions') && <CheckField label={t('primary')} {...bind(now, 'primary')} />}
      </div>
    </ConfirmTask>
  );
}

/** Hook that selects one of several items. Selecting another item discards the edits. */
function useSelectedItem<Item extends { readonly place: string }>(items: readonly Item[]) {
  const [{ index, typed }, set] = useState({ index: 0, typed: {} as Partial<Item> });
  return {
    chosen: items[index],
    typed,
    bind: <Key extends keyof Item>(now: Item, key: Key) =>
      createBinder(now, (part) => set({ index, typed: { ...typed, ...part } }))(key),
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

function listButtons(set: StudioSet, screen: string): readonly ButtonDefinition[] {
  const { ui } = resolveScreenFiles(screen);
  const describePlace = createPlaceDescriber(set, ui);
  return ['/actions', '/links'].flatMap((list) =>
    listParts(readList(set, ui, list), list).map(([, entry, pointer]) => {
      const { texts = {}, address = '' } = set.texts[screen]?.find((text) => text.pointer === `${pointer}/text`) ?? {};
      const { es = '', pt = '' } = texts;
      const { to, primary } = asObject(entry);
      const place = `${describePlace(pointer)}: ${es}`;
      return { pointer, place, text: { es, pt }, address, to: asText(to), primary: primary === true };
    }),
  );
}

function createButtonChanges(
  set: StudioSet,
  screen: string,
  before: ButtonDefinition,
  now: Pick<ButtonDefinition, 'text' | 'to' | 'primary'>,
): readonly FileChange[] {
  const { ui, pt } = resolveScreenFiles(screen);
  // The translation identifies a link by its target.
  const isMoved = now.to !== before.to && before.address === `/links/${escapePointer(before.to)}`;
  const address = isMoved ? `/links/${escapePointer(now.to)}` : before.address;
  return [
    ...buildFileChanges(set, ui, [
      ...(now.text.es === before.text.es ? [] : [createEdit(`${before.pointer}/text`, now.text.es)]),
      ...(now.to === before.to ? [] : [createEdit(`${before.pointer}/to`, now.to)]),
      ...(now.primary === before.primary ? [] : [createEdit(`${before.pointer}/primary`, now.primary || undefined)]),
    ]),
    ...buildFileChanges(set, pt, [
      ...(isMoved ? [{ pointer: before.address }] : []),
      ...(isMoved || now.text.pt !== before.text.pt ? [createEdit(address, now.text.pt)] : []),
    ]),
  ];
}

/** Option that leaves the target unchanged. */
const unchangedTarget = '=';

export function TargetEditForm({ flow, onDone }: { flow: string; onDone: () => void }) {
  const { set } = useStudio();
  const { chosen: lead, typed, bind, picker } = useSelectedItem(listTargets(set, flow));
  if (!lead) return null;
  const target = typed.target ?? (lead.leaves === '' ? lead.target : unchangedTarget);
  const notice = typed.notice ?? lead.notice;
  const notices = listNotices(set, flow, { ...lead, target });
  const edits = createTargetEdits(lead, { target: target === unchangedTarget ? undefined : target, notice });
  return (
    <ConfirmTask title={t('editBranch')} changes={buildFileChanges(set, buildFlowPath(flow), edits)} onDone={onDone}>
      <IndexField label={t('rulePlace')} {...picker} />
      <div className="studio-fields">
        <ChoiceField
          label={t('leadsTo')}
          {...bind({ ...lead, target }, 'target')}
          options={[
            ...(lead.leaves === '' ? [] : [[unchangedTarget, lead.leaves] as const]),
            ['', t('stay')],
            ...listStateChoices(set, listStates(set, flow)),
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
    </ConfirmTask>
  );
}
