import type { ReactNode } from 'react';
import { useEngine } from './engine-context.ts';

/** A link that leaves this tab as it is, and says so to everybody. */
export function NewTabLink({ to, children }: { to: string; children: ReactNode }) {
  const engine = useEngine();
  return (
    <a href={to} target="_blank" rel="noopener noreferrer">
      {children} {engine.t('newTab')}
    </a>
  );
}
