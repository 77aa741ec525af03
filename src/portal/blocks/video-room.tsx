import { useMemo, type ReactNode } from 'react';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import { CitizenRoom } from '../../video-room/citizen-room.tsx';
import { createRoomTranslate } from '../../video-room/room-texts.ts';
import { useFlowState } from '../navigation/use-flow-runner.ts';
import { usePortal } from '../portal-context.ts';
import { useDocumentTitle } from '../shell/use-document-title.ts';
import { useSignalingChannel } from '../use-signaling-channel.ts';

export default function VideoRoom({ runner }: FlowBlockProps) {
  const portal = usePortal();
  const { language } = portal.page;
  const { context = {}, view } = useFlowState(runner) ?? {};
  const call = typeof context['sala'] === 'string' ? context['sala'] : '';
  const inside = context['dentro'] === true;
  const t = useMemo(() => createRoomTranslate(language), [language]);
  const wire = useSignalingChannel('citizen', call, inside);
  useDocumentTitle(t('title'));
  const renderLink = (event: string, text: string, primary = false): ReactNode => (
    <button
      type="button"
      className={`button${primary ? ' button-primary' : ''}`}
      onClick={() => void runner.raise(event)}
    >
      {text}
    </button>
  );
  return (
    <CitizenRoom
      wire={wire}
      openedByButton={view?.direction !== 'none'}
      t={t}
      wasInside={inside}
      onInsideChange={(now) => void runner.raise(now ? 'inside' : 'outside')}
      onSendStill={async (client, id, picture) => {
        const body = { llamada: call, cliente: client, foto: id, ...(picture !== null && { imagen: picture }) };
        return (await portal.flows.invoke('sendStill', { body })).ok;
      }}
      renderLinks={(state) =>
        state === 'Pendiente usuario'
          ? renderLink('terms', t('state.user.next'), true)
          : renderLink('done', t('end.start'))
      }
    />
  );
}
