import { Button } from '@fluentui/react-components';
import { observer } from 'mobx-react-lite';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Answer } from '../../contract/contract.ts';
import { writtenPhone } from '../../contract/written/phone.ts';
import type { Values } from '../../engine/core/json.ts';
import { checkForm } from '../../engine/core/validate.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import type { FormModel } from '../../engine/runtime/form/form-model.ts';
import { useFlowState } from '../../portal/navigation/use-flow.ts';
import { usePortal } from '../../portal/portal-context.ts';
import { CallPlace } from '../call-place.tsx';
import { RegistryComparison, ExtraFacts, Facts, sayDay, shortTime, writtenDocument } from '../facts.tsx';
import { Segments } from '../call-filters.tsx';
import { deskText, deskName } from '../texts.ts';
import { AnswerHint, useAnswer, useNews } from '../answers/use-answer.tsx';
import { DeskPage } from '../desk-page.tsx';
import { ThemedScreen } from '../../portal/shell/themed-screen.tsx';

type Call = Answer<'getDeskCall'>;

export default function DeskCall({ runner }: BlockProps) {
  const id = useLocation().pathname.split('/').at(-1) ?? '';
  const { answer: call, failure, reload } = useAnswer<Call>('getDeskCall', { id });
  const notice = useFlowState(runner)?.notice;
  useEffect(() => {
    if (notice) reload();
  }, [notice, reload]);
  useNews(reload);
  if (call === null) return <AnswerHint answer={call} failure={failure} />;
  return <CallPage call={call} runner={runner} />;
}

function CallPage({ call, runner }: BlockProps & { call: Call }) {
  const raise: Raise = (event, values = {}) =>
    void runner.raise(event, { ...values, turno: `${event} ${Date.now()}` } as Parameters<typeof runner.raise>[1]);
  return (
    <DeskPage
      title={deskText('call.title', { name: call.nombre })}
      runner={runner}
      bar={
        <div className="desk-actions desk-end">
          {call.agente === null && !call.terminada && !call.propia && (
            <Button size="small" appearance="primary" onClick={() => raise('take')}>
              {deskText('day.take')}
            </Button>
          )}
          {call.mia && !call.terminada && (
            <Button size="small" onClick={() => raise('handOver')}>
              {deskText('call.handOver')}
            </Button>
          )}
          <Button size="small" onClick={() => raise('day')}>
            {deskText('call.day')}
          </Button>
        </div>
      }
    >
      {call.propia && <p className="desk-late">{deskText('call.own')}</p>}
      <div className="desk-columns">
        <div>
          <Facts facts={listFacts(call)} />
          {call.mensaje !== '' && <blockquote className="desk-message">{call.mensaje}</blockquote>}
          <ExtraFacts fields={call.agregado} />
          <section className="desk-card" aria-labelledby="desk-room">
            <h2 id="desk-room">{deskText('call.room')}</h2>
            <Room call={call} />
          </section>
        </div>
        <Side call={call} runner={runner} raise={raise} />
      </div>
    </DeskPage>
  );
}

type Raise = (event: string, values?: Record<string, string | object>) => void;

function Side({ call, runner, raise }: BlockProps & { call: Call; raise: Raise }) {
  const works = call.mia && (!call.terminada || call.decisiones.length > 0);
  const [chosen, setChosen] = useState<'work' | 'data' | 'before'>('work');
  const shown = chosen === 'work' && !works ? 'data' : chosen;
  return (
    <section className="desk-card" aria-label={deskText('call.side')}>
      <Segments
        label={deskText('call.side')}
        choices={[
          ...(works ? [['work', deskText('call.work')] as const] : []),
          ['data', deskText('call.data')],
          ['before', `${deskText('call.before')} (${call.anteriores.length})`],
        ]}
        chosen={shown}
        onChoose={setChosen}
      />
      {shown === 'work' && <Work call={call} runner={runner} raise={raise} />}
      {shown === 'data' && <RegistryComparison rows={call.comparacion} registry={call.registro} />}
      {shown === 'before' && <Before calls={call.anteriores} />}
    </section>
  );
}

