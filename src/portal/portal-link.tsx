import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { href } from '../api/href.ts';
import { usePortal } from './portal-context.ts';

/** A link to a route of the portal, encoded; a route that asks for a fresh page gets one. */
export function PortalLink({ to, className, children }: { to: string; className?: string; children: ReactNode }) {
  const portal = usePortal();
  const [path = '', rest = ''] = splitPath(to);
  const address = href(path) + rest;
  if (portal.routeAt(path)?.load === 'document') return <a href={address} className={className}>{children}</a>;
  return <Link to={address} className={className}>{children}</Link>;
}

function splitPath(to: string): readonly [string, string] {
  const end = /[?#]/.exec(to)?.index ?? to.length;
  return [to.slice(0, end), to.slice(end)];
}
