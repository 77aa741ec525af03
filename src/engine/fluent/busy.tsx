import { Spinner } from '@fluentui/react-components';

/** A spinner with a label. `small` fits beside a button. */
export function Busy({ text, small = false }: { readonly text: string; readonly small?: boolean }) {
  return <Spinner size={small ? 'tiny' : 'medium'} label={text} />;
}
