import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import type { Flow } from '../../../engine/core/definition.ts';
import type { Json } from '../../../engine/core/json.ts';
import type { StudioEdit } from '../../studio-data.ts';
import { parseJson } from '../../json-parts.ts';
import { t } from '../../texts.ts';
import { branchPlaces } from '../../walk/branches.ts';
import { slim, type Walk, type WalkAnswer, type WalkError } from '../../walk/walk.ts';
import type { WalkReport } from '../../walk/walk-messages.ts';
import { TextField, ChoiceField, Frame } from '../controls.tsx';
import type { Studio } from '../use-studio.ts';
import type { FlowNames } from '../titles.ts';
import { untakenSentence } from './walk-sentences.ts';
import type { StudioFacts } from '../../dev-data.ts';
import type { MadeOperation } from '../../walk/replay.ts';

const walksFormat = '../../../schemas/_formats/walks.schema.json';

interface FileProps {
  readonly studio: Studio;
  readonly file: string;
  readonly walks: readonly Walk[];
}

/** Form to save a scenario as a test, with the result of each step. Replaces one of the same name. */
export function KeepForm({ studio, file, walks, walk, report }: FileProps & { walk: Walk; report: WalkReport }) {
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? walk.name;
  const at = walks.findIndex((own) => own.name === name);
  const kept = recorded({ ...walk, name }, report);
  const edit = { pointer: `/walks/${at < 0 ? '-' : at}`, value: kept as unknown as Json }; // a scenario is JSON
  return (
    <form
      aria-label={t('keepWalk')}
      onSubmit={(event) => {
        event.preventDefault();
        void write(studio, file, [edit]);
      }}
    >
      <div className="studio-fields">
        <TextField label={t('walkName')} value={name} required onChange={setTyped} />
      </div>
      <Button type="submit" appearance="primary" disabled={studio.busy || report.pending !== null}>
        {t(at < 0 ? 'keepWalk' : 'replaceWalk')}
      </Button>
    </form>
  );
}

interface CoverFormProps extends FileProps {
  readonly flow: Flow;
  readonly names: FlowNames;
  /** Branches that the scenarios cover. `null` until counted. */
  readonly taken: readonly string[] | null;
  readonly onCount: () => void;
}

export function CoverForm({ studio, file, flow, names, walks, taken, onCount }: CoverFormProps) {
  const places = branchPlaces(flow);
  const untaken = taken === null ? [] : places.filter(({ id }) => !taken.includes(id));
  const proposed = untaken.filter(({ id }) => !walks.some(({ name }) => name === id));
  const edits = proposed.map((place) => ({
    pointer: '/walks/-',
    value: { name: place.id, todo: untakenSentence(place, names) },
  }));
  return (
    <section aria-label={t('cover')}>
      <Button onClick={onCount}>{t('cover')}</Button>
      <p role="status">
        {taken !== null && t('covered', { taken: places.length - untaken.length, all: places.length })}
      </p>
      {proposed.length > 0 && (
        <>
          <ul className="studio-cases">
            {proposed.map((place) => (
              <li key={place.id}>
                <code>{place.id}</code> {untakenSentence(place, names)}
              </li>
            ))}
          </ul>
          <p>
            {t('willWrite', { files: file })}{' '}
            <Button disabled={studio.busy} onClick={() => void write(studio, file, edits)}>
              {t('keepTodos', { count: proposed.length })}
            </Button>
          </p>
        </>
      )}
    </section>
  );
}

function recorded({ name, at, search, params, facts, operations, steps = [] }: Walk, { moments }: WalkReport): Walk {
  const [arrival] = moments;
  return {
    name,
    ...(at === undefined ? {} : { at }),
    ...(search === undefined ? {} : { search }),
    ...(params === undefined ? {} : { params }),
    ...(facts === undefined ? {} : { facts }),
    ...(operations === undefined || operations.length === 0 ? {} : { operations }),
    ...(arrival ? { then: slim(arrival.place) } : {}),
    ...(steps.length === 0
      ? {}
      : {
          steps: steps.map(({ then: _, ...step }, index) => {
            const moment = moments[index + 1];
            return moment ? { ...step, then: slim(moment.place) } : step;
          }),
        }),
  };
}

function write(studio: Studio, file: string, edits: readonly StudioEdit[]): Promise<boolean> {
  const base = studio.set.files[file]?.version ?? null;
  const walks = edits.map(({ value = null }) => value);
  return studio.write([
    { file, base, edits: base === null ? [{ pointer: '', value: { $schema: walksFormat, walks } }] : edits },
  ]);
}

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
    const value = parseJson(text);
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
