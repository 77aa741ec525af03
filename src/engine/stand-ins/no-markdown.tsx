import type { ReactNode } from 'react';

/** Stands in for the markdown library inside rjsf: definitions hold plain texts, which this engine draws itself. */
export function Markdown({ children }: { children?: ReactNode }) {
  return <>{children}</>;
}
