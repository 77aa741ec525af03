import { useEffect, useRef, type ReactNode, useState, type RefObject } from 'react';
import './room.css';
import { DeviceCheck } from './device-check.tsx';
import { isFinalRoomPhase } from './room-connection.ts';
import { CallView } from './call-view.tsx';
import { findCallDecisionTextKey, type RoomTranslateFunction, type RoomTextKey } from './room-texts.ts';
import { useRoomConnection, type RoomSeatOptions } from './use-room-connection.ts';
import type { RoomEvent } from './signaling-channel.ts';

/** Maximum length of the longer side of a photo, in pixels. Sufficient to read a document. */
const maxSidePx = 1_280;
const jpegQuality = 0.9;

/** Captures the current frame as a base64 JPEG. Returns `null` if there is no video. */
async function takeStill(video: HTMLVideoElement): Promise<string | null> {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0 || height === 0) return null;
  const scale = Math.min(1, maxSidePx / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
  const url = canvas.toDataURL('image/jpeg', jpegQuality);
  return url.startsWith('data:image/jpeg;base64,') ? url.slice(url.indexOf(',') + 1) : null;
}

interface StillRequestProps {
  readonly asked: RoomEvent['foto'] | null;
  readonly video: RefObject<HTMLVideoElement | null>;
  readonly t: RoomTranslateFunction;
  readonly onAnswer: (id: string, picture: string | null) => Promise<boolean>;
}

/** Request for a photo. Nothing is captured before the citizen consents. */
function StillRequest({ asked, video, t, onAnswer }: StillRequestProps) {
  const [said, setSaid] = useState<RoomTextKey | null>(null);
  const [busy, setBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = asked?.id ?? null;
  useEffect(() => {
    if (id !== null) heading.current?.focus();
  }, [id]);
  const answer = async (agreed: boolean): Promise<void> => {
    if (asked === null || asked === undefined || busy) return;
    setBusy(true);
    const picture = agreed && video.current !== null ? await takeStill(video.current) : null;
    const isSent = (!agreed || picture !== null) && (await onAnswer(asked.id, picture));
    setSaid(!isSent ? 'still.failed' : agreed ? 'still.sent' : 'still.refused');
    setBusy(false);
  };
  return (
    <>
      {asked && (
        <section className="notice room-still" aria-labelledby="still-title">
          <div>
            <h2 id="still-title" ref={heading} tabIndex={-1}>
              {t(`still.${asked.tipo}`)}
            </h2>
            <p>{t(`still.${asked.tipo}.how`)}</p>
            <p>{t('still.why')}</p>
            <div className="screen-actions">
              <button
                type="button"
                className="button button-primary"
                aria-disabled={busy || undefined}
                onClick={() => void answer(true)}
              >
                {t('still.take')}
              </button>
              <button
                type="button"
                className="button"
                aria-disabled={busy || undefined}
                onClick={() => void answer(false)}
              >
                {t('still.refuse')}
              </button>
            </div>
          </div>
        </section>
      )}
      <p role="status">{said !== null && t(said)}</p>
    </>
  );
}

interface CitizenRoomProps extends Omit<RoomSeatOptions, 'side'> {
  readonly t: RoomTranslateFunction;
  /** Whether the citizen opened this page with a button. If so, the heading takes the focus, because the button no longer exists. */
  readonly openedByButton: boolean;
  /** Sends a photo, or `null` if the citizen declines. Returns whether the server accepted it. */
  readonly onSendStill: (client: string, id: string, picture: string | null) => Promise<boolean>;
  /** Renders links for the state of the call. `callState` is empty if the state is unknown. */
  readonly renderLinks: (callState: string) => ReactNode;
}

export function CitizenRoom({ t, openedByButton, onSendStill, renderLinks, ...options }: CitizenRoomProps) {
  const seat = useRoomConnection({ ...options, side: 'citizen' });
  const video = useRef<HTMLVideoElement>(null);
  const { seated, left, enter } = seat;
  if (seated === null)
    return (
      <section className="screen room-page" aria-labelledby="room-title">
        <Title text={t('title')} focused={left || openedByButton} />
        {left ? (
          <p role="status">{t('end.left')}</p>
        ) : (
          <>
            <p className="screen-intro">{t('advice')}</p>
            <p className="screen-intro">{t('advice.private')}</p>
          </>
        )}
        <DeviceCheck t={t} onEnter={enter} />
      </section>
    );
  const { room, phase, callState, requestedPhoto } = seated;
  const decision = findCallDecisionTextKey(callState);
  const good = decision === 'state.user' || decision === 'state.done';
  return (
    <section key={room.client} className="screen room-page" aria-labelledby="room-title" data-phase={phase}>
      <Title text={t('callTitle')} focused />
      <div role="status" className="room-status">
        {phase !== 'over' && <p>{t(isFinalRoomPhase(phase) ? `end.${phase}` : `phase.${phase}`)}</p>}
        {decision !== undefined && (
          <div className="notice" data-intent={good ? 'success' : 'info'}>
            <p>{t(decision)}</p>
          </div>
        )}
      </div>
      {(decision !== undefined || phase === 'closed' || phase === 'unknown') && (
        <div className="screen-actions room-ways">{renderLinks(callState)}</div>
      )}
      <CallView seat={seat} t={t} across={t('agentPicture')} video={video}>
        <StillRequest
          asked={requestedPhoto}
          video={video}
          t={t}
          onAnswer={(id, still) => onSendStill(room.client, id, still)}
        />
      </CallView>
    </section>
  );
}

function Title({ text, focused }: { readonly text: string; readonly focused: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focused) heading.current?.focus();
  }, [focused]);
  return (
    <h1 id="room-title" ref={heading} tabIndex={-1}>
      {text}
    </h1>
  );
}
