import { useEffect, useState, type ComponentType, type FunctionComponent } from 'react';

/** A component whose module is loaded when it is first drawn. */
export interface LazyComponent<Props> extends FunctionComponent<Props> {
  /** Loads it ahead: what is there is drawn at once. Rejects where it cannot be loaded, and tries again when it is next called. */
  readonly load: () => Promise<unknown>;
}

/**
 * Does what `lazy` does, without Suspense: once React has drawn a fallback it draws nothing in its place for 300 ms, also where the module was
 * there before (https://github.com/react/react/issues/31819). `Meanwhile` stands until it is loaded; what cannot be loaded is thrown
 * where it is drawn, and tried again when it is next drawn.
 */
export function lazyComponent<Props extends object>(
  loadComponent: () => Promise<ComponentType<Props>>,
  Meanwhile: ComponentType<Props> = Nothing,
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
  function Part(props: Props) {
    const [drawn, setDrawn] = useState(loaded);
    useEffect(() => {
      if (drawn) return;
      let here = true;
      load().then(
        () => here && setDrawn(loaded),
        (error: unknown) => here && setDrawn(() => throwing(error)),
      );
      return () => void (here = false);
    }, [drawn]);
    return drawn ? <drawn.Component {...props} /> : <Meanwhile {...props} />;
  }
  return Object.assign(Part, { load });
}

function Nothing(): null {
  return null;
}

// Thrown while React draws, an error reaches the boundary around it.
function throwing(error: unknown): never {
  throw error;
}
