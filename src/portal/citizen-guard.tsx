import { useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { href } from '../api/href.ts';
import { usePortal } from './portal-context.ts';
import { addresses } from './addresses.ts';

/**
 * Loads the citizen's record before its children are drawn. Where a citizen is required and nobody is signed in, it goes
 * to the sign-in with the way back to the asked page (section 2.2).
 */
export function CitizenGuard({ required, children }: { required: boolean; children: ReactNode }) {
  const portal = usePortal();
  const { pathname, search } = useLocation();
  const [state, setState] = useState<'waiting' | 'ready' | 'failed'>('waiting');
  useEffect(() => {
    let current = true;
    portal.citizen().then((store) => {
      if (!current) return;
      if (required && !store.session.authenticated) portal.leave(href(addresses.login, { redirectUrl: decodeURI(pathname) + search }));
      else setState('ready');
    }, () => current && setState('failed'));
    return () => void (current = false);
  }, [portal, required, pathname, search]);
  if (state === 'failed') return <p role="alert" className="screen">{portal.say('failed')}</p>;
  if (state === 'waiting') return <p role="status" className="screen screen-loading">{portal.say('loading')}</p>;
  return children;
}
