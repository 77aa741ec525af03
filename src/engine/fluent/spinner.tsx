import { Spinner } from '@fluentui/react-components';

/** A turning sign beside a sentence: small beside a button, larger in its place. */
export function BusySpinner({ text, small }: { text: string; small: boolean }) {
  return <Spinner size={small ? 'tiny' : 'medium'} label={text} />;
}
