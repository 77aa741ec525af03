/** A separate module, so that the browser evaluates React and the portal in separate tasks, and neither blocks for long. */
export { createRoot } from 'react-dom/client';
