import { useEffect, useId, useRef } from 'react';
import type { SayRoom } from './texts.ts';

const everyMs = 100;

/** Level meter of the microphone. Hidden from screen readers, because it changes constantly. */
export function MicrophoneLevel({ stream, t }: { readonly stream: MediaStream; readonly t: SayRoom }) {
  const meter = useRef<HTMLMeterElement>(null);
  const id = useId();
  useEffect(() => {
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(stream).connect(analyser);
    const heard = new Float32Array(analyser.fftSize);
    const timer = window.setInterval(() => {
      analyser.getFloatTimeDomainData(heard);
      if (meter.current) meter.current.value = Math.min(1, 4 * Math.max(...heard.map(Math.abs)));
    }, everyMs);
    return () => {
      window.clearInterval(timer);
      void context.close();
    };
  }, [stream]);
  return (
    <p className="room-level">
      <label htmlFor={id}>{t('level')}</label>
      <meter ref={meter} id={id} min={0} max={1} value={0} />
      <span>{t('level.hint')}</span>
    </p>
  );
}
