import { Button } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { describeFault } from '../../describe-fault.ts';
import {
  lineOf,
  proposalAddresses,
  type Proposal,
  type ProposalAct,
  type ProposalComment,
  type ProposalView,
} from '../../proposal-data.ts';
import { t } from '../../texts.ts';
import { Frame, TextField } from '../controls.tsx';
import { ProblemList } from '../panels/problem-list.tsx';
import type { Studio } from '../use-studio.ts';
import { Pictures } from './pictures.tsx';

interface ProposalDetailProps {
  readonly studio: Studio;
  readonly proposal: Proposal;
  /** Counts what was done with proposals: it is looked at again. */
  readonly acted: number;
  readonly onAct: (act: ProposalAct) => Promise<boolean>;
}

/** All that is to be looked at of a proposal: a line a change with what was said of it, pictures, cases, findings, and its approval. */
export function ProposalDetail({ studio, proposal: { name, head, title }, acted, onAct }: ProposalDetailProps) {
  const { read } = studio;
  const [seen, setSeen] = useState<{ readonly acted: number; readonly view: ProposalView | null }>();
  useEffect(() => {
    let isOver = false;
    void read<ProposalView | null>(`${proposalAddresses.one}?${new URLSearchParams({ name })}`).then(
      (view) => !isOver && setSeen({ acted, view }),
      () => undefined, // as above
    );
    return () => {
      isOver = true;
    };
  }, [read, name, head, acted]);
  const view = seen?.view;
  if (!view) return <p role="status">{t('walking')}</p>;
  const lines = new Set(view.changes.map(lineOf));
  // What was said of a line that was proposed otherwise since.
  const earlier = view.comments.filter(({ on }) => !lines.has(on));
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <h3>{t('proposalLines')}</h3>
      {view.changes.length === 0 && <p>{t('noLines')}</p>}
      <ul className="studio-proposals">
        {[...view.changes]
          .sort((one, other) => Number(other.breaking) - Number(one.breaking))
          .map((change) => {
            const line = lineOf(change);
            return (
              <li key={line}>
                {change.breaking && <strong>{t('breaking')}. </strong>}
                <Line
                  line={line}
                  comments={view.comments.filter(({ on }) => on === line)}
                  onComment={(text) => onAct({ kind: 'comment', name, on: line, text })}
                />
              </li>
            );
          })}
      </ul>
      {earlier.length > 0 && <h3>{t('earlierComments')}</h3>}
      {earlier.map((comment) => (
        <div key={keyOf(comment)}>
          <p>{comment.on}</p>
          <Comment comment={comment} />
        </div>
      ))}
      {view.screens.length > 0 && <Pictures studio={studio} view={view} />}
      <h3>{t('proposalCases')}</h3>
      {view.cases.length === 0 && <p>{t('none')}</p>}
      <ul>
        {view.cases.map(({ file, name: own, fault }) => (
          <li key={`${file} ${own} ${describeFault(fault)}`}>
            <code>{file}</code> {own}: {describeFault(fault)}
          </li>
        ))}
      </ul>
      <h3>{t('proposalFindings')}</h3>
      {view.findings.length === 0 ? <p>{t('none')}</p> : <ProblemList problems={view.findings} />}
      <p className="studio-buttons">
        <Button
          disabled={view.barred !== null || seen.acted !== acted} // what was seen is not what stands there
          onClick={() => void onAct({ kind: 'approve', name, head: view.head })}
        >
          {t('approve')}
        </Button>{' '}
        {view.barred && t(`barred-${view.barred}`)}
      </p>
    </section>
  );
}

interface LineProps {
  readonly line: string;
  readonly comments: readonly ProposalComment[];
  readonly onComment: (text: string) => Promise<boolean>;
}

function Line({ line, comments, onComment }: LineProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {line}{' '}
      <Button aria-label={t('commentOn', { line })} onClick={() => setOpen(true)}>
        {t('comment')}
      </Button>
      {comments.map((comment) => (
        <Comment key={keyOf(comment)} comment={comment} />
      ))}
      {isOpen && (
        <CommentForm
          line={line}
          onSend={(text) => void onComment(text).then((isDone) => isDone && setOpen(false))}
          onCancel={() => setOpen(false)}
        />
      )}
    </>
  );
}

function Comment({ comment: { by, text } }: { comment: ProposalComment }) {
  return (
    <blockquote className="studio-comment">
      <strong>{by.name}</strong> {text}
    </blockquote>
  );
}

function keyOf({ at, by, text }: ProposalComment): string {
  return at + by.email + text;
}

interface CommentFormProps {
  readonly line: string;
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
}

function CommentForm({ line, onSend, onCancel }: CommentFormProps) {
  const [text, setText] = useState('');
  return (
    <Frame title={t('commentOn', { line })} action={t('send')} onSubmit={() => onSend(text)} onCancel={onCancel}>
      <TextField label={t('commentText')} value={text} required long onChange={setText} />
    </Frame>
  );
}
