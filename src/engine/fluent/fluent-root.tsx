import { createDOMRenderer, FluentProvider, RendererProvider } from '@fluentui/react-components';
import type { ComponentType, ReactNode } from 'react';
import { tokens } from './tokens.ts';
import './fluent.css';

interface FluentOptions {
  readonly nonce: string | undefined;
}

/** What Fluent UI is drawn in: the look of the page, and styles that carry the nonce of its Content-Security-Policy. */
export function fluentRoot({ nonce }: FluentOptions): ComponentType<{ readonly children: ReactNode }> {
  const renderer = createDOMRenderer(document, { styleElementAttributes: nonce ? { nonce } : {} });
  return function FluentRoot({ children }) {
    return (
      <RendererProvider renderer={renderer} targetDocument={document}>
        <FluentProvider theme={tokens} className="fluent">
          {children}
        </FluentProvider>
      </RendererProvider>
    );
  };
}
