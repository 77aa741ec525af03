import { createDOMRenderer, RendererProvider } from '@fluentui/react-components';
import type { ComponentType, ReactNode } from 'react';
import './fluent.css';

interface FluentOptions {
  readonly nonce: string | undefined;
}

/** What is drawn in it. */
export type FluentRoot = ComponentType<{ readonly children: ReactNode }>;

/** What Fluent's inputs are drawn in: styles that carry the nonce of the page's Content-Security-Policy. Their tokens stand in a stylesheet, since Fluent's theme is 9 KB. */
export function fluentRoot({ nonce }: FluentOptions): FluentRoot {
  const renderer = createDOMRenderer(document, { styleElementAttributes: nonce ? { nonce } : {} });
  return function Root({ children }) {
    return (
      <RendererProvider renderer={renderer} targetDocument={document}>
        <div className="fluent">{children}</div>
      </RendererProvider>
    );
  };
}
