/** A separate module, loaded before the portal: the browser evaluates each in its own task, so that neither blocks for long. */
export { createRoot } from 'react-dom/client';
