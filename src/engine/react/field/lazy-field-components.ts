export { default as ArrayField } from '@rjsf/core/lib/components/fields/ArrayField.js';
export { ListField } from './list-field.tsx';
export { MatrixField } from './matrix-field.tsx';
export { TemporalWidget } from './temporal-widget.tsx';
