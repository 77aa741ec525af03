import { useId, type ReactNode } from 'react';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from '../portal-link.tsx';

/** One part of the overview under its heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** A fact and what can be done about it. */
export function Fact({ term, children, action }: { term: string; children: ReactNode; action?: ReactNode }) {
  return <div><dt>{term}</dt><dd>{children}</dd>{action && <dd className="fact-action">{action}</dd>}</div>;
}

/** A way to change something; a restricted citizen sees it and is told why it does nothing (section 6). */
export function Way({ to, name, restricted, children }: { to: string; name?: string; restricted: boolean; children: string }) {
  const { say } = usePortal();
  const explanation = useId();
  const label = name === undefined ? undefined : say('seguridad.changeOf', { name });
  if (!restricted) return <PortalLink to={to} className="button button-small" label={label}>{children}</PortalLink>;
  return (
    <>
      <button type="button" className="button button-small" aria-disabled="true" aria-label={label} aria-describedby={explanation}>{children}</button>
      <span id={explanation} className="visually-hidden">{say('seguridad.disabled')}</span>
    </>
  );
}
