import { Spinner } from '@fluentui/react-components';

/** Spinner with a label. A `small` spinner fits beside a button. */
export function LabelledSpinner({ text, small = false }: { readonly text: string; readonly small?: boolean }) {
  return <Spinner size={small ? 'tiny' : 'medium'} label={text} />;
}
