import { lazy, Suspense } from 'react';

// Nobody waits before the first submit: the sign comes then, and its sentence stands alone meanwhile.
const Spinner = lazy(async () => ({ default: (await import('./spinner.tsx')).BusySpinner }));

/** Says that an operation runs. */
export function Busy({ text, small = false }: { text: string; small?: boolean }) {
  return (
    <Suspense fallback={text}>
      <Spinner text={text} small={small} />
    </Suspense>
  );
}
