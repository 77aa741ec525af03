export { Input } from '@fluentui/react-components';
export { SelectWidget } from './choice-widgets.tsx';
export { Checkbox } from './checkbox.tsx';
