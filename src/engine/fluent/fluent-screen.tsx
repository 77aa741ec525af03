import { createDOMRenderer, FluentProvider, RendererProvider } from '@fluentui/react-components';
import type { ComponentType } from 'react';
import { Screen, type ScreenProps } from '../react/flow/screen-view.tsx';
import type { ChoiceKeys } from './choice-widgets.tsx';
import { fluentTheme } from './theme.ts';
import { tokens } from './tokens.ts';
import './fluent.css';

interface FluentOptions {
  readonly nonce: string | undefined;
  readonly choiceKeys: ChoiceKeys;
}

/** The renderer of screens under Fluent, whose styles carry the nonce of the page's Content-Security-Policy. */
export function fluentScreen({ nonce, choiceKeys }: FluentOptions): ComponentType<ScreenProps> {
  const theme = fluentTheme(choiceKeys);
  const renderer = createDOMRenderer(document, { styleElementAttributes: nonce ? { nonce } : {} });
  return function FluentScreen(props) {
    return (
      <RendererProvider renderer={renderer} targetDocument={document}>
        <FluentProvider theme={tokens} className="fluent">
          <Screen {...props} theme={theme} />
        </FluentProvider>
      </RendererProvider>
    );
  };
}
