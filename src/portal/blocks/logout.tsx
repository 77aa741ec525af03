import { useEffect } from 'react';
import { constants } from '../../api/constants.ts';
import { usePortal } from '../portal-context.ts';
import { addresses } from '../addresses.ts';

/** Ends the session: the broker's first, then storage, then home after the wait of section 9. */
export function Block() {
  const portal = usePortal();
  useEffect(() => {
    let timer = 0;
    document.title = portal.say('loggingOut');
    void endSession().then(({ location, waitLonger }) => {
      timer = window.setTimeout(() => portal.leave(location), waitLonger ? constants.logoutLongWaitMs : constants.logoutWaitMs);
    });
    return () => window.clearTimeout(timer);

    async function endSession(): Promise<{ location: string; waitLonger: boolean }> {
      const store = await portal.store();
      const answer = await store.logOut();
      return answer ? { location: answer.location, waitLonger: answer.wait_longer } : { location: addresses.home, waitLonger: false };
    }
  }, [portal]);
  return <p role="status" className="screen screen-loading">{portal.say('loggingOut')}</p>;
}
