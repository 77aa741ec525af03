import type { FieldProps } from '@rjsf/utils';
import { late } from '../late.tsx';
import type { MatrixProps } from './matrix-field.tsx';

const load = () => import('./wide-fields.ts');

/** A list of items; a page without one does without. */
export const ListField = late<FieldProps>(async () => (await load()).ListField);

/** A table of choices, loaded as a list is. */
export const MatrixField = late<MatrixProps>(async () => (await load()).MatrixField);
