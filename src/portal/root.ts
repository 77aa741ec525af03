/**
 * A separate module, which the first script loads before the portal. The browser evaluates each of them in its own task, so that neither blocks
 * for long.
 */
export { createRoot } from 'react-dom/client';
