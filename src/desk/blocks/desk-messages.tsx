import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Answer } from '../../contract/contract.ts';
import { writtenPhone } from '../../contract/written/phone.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import { useFlowState } from '../../portal/navigation/use-flow.ts';
import { formatMoment } from '../../contract/written/dates.ts';
import { Segments } from '../call-filters.tsx';
import { ExtraFacts, Facts, writtenDate, writtenDocument } from '../facts.tsx';
import { useRowKeys } from '../row-keys.tsx';
import { DeskPage } from '../desk-page.tsx';
import { deskText } from '../texts.ts';
import { AnswerHint, useAnswer } from '../answers/use-answer.tsx';
import { Act } from '../../portal/shell/block-page.tsx';

type Messages = Answer<'getDeskMessages'>;

export default function DeskMessages({ runner }: BlockProps) {
  const { answer, failure, reload } = useAnswer<Messages>('getDeskMessages');
  const state = useFlowState(runner);
  const [notice, last] = [state?.notice, state?.context['id']];
  useEffect(() => {
    if (notice || last) reload();
  }, [notice, last, reload]);
  return (
    <DeskPage title={deskText('mensajes')} runner={runner}>
      <AnswerHint answer={answer} failure={failure} />
      {answer !== null && <Mailbox messages={answer} runner={runner} />}
    </DeskPage>
  );
}

/** An entry of the list, with the content of the reading pane. */
interface Entry {
  readonly id: string;
  readonly title: string;
  readonly moment: string;
  readonly excerpt: string;
  readonly tag: { readonly text: string; readonly isUrgent: boolean } | null;
  readonly pane: ReactNode;
}

type Box = 'contact' | 'feedback';

function Mailbox({ messages, runner }: { messages: Messages; runner: FlowRunner }) {
  const [box, setBox] = useState<Box>('contact');
  const [chosen, setChosen] = useState('');
  const { list, toggle } = useRowKeys<HTMLUListElement>();
  const pane = useRef<HTMLElement>(null);
  const entries =
    box === 'contact'
      ? messages.mensajes.map((message) => describeMessage(message, runner))
      : messages.opiniones.map((opinion) => describeOpinion(opinion, runner));
  const open = entries.find(({ id }) => id === chosen) ?? entries[0];
  const unread = messages.opiniones.filter(({ leida }) => !leida).length;
  return (
    <>
      <div className="desk-bar">
        <Segments
          label={deskText('messages.boxes')}
          choices={[
            ['contact', `${deskText('messages.contact')} (${messages.esperan})`],
            ['feedback', `${deskText('messages.feedback')} (${unread})`],
          ]}
          chosen={box}
          onChoose={setBox}
        />
        {toggle}
      </div>
      {open === undefined ? (
        <p>{deskText('messages.none')}</p>
      ) : (
        <div className="desk-mailbox">
          <ul ref={list} aria-label={deskText(`messages.${box}`)}>
            {entries.map(({ id, title, moment, excerpt, tag }) => (
              <li key={id}>
                <button
                  type="button"
                  data-row
                  aria-current={id === open.id || undefined}
                  onFocus={() => setChosen(id)}
                  onClick={() => pane.current?.focus()}
                >
                  <strong>{title}</strong>
                  <span className="desk-excerpt">{excerpt}</span>
                  <span className="desk-more">{formatMoment(moment)}</span>
                  {tag && <span className={tag.isUrgent ? 'tag desk-late' : 'tag'}>{tag.text}</span>}
                </button>
              </li>
            ))}
          </ul>
          <article ref={pane} key={open.id} tabIndex={-1} aria-labelledby="desk-open" className="desk-card">
            <h2 id="desk-open">{open.title}</h2>
            {open.pane}
          </article>
        </div>
      )}
    </>
  );
}

function describeMessage(message: Messages['mensajes'][number], runner: FlowRunner): Entry {
  const { id, nombre, documento, correo, telefono, asunto, mensaje, agregado, momento, plazo, atrasado, respuesta } =
    message;
  const due = deskText(atrasado ? 'messages.late' : 'messages.due', { date: writtenDate(plazo) });
  return {
    id,
    title: `${asunto} · ${nombre}`,
    moment: momento,
    excerpt: mensaje,
    tag: respuesta === null && atrasado ? { text: deskText('day.isLate'), isUrgent: true } : null,
    pane: (
      <>
        <Facts
          facts={[
            [deskText('messages.number'), id],
            [deskText('messages.moment'), formatMoment(momento)],
            [deskText('account.document'), writtenDocument(documento)],
            [deskText('call.email'), correo],
            [deskText('call.phone'), writtenPhone(telefono)],
          ]}
        />
        <blockquote className="desk-message">{mensaje}</blockquote>
        <ExtraFacts fields={agregado} />
        {respuesta === null ? (
          <div className="desk-bar">
            <Act
              look="primary"
              text={deskText('messages.answer')}
              label={deskText('messages.answerOf', { name: nombre })}
              onAct={() => void runner.raise('answer', { id })}
            />
            <span className={atrasado ? 'tag desk-late' : 'tag'}>{due}</span>
          </div>
        ) : (
          <>
            <p>{deskText('messages.answered', { agent: respuesta.agente, when: formatMoment(respuesta.momento) })}</p>
            <blockquote className="desk-message">{respuesta.texto}</blockquote>
          </>
        )}
      </>
    ),
  };
}

function describeOpinion(opinion: Messages['opiniones'][number], runner: FlowRunner): Entry {
  const { id, momento, pagina, util, comentario, leida } = opinion;
  const when = formatMoment(momento);
  const text = comentario === '' ? deskText('messages.noComment') : comentario;
  return {
    id,
    title: pagina ?? deskText('messages.feedback'),
    moment: momento,
    excerpt: text,
    tag: leida ? { text: deskText('messages.isRead'), isUrgent: false } : null,
    pane: (
      <>
        <p className="desk-more">{when}</p>
        {util !== null && <p>{deskText('messages.useful', { page: pagina ?? '', useful: util })}</p>}
        <blockquote className="desk-message">{text}</blockquote>
        {leida ? (
          <p>{deskText('messages.isRead')}</p>
        ) : (
          <div>
            <Act
              text={deskText('messages.read')}
              label={deskText('messages.readOf', { when })}
              onAct={() => void runner.raise('read', { id })}
            />
          </div>
        )}
      </>
    ),
  };
}
