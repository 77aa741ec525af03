import type { OperationResponse } from '../../contract/contract.ts';
import { fillPathParameters } from '../../engine/core/route.ts';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import { pagePaths } from '../../contract/page-paths.ts';
import { Breadcrumb } from '../shell/breadcrumb.tsx';
import { SourceLoadStatus } from '../shell/source-load-status.tsx';
import { MarkdownContent } from '../shell/markdown.tsx';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { useBlockData } from '../navigation/use-block-data.ts';
import { useDocumentTitle } from '../shell/use-document-title.ts';

/** Question with its answer and related questions. Redirects to the not-found page if no question has the slug. */
export default function FaqDetail({ runner }: FlowBlockProps) {
  const { t } = usePortal();
  const source = useBlockData(runner, pagePaths.notFound);
  const faq = source.state === 'ready' ? (source.data as OperationResponse<'getFaqs'>)[0]?.faqs[0] : undefined; // `data` is untyped; it is the response of `getFaqs`
  const title = faq?.titulo ?? t('faq.title');
  useDocumentTitle(title);
  if (!faq) return <SourceLoadStatus source={source} />;
  const steps = [
    { to: pagePaths.home, text: t('home') },
    { to: pagePaths.help, text: t('faq.title') },
  ];
  return (
    <article className="content" aria-labelledby="faq-title">
      <Breadcrumb steps={steps} current={title} />
      <p className="content-category">{faq.categorias.nombre}</p>
      <h1 id="faq-title" tabIndex={-1}>
        {title}
      </h1>
      <MarkdownContent>{faq.respuesta}</MarkdownContent>
      {faq.faqs_relacionadas.length > 0 && (
        <nav className="content-related" aria-labelledby="faq-related">
          <h2 id="faq-related">{t('faq.related')}</h2>
          <ul>
            {faq.faqs_relacionadas.map(({ slug, titulo }) => (
              <li key={slug}>
                <PortalLink to={fillPathParameters(pagePaths.question, { slug })}>{titulo}</PortalLink>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <p className="content-back">
        <PortalLink to={pagePaths.help}>{t('faq.back')}</PortalLink>
      </p>
    </article>
  );
}
