import { observer } from 'mobx-react-lite';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { OperationResponse } from '../../contract/contract.ts';
import { formatPhone } from '../../contract/format/phone.ts';
import type { ValuesByName } from '../../engine/core/json.ts';
import { validateScreenForm } from '../../engine/core/validate-screen-form.ts';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import type { FormModel } from '../../engine/runtime/form/form-model.ts';
import { useFlowState } from '../../portal/navigation/use-flow-runner.ts';
import { usePortal } from '../../portal/portal-context.ts';
import { CallRoom } from '../call-room.tsx';
import { RegistryComparison, ExtraFieldList } from '../description-lists.tsx';
import { DescriptionList } from '../../portal/shell/description-list.tsx';
import { formatLongDate, formatShortTime, formatDocumentId } from '../format-desk-values.ts';
import { ToggleButtonGroup } from '../call-filters.tsx';
import { getDeskText, findDeskLabel } from '../desk-texts.ts';
import { ResponseLoadStatus, useOperationResponse, useDeskEvents } from '../answers/use-operation-response.tsx';
import { DeskPage } from '../desk-page.tsx';
import { ActionButton } from '../../portal/shell/block-layout.tsx';
import { ThemedScreen } from '../../portal/shell/themed-screen.tsx';

type Call = OperationResponse<'getDeskCall'>;

export default function DeskCall({ runner }: FlowBlockProps) {
  const id = useLocation().pathname.split('/').at(-1) ?? '';
  const { answer: call, failure, reload } = useOperationResponse<Call>('getDeskCall', { id });
  const notice = useFlowState(runner)?.notice;
  useEffect(() => {
    if (notice) reload();
  }, [notice, reload]);
  useDeskEvents(reload);
  if (call === null) return <ResponseLoadStatus answer={call} failure={failure} />;
  return <CallPage call={call} runner={runner} />;
}

function CallPage({ call, runner }: FlowBlockProps & { call: Call }) {
  const raise: RaiseEvent = (event, values = {}) =>
    void runner.raise(event, { ...values, turno: `${event} ${Date.now()}` } as Parameters<typeof runner.raise>[1]);
  return (
    <DeskPage
      title={getDeskText('call.title', { name: call.nombre })}
      runner={runner}
      bar={
        <div className="desk-actions desk-end">
          {call.mia && !call.terminada && (
            <ActionButton look="small" text={getDeskText('call.handOver')} onAct={() => raise('handOver')} />
          )}
          <ActionButton look="small" text={getDeskText('call.day')} onAct={() => raise('day')} />
        </div>
      }
    >
      {call.propia && (
        <p className="notice" data-intent="warning">
          {getDeskText('call.own')}
        </p>
      )}
      <div className="desk-columns">
        <div>
          <DescriptionList className="desk-facts" facts={listFacts(call)} />
          {call.mensaje !== '' && <blockquote className="desk-message">{call.mensaje}</blockquote>}
          <ExtraFieldList fields={call.agregado} />
          <section className="desk-card" aria-labelledby="desk-room">
            <h2 id="desk-room">{getDeskText('call.room')}</h2>
            <Room call={call} onTake={() => raise('take')} />
          </section>
        </div>
        <CallSidebar call={call} runner={runner} raise={raise} />
      </div>
    </DeskPage>
  );
}

type RaiseEvent = (event: string, values?: Record<string, string | object>) => void;

function CallSidebar({ call, runner, raise }: FlowBlockProps & { call: Call; raise: RaiseEvent }) {
  const works = call.mia && (!call.terminada || call.decisiones.length > 0);
  const [chosen, setChosen] = useState<'work' | 'data' | 'before'>('work');
  const shown = chosen === 'work' && !works ? 'data' : chosen;
  return (
    <section className="desk-card" aria-label={getDeskText('call.side')}>
      <ToggleButtonGroup
        label={getDeskText('call.side')}
        choices={[
          ...(works ? [['work', getDeskText('call.work')] as const] : []),
          ['data', getDeskText('call.data')],
          ['before', `${getDeskText('call.before')} (${call.anteriores.length})`],
        ]}
        chosen={shown}
        onChoose={setChosen}
      />
      {shown === 'work' && <CallDecisionPanel call={call} runner={runner} raise={raise} />}
      {shown === 'data' && <RegistryComparison rows={call.comparacion} registry={call.registro} />}
      {shown === 'before' && <EarlierCalls calls={call.anteriores} />}
    </section>
  );
}

