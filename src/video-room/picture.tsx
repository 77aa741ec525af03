import { useEffect, useRef, type RefObject } from 'react';

interface PictureProps {
  /** Null: nothing is to be seen yet. */
  readonly stream: MediaStream | null;
  readonly label: string;
  /** The own picture: without its sound, and as in a mirror. */
  readonly own?: boolean;
  readonly video?: RefObject<HTMLVideoElement | null>;
}

/** What a camera shows. */
export function Picture({ stream, label, own = false, video }: PictureProps) {
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
