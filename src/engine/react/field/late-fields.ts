import type { FieldProps } from '@rjsf/utils';
import type { ComponentType } from 'react';
import { lazyComponent } from '../late.tsx';
import type { WidgetProps } from '../widget.ts';
import type { MatrixProps } from './matrix-field.tsx';

const load = () => import('./wide-fields.ts');

/** A list of items; a page without one does without. */
export const ListField = lazyComponent<FieldProps>(async () => (await load()).ListField);

/** Several choices in one field. */
export const ChoicesField = lazyComponent<FieldProps>(
  async () => (await load()).ArrayField as ComponentType<FieldProps>,
); // rjsf's types of its own form context are any

/** A table of choices, loaded as a list is. */
export const MatrixField = lazyComponent<MatrixProps>(async () => (await load()).MatrixField);

/** A day with its hour, by the inputs of whatever theme. */
export const MomentWidget = lazyComponent<WidgetProps>(async () => (await load()).MomentWidget);
