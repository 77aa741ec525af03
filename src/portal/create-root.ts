/** Separate module, so that the browser evaluates React and the portal in two short tasks instead of a long one. */
export { createRoot } from 'react-dom/client';
