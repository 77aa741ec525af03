import { pages } from '../../contract/pages.ts';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from './portal-link.tsx';

export function OfficialStrip() {
  const {
    t,
    page: {
      config: { brand },
    },
  } = usePortal();
  if (brand.domain === '') return null;
  return (
    <details className="strip">
      <summary>
        {t('strip.official', { country: brand.country })} <span className="strip-how">{t('strip.how')}</span>
      </summary>
      <p>
        {t('strip.text', { domain: brand.domain, product: brand.product })}{' '}
        <PortalLink to={pages.authentic}>{t('strip.more')}</PortalLink>
      </p>
    </details>
  );
}
