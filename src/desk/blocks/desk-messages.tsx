import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { OperationResponse } from '../../contract/contract.ts';
import { formatPhone } from '../../contract/format/phone.ts';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import { useFlowState } from '../../portal/navigation/use-flow-runner.ts';
import { formatShortDate, formatShortDateTime } from '../../contract/format/dates.ts';
import { ToggleButtonGroup } from '../call-filters.tsx';
import { ExtraFieldList } from '../description-lists.tsx';
import { DescriptionList } from '../../portal/shell/description-list.tsx';
import { formatDocumentId } from '../format-desk-values.ts';
import { useRowNavigationKeys } from '../row-navigation-keys.tsx';
import { DeskPage } from '../desk-page.tsx';
import { getDeskText } from '../desk-texts.ts';
import { ResponseLoadStatus, useOperationResponse } from '../answers/use-operation-response.tsx';
import { ActionButton } from '../../portal/shell/block-layout.tsx';

type Messages = OperationResponse<'getDeskMessages'>;

export default function DeskMessages({ runner }: FlowBlockProps) {
  const { answer, failure, reload } = useOperationResponse<Messages>('getDeskMessages');
  const state = useFlowState(runner);
  const [notice, last] = [state?.notice, state?.context['id']];
  useEffect(() => {
    if (notice || last) reload();
  }, [notice, last, reload]);
  return (
    <DeskPage title={getDeskText('mensajes')} runner={runner}>
      <ResponseLoadStatus answer={answer} failure={failure} />
      {answer !== null && <Mailbox messages={answer} runner={runner} />}
    </DeskPage>
  );
}

/** Entry of the message list, with the content of its reading pane. */
interface MailboxEntry {
  readonly id: string;
  readonly title: string;
  readonly moment: string;
  readonly excerpt: string;
  readonly tag: { readonly text: string; readonly isUrgent: boolean } | null;
  readonly pane: ReactNode;
}

type MessageKind = 'contact' | 'feedback';

function Mailbox({ messages, runner }: { messages: Messages; runner: FlowRunner }) {
  const [box, setBox] = useState<MessageKind>('contact');
  const [chosen, setChosen] = useState('');
  const { list, toggle } = useRowNavigationKeys<HTMLUListElement>();
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
        <ToggleButtonGroup
          label={getDeskText('messages.boxes')}
          choices={[
            ['contact', `${getDeskText('messages.contact')} (${messages.esperan})`],
            ['feedback', `${getDeskText('messages.feedback')} (${unread})`],
          ]}
          chosen={box}
          onChoose={setBox}
        />
        {open && toggle}
      </div>
      {open === undefined ? (
        <p className="empty">{getDeskText('messages.none')}</p>
      ) : (
        <div className="desk-mailbox">
          <ul ref={list} aria-label={getDeskText(`messages.${box}`)}>
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
                  <span className="desk-more">{formatShortDateTime(moment)}</span>
                  {tag && (
                    <span className="badge" data-tone={tag.isUrgent ? 'warning' : undefined}>
                      {tag.text}
                    </span>
                  )}
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

function describeMessage(message: Messages['mensajes'][number], runner: FlowRunner): MailboxEntry {
  const { id, nombre, documento, correo, telefono, asunto, mensaje, agregado, momento, plazo, atrasado, respuesta } =
    message;
  const due = getDeskText(atrasado ? 'messages.late' : 'messages.due', { date: formatShortDate(plazo) });
  return {
    id,
    title: `${asunto} · ${nombre}`,
    moment: momento,
    excerpt: mensaje,
    tag: respuesta === null && atrasado ? { text: getDeskText('day.isLate'), isUrgent: true } : null,
    pane: (
      <>
        <DescriptionList
          className="desk-facts"
          facts={[
            [getDeskText('messages.number'), id],
            [getDeskText('messages.moment'), formatShortDateTime(momento)],
            [getDeskText('account.document'), formatDocumentId(documento)],
            [getDeskText('call.email'), correo],
            [getDeskText('call.phone'), formatPhone(telefono)],
          ]}
        />
        <blockquote className="desk-message">{mensaje}</blockquote>
        <ExtraFieldList fields={agregado} />
        {respuesta === null ? (
          <div className="desk-bar">
            <ActionButton
              look="primary"
              text={getDeskText('messages.answer')}
              label={getDeskText('messages.answerOf', { name: nombre })}
              onAct={() => void runner.raise('answer', { id })}
            />
            <span className="badge" data-tone={atrasado ? 'warning' : undefined}>
              {due}
            </span>
          </div>
        ) : (
          <>
            <p>
              {getDeskText('messages.answered', {
                agent: respuesta.agente,
                when: formatShortDateTime(respuesta.momento),
              })}
            </p>
            <blockquote className="desk-message">{respuesta.texto}</blockquote>
          </>
        )}
      </>
    ),
  };
}

function describeOpinion(opinion: Messages['opiniones'][number], runner: FlowRunner): MailboxEntry {
  const { id, momento, pagina, util, comentario, leida } = opinion;
  const when = formatShortDateTime(momento);
  const text = comentario === '' ? getDeskText('messages.noComment') : comentario;
  return {
    id,
    title: pagina ?? getDeskText('messages.feedback'),
    moment: momento,
    excerpt: text,
    tag: leida ? { text: getDeskText('messages.isRead'), isUrgent: false } : null,
    pane: (
      <>
        <p className="desk-more">{when}</p>
        {util !== null && <p>{getDeskText('messages.useful', { page: pagina ?? '', useful: util })}</p>}
        <blockquote className="desk-message">{text}</blockquote>
        {leida ? (
          <p>{getDeskText('messages.isRead')}</p>
        ) : (
          <div>
            <ActionButton
              text={getDeskText('messages.read')}
              label={getDeskText('messages.readOf', { when })}
              onAct={() => void runner.raise('read', { id })}
            />
          </div>
        )}
      </>
    ),
  };
}
