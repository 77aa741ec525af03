import { lazy, Suspense } from 'react';

interface BusyProps {
  readonly text: string;
  readonly small?: boolean;
}

// Nobody waits before the first submit: the sign comes then, and its sentence stands alone meanwhile, or for good where the sign cannot be loaded.
const Spinner = lazy(async () => ({
  default: await import('./spinner.tsx').then(
    ({ BusySpinner }) => BusySpinner,
    () => Sentence,
  ),
}));

/** Says that an operation runs. */
export function Busy({ text, small = false }: BusyProps) {
  return (
    <Suspense fallback={text}>
      <Spinner text={text} small={small} />
    </Suspense>
  );
}

function Sentence({ text }: BusyProps) {
  return text;
}
