import { useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { LoadError } from '../../engine/react/flow/failed.tsx';
import { lazyComponent } from '../../engine/react/late.tsx';
import { Crash } from './crash.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { loadPart } from '../navigation/load-part.ts';
import { usePortal } from '../portal-context.ts';
import { onSession, seemsSignedIn } from '../session/session-hint.ts';

const SessionNotices = lazyComponent(async () => {
  const part = await loadPart(() => import('../session/idle-warning.tsx')).catch(() => null);
  return part?.SessionNotices ?? (() => null); // without it the session ends without a warning, but the page works
});

export function Shell({ chrome, children }: { chrome: 'full' | 'none'; children: ReactNode }) {
  const portal = usePortal();
  const { problems = [], config } = portal.page;
  const { key } = useLocation();
  const main = (
    <main id="contenido" tabIndex={-1}>
      {problems.length > 0 && (
        <section className="problems" role="alert">
          <h2>{portal.t('problems')}</h2>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>
                <code>{problem}</code>
              </li>
            ))}
          </ul>
        </section>
      )}
      <SessionWarning />
      <Crash at={key} fallback={<LoadError text={portal.t('crashed')} />}>
        {children}
      </Crash>
    </main>
  );
  if (chrome === 'none') return main;
  return (
    <>
      <a className="skip" href="#contenido">
        {portal.t('skip')}
      </a>
      {config.flags.cabezal && <Header />}
      {main}
      <Footer />
    </>
  );
}

// Mounts with the first session and stays, because the session may end while its warning is shown.
function SessionWarning() {
  const [needed, setNeeded] = useState(false);
  useEffect(() => {
    const look = () => {
      if (seemsSignedIn()) setNeeded(true);
    };
    look();
    return onSession(look);
  }, []);
  return needed && <SessionNotices />;
}
