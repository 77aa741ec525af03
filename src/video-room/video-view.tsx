import { useEffect, useRef, type RefObject } from 'react';

interface VideoViewProps {
  /** Media stream to show. `null` until media arrive. */
  readonly stream: MediaStream | null;
  readonly label: string;
  /** Whether this is the user's own video, which is muted and mirrored. */
  readonly own?: boolean;
  readonly video?: RefObject<HTMLVideoElement | null>;
}

export function VideoView({ stream, label, own = false, video }: VideoViewProps) {
  const inner = useRef<HTMLVideoElement>(null);
  const element = video ?? inner;
  useEffect(() => {
    if (element.current) element.current.srcObject = stream;
  }, [element, stream]);
  return (
    <video
      ref={element}
      className={own ? 'room-own' : 'room-other'}
      aria-label={label}
      autoPlay
      playsInline
      muted={own}
      disablePictureInPicture
    />
  );
}
