export { Input } from '@fluentui/react-components';
export { SelectWidget } from './choice-widgets.tsx';
export { Tick } from './tick.tsx';
