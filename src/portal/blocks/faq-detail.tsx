import type { Answer } from '../../contract/contract.ts';
import { fillPath } from '../../engine/core/route.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import { pages } from '../../contract/pages.ts';
import { Breadcrumb } from '../shell/breadcrumb.tsx';
import { LoadHint } from '../shell/load-hint.tsx';
import { Markdown } from '../shell/markdown.tsx';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { useBlockData } from '../navigation/use-block-data.ts';
import { useTitle } from '../shell/use-title.ts';

/** Question with its answer and related questions. Redirects to the not-found page if no question has the slug. */
export default function FaqDetail({ runner }: BlockProps) {
  const { t } = usePortal();
  const source = useBlockData(runner, pages.notFound);
  const faq = source.state === 'ready' ? (source.data as Answer<'getFaqs'>)[0]?.faqs[0] : undefined; // `data` is untyped; it is the response of `getFaqs`
  const title = faq?.titulo ?? t('faq.title');
  useTitle(title);
  if (!faq) return <LoadHint source={source} />;
  const steps = [
    { to: pages.home, text: t('home') },
    { to: pages.help, text: t('faq.title') },
  ];
  return (
    <article className="content" aria-labelledby="faq-title">
      <Breadcrumb steps={steps} current={title} />
      <p className="content-category">{faq.categorias.nombre}</p>
      <h1 id="faq-title" tabIndex={-1}>
        {title}
      </h1>
      <Markdown>{faq.respuesta}</Markdown>
      {faq.faqs_relacionadas.length > 0 && (
        <nav className="content-related" aria-labelledby="faq-related">
          <h2 id="faq-related">{t('faq.related')}</h2>
          <ul>
            {faq.faqs_relacionadas.map(({ slug, titulo }) => (
              <li key={slug}>
                <PortalLink to={fillPath(pages.question, { slug })}>{titulo}</PortalLink>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <p className="content-back">
        <PortalLink to={pages.help}>{t('faq.back')}</PortalLink>
      </p>
    </article>
  );
}
