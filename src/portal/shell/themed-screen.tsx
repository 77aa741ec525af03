import { createPageStyleRenderer } from '../../engine/fluent/fluent-root.tsx';
import { createFluentScreen } from '../../engine/fluent/fluent-screen.tsx';
import { readCspNonce } from '../navigation/read-page-data.ts';
import '../../engine/react/form.css';

export const ThemedScreen = createFluentScreen(createPageStyleRenderer(readCspNonce()));