/** The checklist, which is the form of the flow's state, and the decisions. */
function Work({ call, runner, raise }: BlockProps & { call: Call; raise: Raise }) {
  const { flows } = usePortal();
  const state = useFlowState(runner);
  const { screen = null, form = null } = state?.below ?? state?.view ?? {};
  useLayoutEffect(() => {
    const saved = JSON.parse(call.control) as Values; // always a JSON object
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
          busy={state?.busy === true && state.below === null}
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
  const obstacle = call.decisiones.includes('aprobar') ? findObstacle(call, form) : null;
  return (
    <section className="desk-decisions" aria-labelledby="desk-decide">
      <h2 id="desk-decide">{deskText('call.decide')}</h2>
      <p id="desk-obstacle" role="status">
        {obstacle}
      </p>
      <div className="desk-actions">
        {call.decisiones.map((decision) => (
          <Button
            key={decision}
            appearance={decision === 'aprobar' ? 'primary' : 'secondary'}
            disabledFocusable={decision === 'aprobar' && obstacle !== null}
            aria-describedby={decision === 'aprobar' ? 'desk-obstacle' : undefined}
            onClick={() => onDecide(decision)}
          >
            {deskName('decision', decision)}
          </Button>
        ))}
      </div>
    </section>
  );
});

/** Returns the reason why the checklist does not allow an approval yet, or `null`. The server applies the same rules to the saved checklist. */
function findObstacle({ control }: Call, form: FormModel | null): string | null {
  if (form === null) return null;
  const allows = (values: Values) =>
    Object.keys(checkForm(form.validator, { ...values, para: 'aprobar' }, form.context).errors).length === 0;
  if (!allows(form.visibleValues)) return deskText('call.incomplete');
  return allows(JSON.parse(control) as Values) ? null : deskText('call.unsaved'); // always a JSON object
}

function listFacts(call: Call): readonly (readonly [term: string, detail: string])[] {
  return [
    [deskText('call.when'), `${sayDay(call.fecha)}, ${shortTime(call.hora_inicio)} · ${call.minutos} min`],
    [deskText('day.kind'), deskName('kind', call.tipo)],
    [deskText('day.state'), call.estado],
    [deskText('day.agent'), call.mia ? deskText('day.me') : (call.agente?.nombre ?? deskText('call.nobody'))],
    [deskText('call.subject'), call.asunto === '' ? '' : deskName('subject', call.asunto)],
    [deskText('account.document'), writtenDocument(call.documento)],
    [deskText('call.email'), call.correo],
    [deskText('call.phone'), writtenPhone(call.telefono)],
  ];
}

function Room({ call }: { call: Call }) {
  const { flows } = usePortal();
  if (call.terminada) return <p>{deskText('call.over')}</p>;
  if (!call.mia) return <p>{deskText('call.takeFirst')}</p>;
  if (call.entrada === null) return <CallPlace id={call.id} />;
  if (call.entrada === '') return <p>{deskText('call.notOpen')}</p>;
  return (
    <p>
      <a
        className="button button-primary"
        href={call.entrada}
        target="_blank"
        rel="noopener noreferrer"
        onClick={() => void flows.invoke('enterOutsideRoom', { body: { llamada: call.id } })}
      >
        {deskText('call.jitsi')}
      </a>{' '}
      {deskText('call.jitsiHint')}
    </p>
  );
}

function Before({ calls }: { calls: Call['anteriores'] }) {
  if (calls.length === 0) return <p>{deskText('call.noBefore')}</p>;
  return (
    <ul>
      {calls.map(({ id, fecha, hora_inicio, tipo, estado, motivo }) => (
        <li key={id}>
          {sayDay(fecha)}, {shortTime(hora_inicio)} · {deskName('kind', tipo)} · {estado}
          {motivo !== '' && ` · ${motivo}`}
        </li>
      ))}
    </ul>
  );
}
