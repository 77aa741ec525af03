import { useEffect } from 'react';
import type { Answer } from '../../contract/contract.ts';
import { writtenPhone } from '../../contract/written/phone.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import { useFlowState } from '../../portal/navigation/use-flow.ts';
import { formatMoment } from '../../contract/written/dates.ts';
import { useTitle } from '../../portal/shell/use-title.ts';
import { ExtraFacts, writtenDate, writtenDocument } from '../facts.tsx';
import { deskText } from '../texts.ts';
import { AnswerHint, useAnswer } from '../answers/use-answer.tsx';
import { Act, BlockPage } from '../../portal/shell/block-page.tsx';

type Messages = Answer<'getDeskMessages'>;

export default function DeskMessages({ runner }: BlockProps) {
  const { answer, failure, reload } = useAnswer<Messages>('getDeskMessages');
  const state = useFlowState(runner);
  const [notice, last] = [state?.notice, state?.context['id']];
  useEffect(() => {
    if (notice || last) reload();
  }, [notice, last, reload]);
  useTitle(deskText('mensajes'));
  return (
    <BlockPage id="desk-messages" title={deskText('mensajes')} runner={runner} className="desk-section">
      <AnswerHint answer={answer} failure={failure} />
      {answer !== null && (
        <>
          <h2>{deskText('messages.contact')}</h2>
          {answer.mensajes.length === 0 && <p>{deskText('messages.none')}</p>}
          {answer.esperan > 0 && <p>{deskText('messages.count', { count: answer.esperan })}</p>}
          <ul className="desk-list">
            {answer.mensajes.map((message) => (
              <Message
                key={message.id}
                message={message}
                onAnswer={() => void runner.raise('answer', { id: message.id })}
              />
            ))}
          </ul>
          <h2>{deskText('messages.feedback')}</h2>
          {answer.opiniones.length === 0 && <p>{deskText('messages.none')}</p>}
          <ul className="desk-list">
            {answer.opiniones.map((opinion) => (
              <Opinion
                key={opinion.id}
                opinion={opinion}
                onRead={() => void runner.raise('read', { id: opinion.id })}
              />
            ))}
          </ul>
        </>
      )}
    </BlockPage>
  );
}

function Message({ message, onAnswer }: { message: Messages['mensajes'][number]; onAnswer: () => void }) {
  const { id, nombre, documento, correo, telefono, asunto, mensaje, agregado, momento, plazo, atrasado, respuesta } =
    message;
  return (
    <li>
      <h3>
        {asunto} · {nombre}
      </h3>
      <p className="desk-more">
        {[
          deskText('messages.number', { number: id }),
          formatMoment(momento),
          writtenDocument(documento),
          correo,
          writtenPhone(telefono),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <blockquote className="desk-message">{mensaje}</blockquote>
      <ExtraFacts fields={agregado} />
      {respuesta === null ? (
        <p>
          <span className={atrasado ? 'tag desk-late' : 'tag'}>
            {deskText(atrasado ? 'messages.late' : 'messages.due', { date: writtenDate(plazo) })}
          </span>{' '}
          <Act
            text={deskText('messages.answer')}
            label={deskText('messages.answerOf', { name: nombre })}
            onAct={onAnswer}
          />
        </p>
      ) : (
        <>
          <p>{deskText('messages.answered', { agent: respuesta.agente, when: formatMoment(respuesta.momento) })}</p>
          <blockquote className="desk-message">{respuesta.texto}</blockquote>
        </>
      )}
    </li>
  );
}

function Opinion({ opinion, onRead }: { opinion: Messages['opiniones'][number]; onRead: () => void }) {
  const { momento, pagina, util, comentario, leida } = opinion;
  const when = formatMoment(momento);
  return (
    <li>
      <p className="desk-more">{when}</p>
      {util !== null && <p>{deskText('messages.useful', { page: pagina ?? '', useful: util })}</p>}
      <blockquote className="desk-message">
        {comentario === '' ? deskText('messages.noComment') : comentario}
      </blockquote>
      {leida ? (
        <p>{deskText('messages.isRead')}</p>
      ) : (
        <Act text={deskText('messages.read')} label={deskText('messages.readOf', { when })} onAct={onRead} />
      )}
    </li>
  );
}
