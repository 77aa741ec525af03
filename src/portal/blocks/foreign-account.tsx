import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { pagePaths } from '../../contract/page-paths.ts';
import { formatIdentityDocumentWithCountry, getCitizenDocument } from '../../contract/format/document-type.ts';
import { usePortal } from '../portal-context.ts';
import { AccountAlerts } from '../overview/account-alerts.tsx';
import { OverviewFact } from '../overview/overview-section.tsx';
import { usePortalStore } from '../session/use-portal-store.ts';
import { useDocumentTitle } from '../shell/use-document-title.ts';
import { LoadingPlaceholder } from '../../engine/react/flow/loading-placeholder.tsx';
import { BlockLayout } from '../shell/block-layout.tsx';

/** Minimum assurance level of cross-border procedures (section 2.3 of the specification). */
const crossBorderLevel = 3;

/** Page for users of a foreign provider, in its language. Redirects other users to their own account. */
export default observer(function ForeignAccount() {
  const portal = usePortal();
  const { t, page } = portal;
  const store = usePortalStore();
  const idp = store?.session.claims?.idp ?? '';
  const known = store?.providers?.idps.find(({ identificador }) => identificador === idp);
  const provider = known?.nombre ?? (idp === '' ? t('foreign.unknown') : idp);
  const foreignLanguage =
    known?.idioma !== undefined && known.idioma !== page.language && !hasChosenLanguage() ? known.idioma : null;
  useEffect(() => {
    if (foreignLanguage !== null) portal.navigation.replace(`${pagePaths.foreign}?lang=${foreignLanguage}`);
  }, [foreignLanguage, portal]);
  const own = store !== null && store.visitor.role !== 'foreign';
  useEffect(() => {
    if (own) portal.navigation.leave(pagePaths.security, { replace: true });
  }, [own, portal]);
  const title = t('foreign.title', { provider });
  useDocumentTitle(title);
  const user = store?.user;
  if (!user || own) return <LoadingPlaceholder text={t('loading')} />;
  const level = Number(/\d$/.exec(user.acr)?.[0] ?? 0);
  return (
    <BlockLayout id="foreign-title" title={title} className="screen overview foreign">
      <AccountAlerts user={user} foreign />
      <p>{t('foreign.intro')}</p>
      <dl>
        <OverviewFact term={t('foreign.name')}>{user.nombre_completo}</OverviewFact>
        <OverviewFact term={t('foreign.document')}>
          {formatIdentityDocumentWithCountry(getCitizenDocument(user), page.language)}
        </OverviewFact>
        <OverviewFact term={t('foreign.level')}>{t('foreign.levelValue', { level })}</OverviewFact>
      </dl>
      <p className="notice" data-intent={level >= crossBorderLevel ? 'success' : 'warning'}>
        {t(level >= crossBorderLevel ? 'foreign.enough' : 'foreign.notEnough')}
      </p>
    </BlockLayout>
  );
});

function hasChosenLanguage(): boolean {
  return /(^|;\s*)(__Host-)?language=/.test(document.cookie);
}
