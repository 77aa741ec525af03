import { useEffect, useRef, useState } from 'react';

/** How far from what is seen a drawing is made, in pixels. */
const marginPx = 1_000;

interface FrameProps {
  readonly src: string;
  readonly title: string;
  /** In pixels. */
  readonly width: string;
}

/** A drawing in a frame of its own, there while it is near what is seen: a page holds a thousand frames at most, and the gallery has more. */
export function Frame({ src, title, width }: FrameProps) {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  // What lies below must not jump when a drawing goes: its height stays.
  const [height, setHeight] = useState<number>();
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        if (!entry.isIntersecting) setHeight(place.current?.offsetHeight);
        setNear(entry.isIntersecting);
      },
      { rootMargin: `${marginPx}px` },
    );
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} className="gallery-frame" style={near ? undefined : { height }}>
      {near && <iframe width={width} src={src} title={title} />}
    </div>
  );
}
