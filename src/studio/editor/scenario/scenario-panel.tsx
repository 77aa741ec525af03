import { Button } from '@fluentui/react-components';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Flow } from '../../../engine/core/flow-and-screen-types.ts';
import type { Json } from '../../../engine/core/json.ts';
import type { OperationResult } from '../../../engine/core/operation-result.ts';
import { devPagePaths } from '../../dev-page-data.ts';
import { t } from '../../texts.ts';
import {
  omitEmptyProperties,
  buildScenarioPath,
  type Scenario,
  type ScriptedResponse,
  type ScriptedErrorResponse,
} from '../../scenario/scenario.ts';
import {
  listenToFrameMessages,
  postFrameMessage,
  type ScenarioFrameEvent,
  type ScenarioFrameCommand,
  type ScenarioReport,
  type ScenarioStopReason,
} from '../../scenario/frame-messages.ts';
import { ChoiceField } from '../form-controls.tsx';
import { readFileList } from '../definition-set.ts';
import { useScreenCases } from '../panels/preview-panel.tsx';
import { listFlowStates } from '../tasks/flow-states.ts';
import {
  disambiguateLabels,
  listLabelledFields,
  createFlowLabelFormatter,
  resolveEventLabel,
  listStateOptions,
  type FlowLabelFormatter,
} from '../titles.ts';
import { useStudio } from '../use-studio.ts';
import {
  OperationResponseForm,
  BranchCoverageForm,
  SaveScenarioForm,
  describeVariableChanges,
  describePrecedingGuards,
  describeTakenBranch,
} from './scenario-forms.tsx';
import { describeScenarioMismatch } from '../../scenario/describe-scenario-mismatch.ts';
import { ScenarioStartForm } from './scenario-start-form.tsx';
import type { ReplayStep } from '../../scenario/replay.ts';
import { describeJsonLogic, type LogicDescriptionNames } from '../tasks/describe-json-logic.ts';

/** Runs a flow in a frame with the portal's flow runner. The analyst chooses the response of each operation. */
export function ScenarioPanel({ flow, onWalked }: { flow: Flow; onWalked: (states: readonly string[]) => void }) {
  const studio = useStudio();
  const [walk, setWalk] = useState<Scenario>({ name: '' });
  const [report, setReport] = useState<ScenarioReport | null>(null);
  const [ready, setReady] = useState(0);
  const [taken, setTaken] = useState<readonly string[] | null>(null);
  const [broken, setBroken] = useState<readonly string[]>([]);
  const [asked, setAsked] = useState<ScriptedResponse | null>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const turn = useRef(0);
  const send = (order: ScenarioFrameCommand): void => {
    const to = frame.current?.contentWindow;
    if (to) postFrameMessage(to, order);
  };
  useEffect(
    () =>
      listenToFrameMessages<ScenarioFrameEvent>(
        () => frame.current?.contentWindow,
        (news) => {
          if (news.kind === 'ready') setReady((before) => before + 1);
          else if (news.kind === 'report' && news.turn === turn.current) {
            setReport(news.report);
            onWalked(news.report.steps.map(({ place }) => place.state));
          } else if (news.kind === 'step')
            setWalk((before) => ({ ...before, steps: [...(before.steps ?? []), news.step] }));
          else if (news.kind === 'checked') setBroken(news.broken);
          else if (news.kind === 'covered') setTaken(news.taken);
          else if (news.kind === 'answered') setAsked((before) => before && { ...before, ...toResponse(news.result) });
        },
      ),
    [onWalked],
  );
  useEffect(() => {
    if (ready === 0) return;
    turn.current += 1;
    send({ kind: 'walk', turn: turn.current, walk });
  }, [walk, ready]);
  const cases = useScreenCases(report?.screen ?? '')?.list ?? [];
  const file = buildScenarioPath(flow.id);
  const states = Object.fromEntries(listStateOptions(studio.set, listFlowStates(studio.set, flow.id)));
  const names = useMemo(() => createFlowLabelFormatter(studio.set, flow.id), [studio.set, flow.id]);
  const known = readFileList(studio.set, file, '/walks') as unknown as readonly Scenario[]; // the cast is safe, because the checker has validated the file against its format
  useEffect(() => {
    if (ready > 0 && known.length > 0) send({ kind: 'check', walks: known });
  }, [known, ready]);
  const begin = ({ todo: _, ...start }: Scenario): void => {
    setAsked(null);
    setTaken(null);
    setWalk(start); // `start` has no `todo`, because a scenario with this property is not run
  };
  const last = report?.steps.at(-1);
  const answered = asked && (asked.error || asked.result !== undefined) ? asked : null;
  return (
    <>
      <ScenarioStartForm flow={flow} states={states} walks={known} broken={broken} walk={walk} onStart={begin} />
      <p role="status" data-walk-state={last?.place.state}>
        {last &&
          t('walkHere', {
            state: names.formatState(last.place.state) || t('nothing'),
            notice: last.place.notice || t('nothing'),
            left: last.place.left || t('nothing'),
          })}
      </p>
      {report?.pending && (
        <OperationResponseForm
          key={`${report.steps.length} ${report.pending.operation} ${answered !== null}`}
          made={report.pending}
          asked={answered}
          onAsk={() => {
            if (!report.pending) return;
            setAsked({ operation: report.pending.operation });
            send({ kind: 'ask', operation: report.pending });
          }}
          onAnswer={(answer) => {
            setAsked(null);
            setWalk((before) => changeLastResponses(before, (operations) => [...operations, answer]));
          }}
        />
      )}
      {report?.stuck && (
        <ScenarioStopReasonText
          stuck={report.stuck}
          names={{ fields: listLabelledFields(studio.set, report.screen ?? '') }}
        />
      )}
      {report?.fault && (
        <p className="gallery-mark" role="alert">
          {describeScenarioMismatch(report.fault)}{' '}
          <Button onClick={() => setWalk(omitExpectedResults)}>{t('takeWalk')}</Button>
        </p>
      )}
      <p className="studio-buttons">
        {report?.events.map((event) => (
          <Button key={event} onClick={() => send({ kind: 'raise', event })}>
            {t('raise', { text: resolveEventLabel(studio.set, report.screen ?? '', event) })}
          </Button>
        ))}
        <Button
          disabled={!last || [walk.steps, walk.operations].every((list = []) => list.length === 0)}
          onClick={() => setWalk(removeLastStep)}
        >
          {t('oneBack')}
        </Button>
      </p>
      {report?.screen && !report.pending && cases.length > 0 && (
        <ChoiceField
          label={t('fillFrom')}
          value=""
          options={[
            ['', t('byHandFilled')],
            ...disambiguateLabels(cases.map(({ name, note }) => [name, note || name])),
          ]}
          onChange={(name) => {
            const own = cases.find((one) => one.name === name);
            if (own) send({ kind: 'fill', values: own.data });
          }}
        />
      )}
      <div className="studio-frame studio-walk" tabIndex={0} role="group" aria-label={t('walkOf', { flow: flow.id })}>
        <iframe
          key={studio.revision}
          ref={frame}
          src={`${devPagePaths.walk}?${new URLSearchParams({ flow: flow.id })}`}
          width={360}
          height={640}
          title={t('walkOf', { flow: flow.id })}
        />
      </div>
      <ReplayStepList moments={report?.steps ?? []} names={names} />
      {report && <SaveScenarioForm file={file} walks={known} walk={walk} report={report} />}
      <BranchCoverageForm
        file={file}
        flow={flow}
        names={names}
        walks={known}
        coveredBranches={taken}
        onCount={() => send({ kind: 'cover', walks: known })}
      />
    </>
  );
}

