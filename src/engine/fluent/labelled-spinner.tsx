import { Spinner } from '@fluentui/react-components';

export function LabelledSpinner({ text, small = false }: { readonly text: string; readonly small?: boolean }) {
  return <Spinner size={small ? 'tiny' : 'medium'} label={text} />;
}
