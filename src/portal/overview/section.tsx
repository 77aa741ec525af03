import { observer } from 'mobx-react-lite';
import { useId, type ReactNode } from 'react';
import type { OperationName } from '../../contract/contract.ts';
import type { Store } from '../../domain/root-store.ts';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from '../shell/portal-link.tsx';

/** One part of the overview under its heading, to which `anchor` leads within the page. */
export function Section({ title, anchor, children }: { title: string; anchor?: string; children: ReactNode }) {
  const own = useId();
  const id = anchor ?? own;
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** A fact and what can be done about it. */
export function Fact({ term, children, action }: { term: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
      {action && <dd className="fact-action">{action}</dd>}
    </div>
  );
}

interface WayProps {
  readonly to: string;
  /** What is changed, where the words on the button do not say it. */
  readonly name?: string;
  readonly store: Store;
  readonly call: OperationName;
  /** A link in a text, as long as it leads somewhere. */
  readonly plain?: boolean;
  readonly children: string;
}

/** A link or button for an operation; those whom the server would refuse see it with the reason why it does nothing (section 6). */
export const Way = observer(function Way({ to, name, store, call, plain = false, children }: WayProps) {
  const {
    t,
    page: {
      config: { flags },
    },
  } = usePortal();
  const explanation = useId();
  const label = name === undefined ? undefined : t('seguridad.actionOf', { action: children, name });
  if (store.refusalOfOperation(call, flags) === null)
    return (
      <PortalLink to={to} {...(!plain && { className: 'button button-small' })} label={label}>
        {children}
      </PortalLink>
    );
  return (
    <>
      <button
        type="button"
        className="button button-small"
        aria-disabled="true"
        aria-label={label}
        aria-describedby={explanation}
      >
        {children}
      </button>
      <span id={explanation} className="visually-hidden">
        {t('seguridad.disabled')}
      </span>
    </>
  );
});
