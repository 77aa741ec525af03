import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { buildHref } from '../../contract/build-href.ts';
import { usePortal } from '../portal-context.ts';

interface LinkProps {
  readonly to: string;
  readonly className?: string;
  /** Accessible name, if the visible text is not sufficient. It must begin with that text. */
  readonly label?: string | undefined;
  readonly describedBy?: string;
  /** Whether the link leads to the current page. */
  readonly current?: boolean;
  readonly children: ReactNode;
}

/** Loads the page of a route with `load: 'document'`. Navigates to other routes without a page load. */
export function PortalLink({ to, className, label, describedBy, current = false, children }: LinkProps) {
  const portal = usePortal();
  const [path = '', rest = ''] = splitPath(to);
  const address = buildHref(path) + rest;
  const attributes = {
    className,
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-current': current ? 'page' : undefined,
  } as const;
  if (portal.definitions.resolveRoute(path)?.load === 'document')
    return (
      <a href={address} {...attributes}>
        {children}
      </a>
    );
  return (
    <Link to={address} {...attributes}>
      {children}
    </Link>
  );
}

function splitPath(to: string): readonly [string, string] {
  const end = /[?#]/.exec(to)?.index ?? to.length;
  return [to.slice(0, end), to.slice(end)];
}
