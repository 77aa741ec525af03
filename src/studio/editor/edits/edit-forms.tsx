import { useState } from 'react';
import { t } from '../../texts.ts';
import { BothFields, CheckField, ChoiceField, TextField } from '../controls.tsx';
import { statesOf } from '../tasks/flow-tasks.ts';
import { stateChoices, placesIn } from '../titles.ts';
import type { Studio } from '../use-studio.ts';
import { LookedTask } from './looked-task.tsx';
import { leadChanges, leadsOf, noticesOf } from './transition-edits.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { FileChange, StudioEdit, StudioSet } from '../../studio-data.ts';
import { valueIn } from '../pending.ts';
import { filesOf, type Both } from '../tasks/screen-tasks.ts';

interface ButtonEditFormProps {
  readonly studio: Studio;
  readonly screen: string;
  readonly onDone: () => void;
}

export function ButtonEditForm({ studio, screen, onDone }: ButtonEditFormProps) {
  const buttons = buttonsOf(studio.set, screen);
  const [chosen, setChosen] = useState(0);
  const [typed, setTyped] = useState<Partial<WrittenButton>>({});
  const button = buttons[chosen];
  if (!button) return null;
  const now = { ...button, ...typed };
  const change = (part: Partial<WrittenButton>): void => setTyped({ ...typed, ...part });
  return (
    <LookedTask
      studio={studio}
      title={t('editButton')}
      changes={buttonChanges(studio.set, screen, button, now)}
      action={t('apply')}
      onDone={onDone}
    >
      <ChoiceField
        label={t('removeWhat')}
        value={String(chosen)}
        options={buttons.map(({ place }, index) => [String(index), place])}
        onChange={(next) => {
          setChosen(Number(next));
          setTyped({});
        }}
      />
      <div className="studio-fields">
        <BothFields label={t('buttonText')} value={now.text} onChange={(text) => change({ text })} />
        {button.to !== '' && (
          <TextField label={t('linkTo')} value={now.to} required onChange={(to) => change({ to })} />
        )}
        {button.pointer.startsWith('/actions') && (
          <CheckField label={t('primary')} checked={now.primary} onChange={(primary) => change({ primary })} />
        )}
      </div>
    </LookedTask>
  );
}

interface LeadEditFormProps {
  readonly studio: Studio;
  readonly flow: string;
  readonly onDone: () => void;
}

/** Option that keeps the current target. */
const asWritten = '=';

export function LeadEditForm({ studio, flow, onDone }: LeadEditFormProps) {
  const leads = leadsOf(studio.set, flow);
  const [chosen, setChosen] = useState(0);
  const [typed, setTyped] = useState<{ readonly target?: string; readonly notice?: string }>({});
  const lead = leads[chosen];
  if (!lead) return null;
  const target = typed.target ?? (lead.leaves === '' ? lead.target : asWritten);
  const notice = typed.notice ?? lead.notice;
  const notices = noticesOf(studio.set, flow, { ...lead, target });
  return (
    <LookedTask
      studio={studio}
      title={t('editBranch')}
      changes={leadChanges(studio.set, flow, lead, { target: target === asWritten ? undefined : target, notice })}
      action={t('apply')}
      onDone={onDone}
    >
      <ChoiceField
        label={t('rulePlace')}
        value={String(chosen)}
        options={leads.map(({ place }, index) => [String(index), place])}
        onChange={(next) => {
          setChosen(Number(next));
          setTyped({});
        }}
      />
      <div className="studio-fields">
        <ChoiceField
          label={t('leadsTo')}
          value={target}
          options={[
            ...(lead.leaves === '' ? [] : [[asWritten, lead.leaves] as const]),
            ['', t('stay')],
            ...stateChoices(studio.set, statesOf(studio.set, flow)),
          ]}
          onChange={(next) => setTyped({ ...typed, target: next })}
        />
        <ChoiceField
          label={t('noticeRaised')}
          value={notice}
          options={[
            ['', t('noNotice')],
            ...notices,
            ...(notice === '' || notices.some(([name]) => name === notice) ? [] : [[notice, notice] as const]),
          ]}
          onChange={(next) => setTyped({ ...typed, notice: next })}
        />
      </div>
    </LookedTask>
  );
}

interface WrittenButton {
  readonly pointer: string;
  /** Description of the place for the analyst. */
  readonly place: string;
  readonly text: Both;
  /** Pointer to its text in the translation. */
  readonly address: string;
  /** Target of a link. Empty for a button. */
  readonly to: string;
  readonly primary: boolean;
}

function buttonsOf(set: StudioSet, screen: string): readonly WrittenButton[] {
  const { ui } = filesOf(screen);
  const placeOf = placesIn(set, ui);
  return ['/actions', '/links'].flatMap((list) => {
    const entries = valueIn(set, ui, list);
    return (Array.isArray(entries) ? entries : []).flatMap((entry: Json, index) => {
      if (!isObject(entry)) return [];
      const pointer = `${list}/${index}`;
      const own = set.texts[screen]?.find((text) => text.pointer === `${pointer}/text`);
      const { to, primary } = entry as JsonObject;
      return {
        pointer,
        place: `${placeOf(pointer)}: ${own?.texts['es'] ?? ''}`,
        text: { es: own?.texts['es'] ?? '', pt: own?.texts['pt'] ?? '' },
        address: own?.address ?? '',
        to: typeof to === 'string' ? to : '',
        primary: primary === true,
      };
    });
  });
}

function buttonChanges(
  set: StudioSet,
  screen: string,
  before: WrittenButton,
  now: Pick<WrittenButton, 'text' | 'to' | 'primary'>,
): readonly FileChange[] {
  const { ui, pt } = filesOf(screen);
  const own: readonly StudioEdit[] = [
    ...(now.text.es === before.text.es ? [] : [{ pointer: `${before.pointer}/text`, value: now.text.es }]),
    ...(now.to === before.to ? [] : [{ pointer: `${before.pointer}/to`, value: now.to }]),
    ...(now.primary === before.primary
      ? []
      : [
          now.primary
            ? { pointer: `${before.pointer}/primary`, value: true }
            : { pointer: `${before.pointer}/primary` },
        ]),
  ];
  // The translation identifies a link by its target.
  const isMoved = now.to !== before.to && before.address === `/links/${escapePointer(before.to)}`;
  const address = isMoved ? `/links/${escapePointer(now.to)}` : before.address;
  const translated: readonly StudioEdit[] = [
    ...(isMoved ? [{ pointer: before.address }] : []),
    ...(isMoved || now.text.pt !== before.text.pt ? [{ pointer: address, value: now.text.pt }] : []),
  ];
  const change = (file: string, edits: readonly StudioEdit[]): readonly FileChange[] =>
    edits.length === 0 ? [] : [{ file, base: set.files[file]?.version ?? null, edits }];
  return [...change(ui, own), ...change(pt, translated)];
}
