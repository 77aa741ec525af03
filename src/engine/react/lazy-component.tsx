import { useEffect, useState, type ComponentType, type FunctionComponent } from 'react';

export interface LazyComponent<Props> extends FunctionComponent<Props> {
  /** Preloads the component, so that it is drawn without delay. Rejects if it cannot be loaded. The next call tries again. */
  readonly load: () => Promise<unknown>;
}

/**
 * Like `lazy`, but without Suspense. Once React has drawn a fallback, it delays the content for 300 ms, even if the module is already loaded
 * (https://github.com/react/react/issues/31819). `Placeholder` is drawn until the module is loaded. A loading error is thrown during rendering, and the
 * next mount tries again.
 */
export function lazyComponent<Props extends object>(
  loadComponent: () => Promise<ComponentType<Props>>,
  Placeholder: ComponentType<Props> = Nothing,
): LazyComponent<Props> {
  let loaded: { readonly Component: ComponentType<Props> } | null = null;
  let loading: Promise<void> | null = null;
  const load = (): Promise<void> => {
    loading ??= loadComponent().then(
      (Component) => void (loaded = { Component }),
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  };
  function LazyPart(props: Props) {
    const [drawn, setDrawn] = useState(loaded);
    useEffect(() => {
      if (drawn) return;
      let here = true;
      load().then(
        () => here && setDrawn(loaded),
        (error: unknown) => here && setDrawn(() => rethrow(error)),
      );
      return () => void (here = false);
    }, [drawn]);
    return drawn ? <drawn.Component {...props} /> : <Placeholder {...props} />;
  }
  return Object.assign(LazyPart, { load });
}

function Nothing(): null {
  return null;
}

// Throws a loading error while rendering, because an error boundary catches no other errors.
function rethrow(error: unknown): never {
  throw error;
}
