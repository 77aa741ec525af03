import { createDOMRenderer, FluentProvider, RendererProvider } from '@fluentui/react-components';
import type { ComponentType } from 'react';
import { Screen, type ScreenProps } from '../react/flow/screen-view.tsx';
import { fluentTheme } from './theme.ts';
import { tokens } from './tokens.ts';
import './fluent.css';

interface FluentOptions {
  readonly nonce: string | undefined;
}

/** The renderer of screens under Fluent, whose styles carry the nonce of the page's Content-Security-Policy. */
export function fluentScreen({ nonce }: FluentOptions): ComponentType<ScreenProps> {
  const renderer = createDOMRenderer(document, { styleElementAttributes: nonce ? { nonce } : {} });
  return function FluentScreen(props) {
    return (
      <RendererProvider renderer={renderer} targetDocument={document}>
        <FluentProvider theme={tokens} className="fluent">
          <Screen {...props} theme={fluentTheme} />
        </FluentProvider>
      </RendererProvider>
    );
  };
}
