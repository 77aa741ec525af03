import { FluentProvider, webDarkTheme, webLightTheme } from '@fluentui/react-components';
import { useSyncExternalStore, type ReactNode } from 'react';
import { omitPageTokens } from '../../engine/fluent/fluent-page.tsx';
import { fluentRoot, pageStyles } from '../../engine/fluent/fluent-root.tsx';
import { readNonce } from '../../portal/navigation/read-page.ts';
import './studio-fluent-provider.css';

const Root = fluentRoot(pageStyles(readNonce()));
const themes = { light: omitPageTokens(webLightTheme), dark: omitPageTokens(webDarkTheme) };
const darkness = matchMedia('(prefers-color-scheme: dark)');

export function StudioFluentProvider({ children }: { readonly children: ReactNode }) {
  const isDark = useSyncExternalStore(watch, () => darkness.matches);
  return (
    <Root>
      <FluentProvider theme={isDark ? themes.dark : themes.light} className="fluent">
        {children}
      </FluentProvider>
    </Root>
  );
}

function watch(changed: () => void): () => void {
  darkness.addEventListener('change', changed);
  return () => darkness.removeEventListener('change', changed);
}
