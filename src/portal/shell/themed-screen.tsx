import { createPageStyles } from '../../engine/fluent/fluent-root.tsx';
import { createFluentScreen } from '../../engine/fluent/fluent-screen.tsx';
import { readNonce } from '../navigation/read-page.ts';
import '../../engine/react/form.css';

export const ThemedScreen = createFluentScreen(createPageStyles(readNonce()));
