import type { FieldProps } from '@rjsf/utils';
import type { ComponentType } from 'react';
import { lazyComponent } from '../lazy-component.tsx';
import type { WidgetProps } from '../widget.ts';
import type { MatrixFieldProps } from './matrix-field.tsx';

const load = () => import('./lazy-field-components.ts');

export const ListField = lazyComponent<FieldProps>(async () => (await load()).ListField);

export const ChoicesField = lazyComponent<FieldProps>(
  // the cast fixes the type parameters of rjsf's generic component
  async () => (await load()).ArrayField as ComponentType<FieldProps>,
);

export const MatrixField = lazyComponent<MatrixFieldProps>(async () => (await load()).MatrixField);

export const TemporalWidget = lazyComponent<WidgetProps>(async () => (await load()).TemporalWidget);
