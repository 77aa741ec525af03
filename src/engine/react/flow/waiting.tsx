import { useEffect, type ReactNode } from 'react';
import { useEngine } from '../engine-context.ts';

/** Of what stands where something comes. */
export const waitingClass = 'screen-waiting';

/** What stands where something comes: its heading where it is known, and the places of its fields; the status region of the page tells who cannot see them. */
export function Waiting({ text, title = null, intro = [], fields = 2, children }: WaitingProps) {
  const engine = useEngine();
  useEffect(() => engine.wait(text), [engine, text]);
  return (
    <section className={`screen ${waitingClass}`}>
      {title === null ? <div className="skeleton skeleton-title" /> : <h1>{title}</h1>}
      {intro.map((paragraph) => (
        <p key={paragraph} className="screen-intro">
          {paragraph}
        </p>
      ))}
      <p className="waiting-text">{text}</p>
      {Array.from({ length: fields }, (_, index) => (
        <div key={index} className="skeleton skeleton-field" />
      ))}
      {children}
    </section>
  );
}

/** Stands for what is still to be loaded. */
export function Coming() {
  return <Waiting text={useEngine().t('busy')} />;
}

interface WaitingProps {
  readonly text: string;
  readonly title?: string | null;
  readonly intro?: readonly string[];
  /** How many fields the form has, if it is one. */
  readonly fields?: number | undefined;
  /** What follows the fields. */
  readonly children?: ReactNode;
}
