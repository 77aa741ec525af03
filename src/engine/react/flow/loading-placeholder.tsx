import { useEffect, type ReactNode } from 'react';
import { useEngine } from '../engine-context.ts';

export const loadingScreenClass = 'screen-waiting';

export function LoadingPlaceholder({ text, title = null, intro = [], fields = 2, children }: LoadingPlaceholderProps) {
  const engine = useEngine();
  useEffect(() => engine.wait(text), [engine, text]);
  return (
    <section className={`screen ${loadingScreenClass}`}>
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

export function LoadingScreen() {
  return <LoadingPlaceholder text={useEngine().t('busy')} />;
}

interface LoadingPlaceholderProps {
  readonly text: string;
  readonly title?: string | null;
  readonly intro?: readonly string[];
  readonly fields?: number | undefined;
  readonly children?: ReactNode;
}
