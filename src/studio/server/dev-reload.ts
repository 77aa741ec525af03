import type { Plugin, ViteDevServer } from 'vite';
import { changedEvent, drawnAtEvent, drawnAtName } from '../drawn-at.ts';

/** Reloads open pages after a change. */
export interface PageReload {
  /** Goes into the development server whose pages are reloaded. */
  readonly plugin: Plugin;
  /** Something that pages are drawn from has changed. */
  changed(): void;
}

/**
 * Every page carries the number of changes that it was drawn after and tells it once it listens: a change between its drawing
 * and its listening, which no message could reach, reloads it too.
 */
export function pageReload(): PageReload {
  let changes = 0;
  let server: ViteDevServer | undefined;
  return {
    plugin: {
      name: 'portal-page-reload',
      configureServer(vite) {
        server = vite;
        vite.ws.on(drawnAtEvent, (drawnAt, page) => {
          if (drawnAt !== String(changes)) page.send(changedEvent);
        });
      },
      transformIndexHtml: () => [
        { tag: 'meta', attrs: { name: drawnAtName, content: String(changes) } },
        { tag: 'script', attrs: { type: 'module', src: '/src/studio/reload-client.ts' } },
      ],
    },
    changed() {
      changes += 1;
      server?.ws.send(changedEvent);
    },
  };
}
