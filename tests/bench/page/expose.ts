/** Hooks with which the bench controls its page. */
interface BenchHooks {
  readonly field: (name: string) => Element | null;
  readonly errorSelector: string;
  readonly submitSelector: string;
}

/** Publishes the hooks on `window`. Marks the page as ready after the frame that shows the form. */
export function exposeHooks(hooks: BenchHooks): void {
  Reflect.set(window, '__bench', hooks);
  requestAnimationFrame(() => setTimeout(() => Reflect.set(window, '__ready', true), 0));
}

/** Records the data that a valid form would submit. */
export function recordSubmit(data: unknown): void {
  if (data !== undefined) Reflect.set(window, '__submitted', data);
}
