/** React's renderer, which the first script loads before the portal: each is evaluated in a task of its own, of which none is long. */
export { createRoot } from 'react-dom/client';
