import type { ComponentType } from 'react';
import { Screen, type ScreenProps } from '../react/flow/screen-view.tsx';
import { createFluentRoot, type StyleRenderer } from './fluent-root.tsx';
import { fluentTheme } from './fluent-theme.ts';

export function createFluentScreen(styles: StyleRenderer): ComponentType<ScreenProps> {
  const Root = createFluentRoot(styles);
  return function FluentScreen(props) {
    return (
      <Root>
        <Screen {...props} theme={fluentTheme} />
      </Root>
    );
  };
}
