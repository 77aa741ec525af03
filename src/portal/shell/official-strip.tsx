import { usePortal } from '../portal-context.ts';

/** Says that this is the official site and how to tell, where the configuration names its domain. */
export function OfficialStrip() {
  const {
    say,
    page: {
      config: { brand },
    },
  } = usePortal();
  if (brand.domain === '') return null;
  return (
    <details className="strip">
      <summary>
        {say('strip.official', { country: brand.country })} <span className="strip-how">{say('strip.how')}</span>
      </summary>
      <p>{say('strip.text', { domain: brand.domain, product: brand.product })}</p>
    </details>
  );
}
