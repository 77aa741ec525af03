import anyDevice from '../art/any-device.svg';
import hero from '../art/landing.svg';
import oneAccount from '../art/one-account.svg';
import secondFactor from '../art/second-factor.svg';
import yourData from '../art/your-data.svg';
import { addresses } from '../addresses.ts';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from '../portal-link.tsx';
import { useSignedIn } from '../use-signed-in.ts';
import { useTitle } from '../use-title.ts';

const benefits = [['one', oneAccount], ['data', yourData], ['device', anyDevice]] as const;
const levels = ['basic', 'intermediate', 'advanced'] as const;

/** The first page of the portal: what the account is for, how safe it can be, and the ways in. */
export function Block() {
  const { say, page: { config: { flags } } } = usePortal();
  const signedIn = useSignedIn();
  useTitle(say('landing.title'));
  return (
    <div className="landing">
      <div className="landing-hero">
        <div>
          <h1 tabIndex={-1}>{say('landing.title')}</h1>
          <p className="landing-intro">{say('landing.intro')}</p>
          <p className="landing-actions">
            {signedIn ? <PortalLink className="button button-primary" to={addresses.security}>{say('landing.account')}</PortalLink> : (
              <>
                <PortalLink className="button button-primary" to={addresses.login}>{say('login')}</PortalLink>
                <PortalLink className="button" to={addresses.register}>{say('register')}</PortalLink>
              </>
            )}
          </p>
          {flags.ayuda && <p><PortalLink to={addresses.help}>{say('landing.help')}</PortalLink></p>}
        </div>
        <img src={hero} alt="" width={400} height={320} fetchPriority="high" />
      </div>
      <section aria-labelledby="benefits">
        <h2 id="benefits">{say('landing.benefits')}</h2>
        <ul className="cards">
          {benefits.map(([key, icon]) => (
            <li key={key} className="card">
              <img src={icon} alt="" width={48} height={48} />
              <h3>{say(`landing.benefit.${key}`)}</h3>
              <p>{say(`landing.benefit.${key}.text`)}</p>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="levels">
        <h2 id="levels">{say('landing.levels')}</h2>
        <p>{say('landing.levels.intro')} <PortalLink to={addresses.methods}>{say('landing.levels.more')}</PortalLink></p>
        <ol className="cards">
          {levels.map((level) => (
            <li key={level} className="card">
              <h3>{say(`landing.level.${level}`)}</h3>
              <p>{say(`landing.level.${level}.text`)}</p>
            </li>
          ))}
        </ol>
      </section>
      <section aria-labelledby="factor" className="landing-factor">
        <img src={secondFactor} alt="" width={48} height={48} />
        <div>
          <h2 id="factor">{say('landing.factor')}</h2>
          <p>{say('landing.factor.text')}</p>
          <PortalLink className="button" to={addresses.secondFactor}>{say('landing.factor.action')}</PortalLink>
        </div>
      </section>
    </div>
  );
}
