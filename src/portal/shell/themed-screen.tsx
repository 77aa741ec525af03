import { pageStyles } from '../../engine/fluent/fluent-root.tsx';
import { fluentScreen } from '../../engine/fluent/fluent-screen.tsx';
import { readNonce } from '../navigation/page.ts';
import '../../engine/react/form.css';

/** The renderer of every screen, in the look of the portal. */
export const ThemedScreen = fluentScreen(pageStyles(readNonce()));
