import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { pages } from '../../contract/pages.ts';
import { formatCountry } from '../../contract/format/country.ts';
import { formatDocumentType } from '../../contract/format/document-type.ts';
import { usePortal } from '../portal-context.ts';
import { Alerts } from '../overview/alerts.tsx';
import { Fact } from '../overview/section.tsx';
import { useStore } from '../session/use-store.ts';
import { useTitle } from '../shell/use-title.ts';
import { LoadingPlaceholder } from '../../engine/react/flow/loading-placeholder.tsx';
import { BlockPage } from '../shell/block-page.tsx';

/** Minimum assurance level of cross-border procedures (section 2.3 of the specification). */
const crossBorderLevel = 3;

/**
 * Page for users of a foreign identity provider, in the provider's language. Shows the received data and whether the
 * assurance level is sufficient. Redirects other users to their own account.
 */
export default observer(function ForeignAccount() {
  const portal = usePortal();
  const { t, page } = portal;
  const store = useStore();
  const idp = store?.session.claims?.idp ?? '';
  const known = store?.providers?.idps.find(({ identificador }) => identificador === idp);
  const provider = known?.nombre ?? (idp === '' ? t('foreign.unknown') : idp);
  const foreignLanguage =
    known?.idioma !== undefined && known.idioma !== page.language && !hasChosenLanguage() ? known.idioma : null;
  useEffect(() => {
    if (foreignLanguage !== null) portal.navigation.replace(`${pages.foreign}?lang=${foreignLanguage}`);
  }, [foreignLanguage, portal]);
  const own = store !== null && store.visitor.role !== 'foreign';
  useEffect(() => {
    if (own) portal.navigation.leave(pages.security, { replace: true });
  }, [own, portal]);
  const title = t('foreign.title', { provider });
  useTitle(title);
  const user = store?.user;
  if (!user || own) return <LoadingPlaceholder text={t('loading')} />;
  const { tipo_documento: type, pais_emisor: country } = user.documento;
  const level = Number(/\d$/.exec(user.acr)?.[0] ?? 0);
  return (
    <BlockPage id="foreign-title" title={title} className="screen overview foreign">
      <Alerts user={user} foreign />
      <p>{t('foreign.intro')}</p>
      <dl>
        <Fact term={t('foreign.name')}>{user.nombre_completo}</Fact>
        <Fact term={t('foreign.document')}>
          {formatDocumentType(type.codigo, type.nombre, page.language)} {user.numero_documento},{' '}
          {formatCountry(country.codigo, country.nombre, page.language)}
        </Fact>
        <Fact term={t('foreign.level')}>{t('foreign.levelValue', { level })}</Fact>
      </dl>
      <p className="notice" data-intent={level >= crossBorderLevel ? 'success' : 'warning'}>
        {t(level >= crossBorderLevel ? 'foreign.enough' : 'foreign.notEnough')}
      </p>
    </BlockPage>
  );
});

function hasChosenLanguage(): boolean {
  return /(^|;\s*)(__Host-)?language=/.test(document.cookie);
}