/** Removes the expected results, so that the next run records new ones. */
function omitExpectedResults({ then: _, steps = [], ...walk }: Scenario): Scenario {
  return { ...walk, steps: steps.map(({ then: _then, ...step }) => step) };
}

function removeLastStep(walk: Scenario): Scenario {
  const { steps = [] } = walk;
  const last = steps.at(-1);
  if (last && (last.operations ?? []).length === 0) return { ...walk, steps: steps.slice(0, -1) };
  return changeLastResponses(walk, (operations) => operations.slice(0, -1));
}

/** Changes the responses of the last step, and removes its expected result. If there are no steps, changes the responses before the first step. */
function changeLastResponses(
  walk: Scenario,
  change: (operations: readonly ScriptedResponse[]) => readonly ScriptedResponse[],
): Scenario {
  const changed = <Part extends Pick<Scenario, 'operations' | 'then'>>({ then: _, ...part }: Part) => ({
    ...part,
    operations: change(part.operations ?? []),
  });
  const { steps = [] } = walk;
  const last = steps.at(-1);
  return last ? { ...walk, steps: [...steps.slice(0, -1), changed(last)] } : changed(walk);
}

function toResponse(result: OperationResult): Pick<ScriptedResponse, 'result' | 'error'> {
  if (result.ok) return { result: result.result as Json }; // the cast is safe, because results of operations contain only JSON
  const { status, code, field, errors, next } = result.failure;
  return { error: omitEmptyProperties({ status, code, field, errors, next }) as ScriptedErrorResponse }; // the cast is safe, because `omitEmptyProperties` has removed the undefined properties
}

function ReplayStepList({ moments, names }: { moments: readonly ReplayStep[]; names: FlowLabelFormatter }) {
  const findState = (index: number): string => moments[index]?.place.state ?? '';
  return (
    <ol className="studio-moments" aria-label={t('walkSteps')}>
      {moments.map((moment, index) => (
        <li key={index}>
          <strong>
            {moment.raise === '' ? t('walkArrival') : names.formatEvent(findState(index - 1), moment.raise)}
          </strong>{' '}
          → {names.formatState(findState(index)) || t('nothing')}
          <ul>
            {moment.operations.map(({ operation }, at) => (
              <li key={`${operation} ${at}`}>{t('walkCall', { operation })}</li>
            ))}
            {moment.branches.map((place, at) => (
              <li key={`${place.id} ${at}`}>
                {describeTakenBranch(place, names)}
                {describePrecedingGuards(place).map((sentence) => (
                  <span key={sentence} className="studio-aside">
                    {' '}
                    {sentence}
                  </span>
                ))}
              </li>
            ))}
            {describeVariableChanges(moment).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

export function ScenarioStopReasonText({ stuck, names }: { stuck: ScenarioStopReason; names: LogicDescriptionNames }) {
  return (
    <div role="status" className="studio-stuck">
      <p>{t(`stuck-${stuck.kind}`, stuck.kind === 'left' ? { to: stuck.to } : {})}</p>
      {stuck.kind === 'hidden' && (
        <ul>
          {stuck.parts.map(({ text, visible }, index) => (
            <li key={index}>{t('stuckPart', { text, rule: describeJsonLogic(visible, names) })}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
