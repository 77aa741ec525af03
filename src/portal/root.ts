/** Separate module, which the first script loads before the portal: both are evaluated in their own tasks, so that neither blocks for long. */
export { createRoot } from 'react-dom/client';
