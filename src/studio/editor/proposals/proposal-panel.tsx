import { Button, ToggleButton } from '@fluentui/react-components';
import { useCallback, useEffect, useRef, useState } from 'react';
import { proposedEvent } from '../../drawn-at.ts';
import {
  proposalAddresses,
  type Person,
  type Proposal,
  type ProposalAct,
  type ProposalList,
} from '../../proposal-data.ts';
import { t } from '../../texts.ts';
import { TextField } from '../controls.tsx';
import { Rows } from '../rows.tsx';
import type { Studio } from '../use-studio.ts';
import { ProposalDetail } from './proposal-detail.tsx';

/** The open proposals, what proposes the edited files, and the chosen one with all that is to be looked at. */
export function ProposalPanel({ studio }: { studio: Studio }) {
  const { read, reading } = studio;
  const [known, setKnown] = useState<ProposalList | null>();
  const [chosen, setChosen] = useState('');
  const [told, setTold] = useState('');
  const [acted, setActed] = useState(0);
  const isActing = useRef(false);
  useEffect(() => {
    let isOver = false;
    void read<ProposalList | null>(proposalAddresses.list).then(
      (list) => !isOver && setKnown(list),
      () => undefined, // what was read stays until the server is back
    );
    return () => {
      isOver = true;
    };
  }, [read, reading, acted]);
  useEffect(() => {
    // What this page does, it looks at once it is answered.
    const heard = (): void => setActed((before) => (isActing.current ? before : before + 1));
    addEventListener(proposedEvent, heard);
    return () => removeEventListener(proposedEvent, heard);
  }, []);
  const act = useCallback(
    async (own: ProposalAct): Promise<boolean> => {
      isActing.current = true;
      const answer = await studio.act(own);
      isActing.current = false;
      setTold(answer.outcome === 'done' ? t(`acted-${own.kind}`, { name: answer.name }) : reasonOf(answer.reason));
      setActed((before) => before + 1);
      if (answer.outcome === 'done') setChosen(answer.name);
      return answer.outcome === 'done';
    },
    [studio],
  );
  if (known === undefined) return null;
  if (known === null) return <p>{t('noGit')}</p>;
  const proposal = known.list.find(({ name }) => name === chosen);
  return (
    <>
      <p role="status">{told}</p>
      {!known.me ? <p>{t('noPerson')}</p> : known.mayWrite ? <ProposeForm onAct={act} /> : <p>{t('mayNotPropose')}</p>}
      <h2>{t('openProposals')}</h2>
      {known.list.length === 0 ? (
        <p>{t('noProposals')}</p>
      ) : (
        <Rows
          label={t('openProposals')}
          rows={known.list}
          keyOf={({ name }) => name}
          columns={[
            {
              title: t('proposal'),
              cell: ({ name, title }) => (
                <ToggleButton checked={name === chosen} onClick={() => setChosen(name === chosen ? '' : name)}>
                  {title}
                </ToggleButton>
              ),
            },
            { title: t('proposedBy'), cell: ({ authors }) => namesOf(authors) },
            { title: t('proposalState'), cell: stateOf },
          ]}
        />
      )}
      {proposal && <ProposalDetail key={proposal.name} studio={studio} proposal={proposal} acted={acted} onAct={act} />}
    </>
  );
}

function ProposeForm({ onAct }: { onAct: (act: ProposalAct) => Promise<boolean> }) {
  const [title, setTitle] = useState('');
  return (
    <form
      className="studio-task"
      aria-label={t('propose')}
      onSubmit={(event) => {
        event.preventDefault();
        void onAct({ kind: 'propose', title }).then((isDone) => isDone && setTitle(''));
      }}
    >
      <p>{t('proposeHow')}</p>
      <TextField label={t('proposeTitle')} value={title} required onChange={setTitle} />
      <p className="studio-buttons">
        <Button type="submit" appearance="primary">
          {t('propose')}
        </Button>
      </p>
    </form>
  );
}

function stateOf({ approvals }: Proposal): string {
  return approvals.length === 0 ? t('notApproved') : t('approvedBy', { names: namesOf(approvals) });
}

function namesOf(people: readonly Person[]): string {
  return people.map(({ name }) => name).join(', ');
}

const reasons = [
  'git',
  'person',
  'reader',
  'same',
  'title',
  'taken',
  'unknown',
  'moved',
  'author',
  'list',
  'approved',
] as const;

function reasonOf(reason: string): string {
  const known = reasons.find((one) => one === reason);
  return known ? t(`unacted-${known}`) : t('unacted-other', { reason });
}
