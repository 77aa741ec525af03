import { lazyComponent } from '../react/late.tsx';

interface BusyProps {
  readonly text: string;
  readonly small?: boolean;
}

// Nobody waits before the first submit: the sign comes then, and its sentence stands alone meanwhile, or for good where the sign cannot be loaded.
const Spinner = lazyComponent<Required<BusyProps>>(
  () =>
    import('./spinner.tsx').then(
      ({ BusySpinner }) => BusySpinner,
      () => Sentence,
    ),
  Sentence,
);

/** Says that an operation runs. */
export function Busy({ text, small = false }: BusyProps) {
  return <Spinner text={text} small={small} />;
}

function Sentence({ text }: BusyProps) {
  return text;
}
