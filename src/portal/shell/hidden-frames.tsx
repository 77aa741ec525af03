import { usePortal } from '../portal-context.ts';

export function HiddenLogoutFrames({ urls }: { readonly urls: readonly string[] }) {
  const { t } = usePortal();
  return urls.map((url) => (
    <iframe key={url} className="hidden-frame" src={url} title={t('logout.frame')} aria-hidden="true" tabIndex={-1} />
  ));
}
