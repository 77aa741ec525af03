import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import type { Flow } from '../../../engine/core/flow-and-screen-types.ts';
import type { Json } from '../../../engine/core/json.ts';
import type { JsonEdit } from '../../studio-api-types.ts';
import { parseJsonOrUndefined } from '../../json-values.ts';
import { t } from '../../texts.ts';
import {
  listLocatedTransitionBranches,
  type LocatedTransitionBranch,
} from '../../../engine/map/transition-branches.ts';
import {
  omitEmptyProperties,
  type Scenario,
  type ScriptedResponse,
  type ScriptedErrorResponse,
} from '../../scenario/scenario.ts';
import type { ScenarioReport } from '../../scenario/frame-messages.ts';
import { TextField, ChoiceField, EditTaskFrame, SubmitForm } from '../form-controls.tsx';
import { useStudio, type StudioContextValue } from '../use-studio.ts';
import type { FlowLabelFormatter } from '../titles.ts';
import type { SimulatedOperation, ReplayStep } from '../../scenario/replay.ts';
import { formatScenarioValue } from '../../scenario/describe-scenario-mismatch.ts';
import { describeJsonLogic } from '../tasks/describe-json-logic.ts';

const scenarioFormat = '../../../schemas/_formats/walks.schema.json';

interface FileProps {
  readonly file: string;
  readonly walks: readonly Scenario[];
}

/** Form that saves a scenario. It replaces a saved scenario with the same name. */
export function SaveScenarioForm({
  file,
  walks,
  walk,
  report,
}: FileProps & { walk: Scenario; report: ScenarioReport }) {
  const studio = useStudio();
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? walk.name;
  const at = walks.findIndex((own) => own.name === name);
  const scenario = addExpectedResults({ ...walk, name }, report);
  const edit = { pointer: `/walks/${at < 0 ? '-' : at}`, value: scenario as unknown as Json }; // `Scenario` contains only JSON, but is not assignable to `Json`
  return (
    <SubmitForm label={t('keepWalk')} onSubmit={() => void writeScenarioEdits(studio, file, [edit])}>
      <div className="studio-fields">
        <TextField label={t('walkName')} value={name} required onChange={setTyped} />
      </div>
      <Button type="submit" appearance="primary" disabled={studio.busy || report.pending !== null}>
        {t(at < 0 ? 'keepWalk' : 'replaceWalk')}
      </Button>
    </SubmitForm>
  );
}

interface CoverFormProps extends FileProps {
  readonly flow: Flow;
  readonly names: FlowLabelFormatter;
  /** Branches that the saved scenarios cover. `null` until computed. */
  readonly coveredBranches: readonly string[] | null;
  readonly onCount: () => void;
}

export function BranchCoverageForm({ file, flow, names, walks, coveredBranches, onCount }: CoverFormProps) {
  const studio = useStudio();
  const places = listLocatedTransitionBranches(flow);
  const untaken = coveredBranches === null ? [] : places.filter(({ id }) => !coveredBranches.includes(id));
  const proposed = untaken.filter(({ id }) => !walks.some(({ name }) => name === id));
  const edits = proposed.map((place) => ({
    pointer: '/walks/-',
    value: { name: place.id, todo: describeUntakenBranch(place, names) },
  }));
  return (
    <section aria-label={t('cover')}>
      <Button onClick={onCount}>{t('cover')}</Button>
      <p role="status">
        {coveredBranches !== null && t('covered', { taken: places.length - untaken.length, all: places.length })}
      </p>
      {proposed.length > 0 && (
        <>
          <ul className="studio-cases">
            {proposed.map((place) => (
              <li key={place.id}>
                <code>{place.id}</code> {describeUntakenBranch(place, names)}
              </li>
            ))}
          </ul>
          <p>
            {t('willWrite', { files: file })}{' '}
            <Button disabled={studio.busy} onClick={() => void writeScenarioEdits(studio, file, edits)}>
              {t('keepTodos', { count: proposed.length })}
            </Button>
          </p>
        </>
      )}
    </section>
  );
}