/** Checklist form of the flow's current state, and the decisions on the call. */
function CallDecisionPanel({ call, runner, raise }: FlowBlockProps & { call: Call; raise: RaiseEvent }) {
  const { flows } = usePortal();
  const state = useFlowState(runner);
  const { screen = null, form = null } = state?.viewBelowModal ?? state?.view ?? {};
  useLayoutEffect(() => {
    const saved = JSON.parse(call.control) as ValuesByName; // `JSON.parse` returns `any`; the server sends an object
    for (const [name, field] of form?.fields ?? []) field.set(saved[name]);
  }, [form, call.id, call.control]);
  return (
    <>
      {!call.terminada && screen && (
        <ThemedScreen
          section
          titled={false}
          screen={screen}
          form={form}
          context={state?.context ?? {}}
          facts={flows.facts()}
          notice={null}
          busy={state?.busy === true && state.viewBelowModal === null}
          direction="none"
          onEvent={(event) => void runner.raise(event)}
          onDismiss={() => undefined}
        />
      )}
      {call.decisiones.length > 0 && (
        <Decisions call={call} form={form} onDecide={(decision) => raise('decide', { decision })} />
      )}
    </>
  );
}

interface DecisionsProps {
  readonly call: Call;
  readonly form: FormModel | null;
  readonly onDecide: (decision: string) => void;
}

const Decisions = observer(function Decisions({ call, form, onDecide }: DecisionsProps) {
  const obstacle = call.decisiones.includes('aprobar') ? findApprovalObstacle(call, form) : null;
  return (
    <section className="desk-decisions" aria-labelledby="desk-decide">
      <h2 id="desk-decide">{getDeskText('call.decide')}</h2>
      <p id="desk-obstacle" role="status">
        {obstacle}
      </p>
      <div className="desk-choices">
        {call.decisiones.map((decision) => (
          <ActionButton
            key={decision}
            {...(decision === 'aprobar' && {
              look: 'primary',
              describedBy: 'desk-obstacle',
              disabled: obstacle !== null,
            })}
            text={findDeskLabel('decision', decision)}
            onAct={() => onDecide(decision)}
          />
        ))}
      </div>
    </section>
  );
});

/**
 * Returns why the checklist does not allow an approval yet. Returns `null` if it does. The server validates the saved
 * checklist again.
 */
function findApprovalObstacle({ control }: Call, form: FormModel | null): string | null {
  if (form === null) return null;
  const allows = (values: ValuesByName) =>
    Object.keys(validateScreenForm(form.validator, { ...values, para: 'aprobar' }, form.context).errors).length === 0;
  if (!allows(form.visibleValues)) return getDeskText('call.incomplete');
  return allows(JSON.parse(control) as ValuesByName) ? null : getDeskText('call.unsaved'); // `JSON.parse` returns `any`; the server sends an object
}

function listFacts(call: Call): readonly (readonly [term: string, detail: string])[] {
  return [
    [
      getDeskText('call.when'),
      `${formatLongDate(call.fecha)}, ${formatShortTime(call.hora_inicio)} · ${call.minutos} min`,
    ],
    [getDeskText('day.kind'), findDeskLabel('kind', call.tipo)],
    [getDeskText('day.state'), call.estado],
    [getDeskText('day.agent'), call.mia ? getDeskText('day.me') : (call.agente?.nombre ?? getDeskText('call.nobody'))],
    [getDeskText('call.subject'), call.asunto === '' ? '' : findDeskLabel('subject', call.asunto)],
    [getDeskText('account.document'), formatDocumentId(call.documento)],
    [getDeskText('call.email'), call.correo],
    [getDeskText('call.phone'), formatPhone(call.telefono)],
  ];
}

function Room({ call, onTake }: { call: Call; onTake: () => void }) {
  const { flows } = usePortal();
  if (call.terminada) return <p>{getDeskText('call.over')}</p>;
  if (!call.mia)
    return (
      <>
        <p>{getDeskText('call.takeFirst')}</p>
        {call.agente === null && !call.propia && (
          <div>
            <ActionButton look="primary" text={getDeskText('day.take')} onAct={onTake} />
          </div>
        )}
      </>
    );
  if (call.entrada === null) return <CallRoom id={call.id} />;
  if (call.entrada === '') return <p>{getDeskText('call.notOpen')}</p>;
  return (
    <p>
      <a
        className="button button-primary"
        href={call.entrada}
        target="_blank"
        rel="noopener noreferrer"
        onClick={() => void flows.invoke('recordExternalRoomEntry', { body: { llamada: call.id } })}
      >
        {getDeskText('call.jitsi')}
      </a>{' '}
      {getDeskText('call.jitsiHint')}
    </p>
  );
}

function EarlierCalls({ calls }: { calls: Call['anteriores'] }) {
  if (calls.length === 0) return <p className="empty">{getDeskText('call.noBefore')}</p>;
  return (
    <ul>
      {calls.map(({ id, fecha, hora_inicio, tipo, estado, motivo }) => (
        <li key={id}>
          {formatLongDate(fecha)}, {formatShortTime(hora_inicio)} · {findDeskLabel('kind', tipo)} · {estado}
          {motivo !== '' && ` · ${motivo}`}
        </li>
      ))}
    </ul>
  );
}
