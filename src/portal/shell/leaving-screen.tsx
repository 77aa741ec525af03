import type { ReactNode } from 'react';
import { usePortal } from '../portal-context.ts';
import { useDocumentTitle } from './use-document-title.ts';

/** Screen that is shown until the browser opens another site or page. */
export function LeavingScreen({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  useDocumentTitle(text);
  return (
    <section className="screen screen-loading">
      <p role="status">
        <span className="spinner" />
        {text}
      </p>
      {children}
    </section>
  );
}

export function HiddenLogoutFrames({ urls }: { readonly urls: readonly string[] }) {
  const { t } = usePortal();
  return urls.map((url) => (
    <iframe key={url} className="hidden-frame" src={url} title={t('logout.frame')} aria-hidden="true" tabIndex={-1} />
  ));
}
