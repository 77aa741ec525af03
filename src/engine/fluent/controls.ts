/** What the widgets of plugins draw with. */
export { Input } from '@fluentui/react-components';
export { Tick } from './tick.tsx';
