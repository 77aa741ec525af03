import type { FieldProps } from '@rjsf/utils';
import type { ComponentType } from 'react';
import { late } from '../late.tsx';
import type { WidgetProps } from '../widget.ts';
import type { MatrixProps } from './matrix-field.tsx';

const load = () => import('./wide-fields.ts');

/** A list of items; a page without one does without. */
export const ListField = late<FieldProps>(async () => (await load()).ListField);

/** Several choices in one field. */
export const ChoicesField = late<FieldProps>(async () => (await load()).ArrayField as ComponentType<FieldProps>); // rjsf's types of its own form context are any

/** A table of choices, loaded as a list is. */
export const MatrixField = late<MatrixProps>(async () => (await load()).MatrixField);

/** A day with its hour, by the inputs of whatever theme. */
export const MomentWidget = late<WidgetProps>(async () => (await load()).MomentWidget);
