/** What the widgets of plugins draw with. */
export { Button, Checkbox, Input, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
