import { Button } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Answer } from '../../contract/contract.ts';
import { writtenPhone } from '../../contract/written/phone.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import { useFlowState } from '../../portal/navigation/use-flow.ts';
import { usePortal } from '../../portal/portal-context.ts';
import { useTitle } from '../../portal/shell/use-title.ts';
import { CallPlace } from '../call-place.tsx';
import { RegistryComparison, ExtraFacts, Facts, sayDay, shortTime, writtenDocument } from '../facts.tsx';
import { Segments } from '../call-filters.tsx';
import { deskText, deskName } from '../texts.ts';
import { AnswerHint, useAnswer, useNews } from '../answers/use-answer.tsx';
import { FlowNotice } from '../../portal/shell/block-page.tsx';

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
  useTitle(deskText('call.title', { name: call.nombre }));
  const raise: Raise = (event, values = {}) =>
    void runner.raise(event, { ...values, turno: `${event} ${Date.now()}` } as Parameters<typeof runner.raise>[1]);
  return (
    <section className="desk-section" aria-labelledby="desk-call">
      <div className="desk-title">
        <h1 id="desk-call" tabIndex={-1}>
          {deskText('call.title', { name: call.nombre })}
        </h1>
        <div className="desk-actions">
          {call.agente === null && !call.terminada && !call.propia && (
            <Button appearance="primary" onClick={() => raise('take')}>
              {deskText('day.take')}
            </Button>
          )}
          {call.mia && !call.terminada && (
            <Button onClick={() => raise('handOver')}>{deskText('call.handOver')}</Button>
          )}
          <Button onClick={() => raise('day')}>{deskText('call.day')}</Button>
        </div>
      </div>
      <FlowNotice runner={runner} />
      <Facts facts={listFacts(call)} />
      {call.mensaje !== '' && <blockquote className="desk-message">{call.mensaje}</blockquote>}
      <ExtraFacts fields={call.agregado} />
      {call.propia && <p className="desk-late">{deskText('call.own')}</p>}
      <div className="desk-columns">
        <section aria-labelledby="desk-room">
          <h2 id="desk-room">{deskText('call.room')}</h2>
          <Room call={call} />
        </section>
        <Side call={call} raise={raise} />
      </div>
    </section>
  );
}

type Raise = (event: string, values?: Record<string, string | object>) => void;

function Side({ call, raise }: { call: Call; raise: Raise }) {
  const works = call.mia && (!call.terminada || call.decisiones.length > 0);
  const [chosen, setChosen] = useState<'work' | 'data' | 'before'>('work');
  const shown = chosen === 'work' && !works ? 'data' : chosen;
  return (
    <section className="desk-side" aria-label={deskText('call.side')}>
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
      {shown === 'work' && (
        <>
          {!call.terminada && <Checklist call={call} onOpen={(control) => raise('check', { control })} />}
          <Decisions call={call} onDecide={(decision) => raise('decide', { decision })} />
        </>
      )}
      {shown === 'data' && <RegistryComparison rows={call.comparacion} registry={call.registro} />}
      {shown === 'before' && <Before calls={call.anteriores} />}
    </section>
  );
}

function Decisions({ call, onDecide }: { call: Call; onDecide: (decision: string) => void }) {
  if (call.decisiones.length === 0) return null;
  return (
    <>
      <h2>{deskText('call.decide')}</h2>
      {call.decisiones.includes('aprobar') && <p>{deskText('call.approveHint')}</p>}
      <div className="screen-actions">
        {call.decisiones.map((decision) => (
          <Button
            key={decision}
            appearance={decision === 'aprobar' ? 'primary' : 'secondary'}
            onClick={() => onDecide(decision)}
          >
            {deskName('decision', decision)}
          </Button>
        ))}
      </div>
    </>
  );
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

function Checklist({ call, onOpen }: { call: Call; onOpen: (control: object) => void }) {
  const control = JSON.parse(call.control) as Readonly<Record<string, unknown>>; // always a JSON object
  const checked = Object.values(control).filter((value) => value === true).length;
  const notes = control['notas'];
  return (
    <>
      <h2>{deskText('call.check')}</h2>
      <p>{deskText('call.checked', { count: checked })}</p>
      {typeof notes === 'string' && notes !== '' && <blockquote className="desk-message">{notes}</blockquote>}
      <Button onClick={() => onOpen(control)}>{deskText('call.openCheck')}</Button>
    </>
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