function addExpectedResults(
  { todo: _, steps = [], ...walk }: Scenario,
  { steps: [arrival, ...moments] }: ScenarioReport,
): Scenario {
  return omitEmptyProperties({
    ...walk,
    ...(arrival && { then: omitEmptyProperties(arrival.place) }),
    steps: steps.map(({ then: _then, ...step }, index) => {
      const place = moments[index]?.place;
      return place ? { ...step, then: omitEmptyProperties(place) } : step;
    }),
  });
}

function writeScenarioEdits(studio: StudioContextValue, file: string, edits: readonly JsonEdit[]): Promise<boolean> {
  const base = studio.set.files[file]?.version ?? null;
  const walks = edits.map(({ value = null }) => value);
  return studio.write([
    { file, base, edits: base === null ? [{ pointer: '', value: { $schema: scenarioFormat, walks } }] : edits },
  ]);
}

interface ResponseFormProps {
  readonly made: SimulatedOperation;
  /** Response that the development server returned, as initial value. `null` if the server was not called. */
  readonly asked: ScriptedResponse | null;
  readonly onAsk: () => void;
  readonly onAnswer: (answer: ScriptedResponse) => void;
}

export function OperationResponseForm({ made, asked, onAsk, onAnswer }: ResponseFormProps) {
  const { referenceData } = useStudio();
  const { operation } = made;
  const [kind, setKind] = useState(asked?.error ? (asked.error.code ?? '*') : '');
  const [text, setText] = useState(() =>
    formatJson((asked?.error as Json | undefined) ?? asked?.result ?? referenceData.samples[operation] ?? {}),
  ); // cast, because the type of error responses is not assignable to `Json`
  const [isBroken, setBroken] = useState(false);
  const codes = [...new Set([...(referenceData.operations[operation] ?? []), ...referenceData.commonErrors])];
  const choose = (code: string): void => {
    setKind(code);
    setText(
      formatJson(
        code === '' ? (referenceData.samples[operation] ?? {}) : code === '*' ? { status: 500 } : { code, status: 400 },
      ),
    );
  };
  const submit = (): void => {
    const value = parseJsonOrUndefined(text);
    setBroken(value === undefined);
    if (value === undefined) return;
    onAnswer(kind === '' ? { operation, result: value } : { operation, error: value as ScriptedErrorResponse }); // cast, because the checker validates the error only when the scenario is saved
  };
  return (
    <EditTaskFrame
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
    </EditTaskFrame>
  );
}

function formatJson(value: Json): string {
  return JSON.stringify(value, null, 2);
}

export function describeTakenBranch(place: LocatedTransitionBranch, names: FlowLabelFormatter): string {
  const { id, state, outcome, branch } = place;
  const location = [
    names.formatState(state),
    describeTrigger(place, names),
    ...(outcome === undefined ? [] : [t(outcome === 'onDone' ? 'done' : 'failed')]),
    t('guardBranch', { number: Number(id.split(' ').at(-1)) }),
  ].join(', ');
  return branch.guard === undefined
    ? t('takenLast', { where: location })
    : t('taken', { where: location, rule: describeJsonLogic(branch.guard) });
}

function describeTrigger({ state, on }: LocatedTransitionBranch, { formatEvent }: FlowLabelFormatter): string {
  return on === 'always' || on === 'invoke' ? t(on) : formatEvent(state, on);
}

export function describePrecedingGuards({ branch, among }: LocatedTransitionBranch): readonly string[] {
  return among
    .slice(
      0,
      among.findIndex((own) => JSON.stringify(own) === JSON.stringify(branch)),
    )
    .map(({ guard }, index) => t('notTaken', { place: index + 1, rule: describeJsonLogic(guard ?? true) }));
}

export function describeVariableChanges({ before, after, place }: ReplayStep): readonly string[] {
  return Object.keys(place.set).map((name) =>
    t('changedVariable', { name, before: formatScenarioValue(before[name]), after: formatScenarioValue(after[name]) }),
  );
}

function describeUntakenBranch(place: LocatedTransitionBranch, names: FlowLabelFormatter): string {
  const { operation, outcome, branch } = place;
  const [state, on] = [names.formatState(place.state), describeTrigger(place, names)];
  const rule = branch.guard === undefined ? t('sayAlways') : describeJsonLogic(branch.guard);
  return operation === undefined
    ? t('untaken', { state, on, rule })
    : t(outcome === 'onError' ? 'untakenError' : 'untakenDone', { state, on, operation, rule });
}
