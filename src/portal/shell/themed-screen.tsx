import { pageStyles } from '../../engine/fluent/fluent-root.tsx';
import { fluentScreen } from '../../engine/fluent/fluent-screen.tsx';
import { readNonce } from '../navigation/read-page.ts';
import '../../engine/react/form.css';

export const ThemedScreen = fluentScreen(pageStyles(readNonce()));
