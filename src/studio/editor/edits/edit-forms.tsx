import { useState } from 'react';
import { t } from '../../texts.ts';
import { BothFields, CheckField, ChoiceField, TextField } from '../controls.tsx';
import { statesOf } from '../tasks/flow-tasks.ts';
import { stateChoices } from '../titles.ts';
import type { Studio } from '../use-studio.ts';
import { buttonChanges, buttonsOf, type WrittenButton } from './button-edits.ts';
import { LookedTask } from './looked-task.tsx';
import { leadChanges, leadsOf, noticesOf } from './transition-edits.ts';

interface ButtonEditFormProps {
  readonly studio: Studio;
  readonly screen: string;
  readonly onDone: () => void;
}

/** Edits what a button or link says, where the link leads, and whether the button is the main one. */
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

/** What a lead does as it is written. */
const asWritten = '=';

/** Edits where a transition or one of its branches leads, and the notice that it raises. */
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
