import type { OperationResponse } from '../../contract/contract.ts';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import { pagePaths } from '../../contract/page-paths.ts';
import { Breadcrumb } from '../shell/breadcrumb.tsx';
import { SourceLoadStatus } from '../shell/source-load-status.tsx';
import { listSectionHeadings, MarkdownContent } from '../shell/markdown.tsx';
import { usePortal } from '../portal-context.ts';
import { useBlockData } from '../navigation/use-block-data.ts';
import { useDocumentTitle } from '../shell/use-document-title.ts';

/** Maximum number of sections of a page without a table of contents. */
const maxSectionsWithoutContents = 5;

export default function StaticPage({ runner }: FlowBlockProps) {
  const { t } = usePortal();
  const source = useBlockData(runner);
  const page = source.state === 'ready' ? (source.data as OperationResponse<'getStaticPage'>) : null; // `data` is untyped; it is the response of `getStaticPage`
  const title = page?.titulo ?? '';
  useDocumentTitle(title);
  if (!page) return <SourceLoadStatus source={source} />;
  const { resumen, contenido, disposicion, actualizada } = page;
  return (
    <article className={disposicion === 'metodos' ? 'content content-wide' : 'content'} aria-labelledby="page-title">
      <Breadcrumb steps={[{ to: pagePaths.home, text: t('home') }]} current={title} />
      <h1 id="page-title" tabIndex={-1}>
        {title}
      </h1>
      {resumen !== null && <p className="content-summary">{resumen}</p>}
      {disposicion === 'metodos' ? <Methods text={contenido} /> : <Card text={contenido} />}
      {actualizada !== null && (
        <p className="content-updated">{t('page.updated', { date: actualizada.split('-').reverse().join('/') })}</p>
      )}
    </article>
  );
}

function Card({ text }: { text: string }) {
  const { t } = usePortal();
  const headings = listSectionHeadings(text);
  return (
    <div className="content-card">
      {headings.length > maxSectionsWithoutContents && (
        <nav className="contents" aria-labelledby="page-contents">
          <h2 id="page-contents">{t('page.contents')}</h2>
          <ol>
            {headings.map(({ text: heading, anchor }) => (
              <li key={anchor}>
                <a href={`#${anchor}`}>{heading}</a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <MarkdownContent>{text}</MarkdownContent>
    </div>
  );
}

function Methods({ text }: { text: string }) {
  const [intro = '', ...parts] = text.split(/^(?=## )/m);
  return (
    <>
      {intro.trim() !== '' && <MarkdownContent>{intro}</MarkdownContent>}
      <ul className="method-cards">
        {parts.map((part) => (
          <li key={part.slice(0, 80)} className="panel">
            <MarkdownContent>{part}</MarkdownContent>
          </li>
        ))}
      </ul>
    </>
  );
}
