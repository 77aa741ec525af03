import { useState } from 'react';
import type { Json } from '../../../engine/core/json.ts';
import type { StudioFacts } from '../../dev-data.ts';
import { t } from '../../texts.ts';
import type { MadeOperation } from '../../walk/replay.ts';
import type { WalkAnswer, WalkError } from '../../walk/walk.ts';
import { ChoiceField, Frame, TextField } from '../controls.tsx';

interface AnswerFormProps {
  readonly made: MadeOperation;
  readonly facts: StudioFacts;
  /** Response of the development server, as the initial value. `null` if it was not requested. */
  readonly asked: WalkAnswer | null;
  readonly onAsk: () => void;
  readonly onAnswer: (answer: WalkAnswer) => void;
}

export function AnswerForm({ made, facts, asked, onAsk, onAnswer }: AnswerFormProps) {
  const { operation } = made;
  const [kind, setKind] = useState(asked?.error ? (asked.error.code ?? '*') : '');
  const [text, setText] = useState(() =>
    layOut((asked?.error as Json | undefined) ?? asked?.result ?? facts.samples[operation] ?? {}),
  ); // an error is JSON
  const [isBroken, setBroken] = useState(false);
  const codes = [...new Set([...(facts.operations[operation] ?? []), ...facts.commonErrors])];
  const choose = (code: string): void => {
    setKind(code);
    setText(
      layOut(code === '' ? (facts.samples[operation] ?? {}) : code === '*' ? { status: 500 } : { code, status: 400 }),
    );
  };
  const submit = (): void => {
    const value = read(text);
    setBroken(value === undefined);
    if (value === undefined) return;
    onAnswer(kind === '' ? { operation, result: value } : { operation, error: value as WalkError }); // checked against its format when it is saved
  };
  return (
    <Frame
      title={t('whatAnswers', { operation })}
      action={t('answer')}
      other={t('askServer')}
      onSubmit={submit}
      onCancel={onAsk}
    >
      <p>
        <code>{JSON.stringify({ ...made.params, ...(made.body === null ? {} : { body: made.body }) })}</code>
      </p>
      <div className="studio-fields">
        <ChoiceField
          label={t('answerKind')}
          value={kind}
          options={[['', t('answerGood')], ...codes.map((code) => [code, code] as const), ['*', t('answerOther')]]}
          onChange={choose}
        />
        <TextField label={t('answerText')} value={text} long onChange={setText} />
      </div>
      {isBroken && <p role="alert">{t('answerBroken')}</p>}
    </Frame>
  );
}

function layOut(value: Json): string {
  return JSON.stringify(value, null, 2);
}

function read(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
