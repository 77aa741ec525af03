import { createDOMRenderer, FluentProvider, RendererProvider } from '@fluentui/react-components';
import { Screen, type ScreenProps } from '../../engine/react/screen-view.tsx';
import { fluentTheme } from './fluent-theme.ts';
import { readNonce } from '../navigation/page.ts';
import '../../engine/react/form.css';

const nonce = readNonce();
const renderer = createDOMRenderer(document, { styleElementAttributes: nonce ? { nonce } : {} });

/** A screen under Fluent, whose styles carry the page's nonce. */
export function ThemedScreen(props: ScreenProps) {
  return (
    <RendererProvider renderer={renderer} targetDocument={document}>
      <FluentProvider theme={fluentTheme} className="fluent">
        <Screen {...props} />
      </FluentProvider>
    </RendererProvider>
  );
}
