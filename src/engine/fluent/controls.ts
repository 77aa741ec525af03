/** What the widgets of plugins draw with. */
export { Checkbox, Input } from '@fluentui/react-components';
