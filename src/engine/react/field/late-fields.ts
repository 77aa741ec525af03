import type { FieldProps } from '@rjsf/utils';
import type { ComponentType } from 'react';
import { lazyComponent } from '../late.tsx';
import type { WidgetProps } from '../widget.ts';
import type { MatrixProps } from './matrix-field.tsx';

const load = () => import('./wide-fields.ts');

/** A list of items. Like all components here, it is loaded when it is first drawn. */
export const ListField = lazyComponent<FieldProps>(async () => (await load()).ListField);

export const ChoicesField = lazyComponent<FieldProps>(
  async () => (await load()).ArrayField as ComponentType<FieldProps>,
); // rjsf types its form context as any

export const MatrixField = lazyComponent<MatrixProps>(async () => (await load()).MatrixField);

/** A date, a time, or both, drawn with the inputs of any theme. */
export const MomentWidget = lazyComponent<WidgetProps>(async () => (await load()).MomentWidget);
