import { lazyComponent } from '../react/lazy-component.tsx';

interface BusyProps {
  readonly text: string;
  readonly small?: boolean;
}

// Loaded lazily, because it is not needed before the first submit. Until then, or if it cannot be loaded, the text is shown without the spinner.
const Spinner = lazyComponent<Required<BusyProps>>(
  () =>
    import('./spinner.tsx').then(
      ({ BusySpinner }) => BusySpinner,
      () => Sentence,
    ),
  Sentence,
);

export function Busy({ text, small = false }: BusyProps) {
  return <Spinner text={text} small={small} />;
}

function Sentence({ text }: BusyProps) {
  return text;
}
