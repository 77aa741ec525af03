export { Input } from '@fluentui/react-components';
export { Tick } from './tick.tsx';
