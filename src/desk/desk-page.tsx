import type { ReactNode, Ref } from 'react';
import type { FlowRunner } from '../engine/runtime/flow-runner.ts';
import { FlowNotice } from '../portal/shell/block-layout.tsx';
import { useDocumentTitle } from '../portal/shell/use-document-title.ts';

interface DeskPageProps {
  readonly title: string;
  /** Title of the document, if it differs from the page title. */
  readonly documentTitle?: string;
  readonly runner?: FlowRunner;
  readonly bar?: ReactNode;
  readonly children: ReactNode;
}

export function DeskPage({ title, documentTitle = title, runner, bar, children }: DeskPageProps) {
  useDocumentTitle(documentTitle);
  return (
    <section className="desk-section" aria-labelledby="desk-title">
      <div className="desk-bar">
        <h1 id="desk-title" tabIndex={-1}>
          {title}
        </h1>
        {bar}
      </div>
      {runner && <FlowNotice runner={runner} />}
      {children}
    </section>
  );
}

interface DeskTableProps {
  readonly label: string;
  readonly headings: readonly string[];
  readonly listRef?: Ref<HTMLDivElement>;
  readonly children: ReactNode;
}

export function DeskTable({ label, headings, listRef, children }: DeskTableProps) {
  return (
    <div className="desk-table" role="region" aria-label={label} tabIndex={0} ref={listRef}>
      <table>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
