import anyDevice from '../../brand/art/any-device.svg';
import hero from '../../brand/art/landing.svg';
import oneAccount from '../../brand/art/one-account.svg';
import secondFactor from '../../brand/art/second-factor.svg';
import yourData from '../../brand/art/your-data.svg';
import es from '../../../schemas/_shared/texts/landing.json';
import pt from '../../../schemas/_shared/texts/landing.pt.json';
import { pagePaths } from '../../contract/page-paths.ts';
import { usePortal } from '../portal-context.ts';
import { AssuranceLevelLadder } from '../shell/level-ladder.tsx';
import { PortalLink } from '../shell/portal-link.tsx';
import { createTranslate } from '../portal-texts.ts';
import { useIsSignedIn } from '../session/use-portal-store.ts';
import { useDocumentTitle } from '../shell/use-document-title.ts';

/** Texts in both languages, bundled with the page, because no other page uses them. */
const texts = { es, pt };
const benefits = [
  ['one', oneAccount],
  ['data', yourData],
  ['device', anyDevice],
] as const;

export default function LandingPage() {
  const { t, page, config } = usePortal();
  const { flags } = config;
  const landing = createTranslate(texts[page.language]);
  const signedIn = useIsSignedIn();
  useDocumentTitle(landing('title'));
  return (
    <div className="landing">
      <div className="landing-hero">
        <div>
          <h1 tabIndex={-1}>{landing('title')}</h1>
          <p className="landing-intro">{landing('intro')}</p>
          <p className="landing-actions">
            {signedIn ? (
              <PortalLink className="button button-primary" to={pagePaths.security}>
                {landing('account')}
              </PortalLink>
            ) : (
              <>
                <PortalLink className="button button-primary" to={pagePaths.login}>
                  {t('login')}
                </PortalLink>
                <PortalLink className="button" to={pagePaths.register}>
                  {t('register')}
                </PortalLink>
              </>
            )}
          </p>
          {flags.ayuda && (
            <p>
              <PortalLink to={pagePaths.help}>{landing('help')}</PortalLink>
            </p>
          )}
        </div>
        <img src={hero} alt="" width={400} height={320} fetchPriority="high" />
      </div>
      <section aria-labelledby="benefits">
        <h2 id="benefits">{landing('benefits')}</h2>
        <ul className="cards">
          {benefits.map(([key, icon]) => (
            <li key={key} className="card">
              <img src={icon} alt="" width={48} height={48} />
              <h3>{landing(`benefit.${key}`)}</h3>
              <p>{landing(`benefit.${key}.text`)}</p>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="levels">
        <h2 id="levels">{landing('levels')}</h2>
        <p>
          {landing('levels.intro')} <PortalLink to={pagePaths.methods}>{landing('levels.more')}</PortalLink>
        </p>
        <AssuranceLevelLadder describe={(level) => landing(`level.${level}.text`)} />
      </section>
      <section aria-labelledby="factor" className="landing-factor">
        <img src={secondFactor} alt="" width={48} height={48} />
        <div>
          <h2 id="factor">{landing('factor')}</h2>
          <p>{landing('factor.text')}</p>
          <PortalLink className="button" to={pagePaths.secondFactor}>
            {landing('factor.action')}
          </PortalLink>
        </div>
      </section>
    </div>
  );
}
