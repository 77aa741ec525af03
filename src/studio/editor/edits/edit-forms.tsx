import { asObject } from '../../../engine/core/json.ts';
import { useState } from 'react';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { asText, partsWithin } from '../../json-parts.ts';
import type { FileChange, StudioSet } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { BilingualFields, CheckField, ChoiceField, PickField, TextField, bindTo } from '../controls.tsx';
import { buildFileChanges, editAt, resolveScreenFiles, flowFile, listIn, type Both } from '../files.ts';
import { listStates } from '../tasks/flow-tasks.ts';
import { placesIn, stateChoices } from '../titles.ts';
import { useStudio } from '../use-studio.ts';
import { ConfirmTask } from './confirm-task.tsx';
import { createTargetEdits, listTargets, listNotices } from './transition-edits.ts';

export function ButtonEditForm({ screen, onDone }: { screen: string; onDone: () => void }) {
  const { set } = useStudio();
  const { chosen: button, typed, bind, picker } = usePicked(listButtons(set, screen));
  if (!button) return null;
  const now = { ...button, ...typed };
  return (
    <ConfirmTask title={t('editButton')} changes={buttonChanges(set, screen, button, now)} onDone={onDone}>
      <PickField label={t('removeWhat')} {...picker} />
      <div className="studio-fields">
        <BilingualFields label={t('buttonText')} {...bind(now, 'text')} />
        {button.to !== '' && <TextField label={t('linkTo')} {...bind(now, 'to')} required />}
        {button.pointer.startsWith('/actions') && <CheckField label={t('primary')} {...bind(now, 'primary')} />}
      </div>
    </ConfirmTask>
  );
}

/** Selects one of several items, and collects its edits until another one is selected. */
function usePicked<Item extends { readonly place: string }>(items: readonly Item[]) {
  const [{ index, typed }, set] = useState({ index: 0, typed: {} as Partial<Item> });
  return {
    chosen: items[index],
    typed,
    bind: <Key extends keyof Item>(now: Item, key: Key) =>
      bindTo(now, (part) => set({ index, typed: { ...typed, ...part } }))(key),
    picker: {
      value: index,
      options: items.map(({ place }) => place),
      onChange: (next: number) => set({ index: next, typed: {} }),
    },
  };
}

interface WrittenButton {
  readonly pointer: string;
  readonly place: string;
  readonly text: Both;
  /** Pointer to the element's text in the translation. */
  readonly address: string;
  /** Target of a link. Empty for a button. */
  readonly to: string;
  readonly primary: boolean;
}

function listButtons(set: StudioSet, screen: string): readonly WrittenButton[] {
  const { ui } = resolveScreenFiles(screen);
  const describePlace = placesIn(set, ui);
  return ['/actions', '/links'].flatMap((list) =>
    partsWithin(listIn(set, ui, list), list).map(([, entry, pointer]) => {
      const { texts = {}, address = '' } = set.texts[screen]?.find((text) => text.pointer === `${pointer}/text`) ?? {};
      const { es = '', pt = '' } = texts;
      const { to, primary } = asObject(entry);
      const place = `${describePlace(pointer)}: ${es}`;
      return { pointer, place, text: { es, pt }, address, to: asText(to), primary: primary === true };
    }),
  );
}

function buttonChanges(
  set: StudioSet,
  screen: string,
  before: WrittenButton,
  now: Pick<WrittenButton, 'text' | 'to' | 'primary'>,
): readonly FileChange[] {
  const { ui, pt } = resolveScreenFiles(screen);
  // The translation identifies a link by its target.
  const isMoved = now.to !== before.to && before.address === `/links/${escapePointer(before.to)}`;
  const address = isMoved ? `/links/${escapePointer(now.to)}` : before.address;
  return [
    ...buildFileChanges(set, ui, [
      ...(now.text.es === before.text.es ? [] : [editAt(`${before.pointer}/text`, now.text.es)]),
      ...(now.to === before.to ? [] : [editAt(`${before.pointer}/to`, now.to)]),
      ...(now.primary === before.primary ? [] : [editAt(`${before.pointer}/primary`, now.primary || undefined)]),
    ]),
    ...buildFileChanges(set, pt, [
      ...(isMoved ? [{ pointer: before.address }] : []),
      ...(isMoved || now.text.pt !== before.text.pt ? [editAt(address, now.text.pt)] : []),
    ]),
  ];
}

/** Option that keeps the current target. */
const asWritten = '=';

export function TargetEditForm({ flow, onDone }: { flow: string; onDone: () => void }) {
  const { set } = useStudio();
  const { chosen: lead, typed, bind, picker } = usePicked(listTargets(set, flow));
  if (!lead) return null;
  const target = typed.target ?? (lead.leaves === '' ? lead.target : asWritten);
  const notice = typed.notice ?? lead.notice;
  const notices = listNotices(set, flow, { ...lead, target });
  const edits = createTargetEdits(lead, { target: target === asWritten ? undefined : target, notice });
  return (
    <ConfirmTask title={t('editBranch')} changes={buildFileChanges(set, flowFile(flow), edits)} onDone={onDone}>
      <PickField label={t('rulePlace')} {...picker} />
      <div className="studio-fields">
        <ChoiceField
          label={t('leadsTo')}
          {...bind({ ...lead, target }, 'target')}
          options={[
            ...(lead.leaves === '' ? [] : [[asWritten, lead.leaves] as const]),
            ['', t('stay')],
            ...stateChoices(set, listStates(set, flow)),
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
