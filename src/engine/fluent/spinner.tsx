import { Spinner } from '@fluentui/react-components';

/** A spinner with a label. `small` fits beside a button. */
export function BusySpinner({ text, small }: { text: string; small: boolean }) {
  return <Spinner size={small ? 'tiny' : 'medium'} label={text} />;
}
